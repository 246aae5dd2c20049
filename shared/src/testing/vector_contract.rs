//! What every [`VectorIndex`] must do.

use std::{sync::Arc, time::Duration};

use super::{Tenant, narrowing_cases, read_scope, view_cases};
use crate::{
    domain::{ChunkId, IndexFilter, Kinded, SnapshotId},
    ports::{DocumentKey, EmbeddingModel, VectorHit, VectorIndex, VectorPoint},
};

/// Makes one test of every function of this suite. `$make` is an expression, evaluated in each
/// test, that gives `(index, guard)`: an `impl VectorIndex` and whatever must outlive it.
#[macro_export]
macro_rules! vector_contract_tests {
    ($make:expr) => {
        $crate::vector_contract_tests!(@ $make;
            the_nearest_come_first
            scores_are_cosines
            foreign_points_never_appear
            an_empty_scope_finds_nothing
            views_decide_what_shows
            narrowing_selects_exactly
            upserts_replace
            death_and_revival
            deletes_remove_and_unknown_ids_are_ignored
            deleting_a_branch_leaves_its_neighbours
            equal_scores_come_in_id_order
            limits_of_any_size
            a_query_without_direction_finds_nothing
            other_dimensions_are_refused
            models_are_separate
            counts_are_what_search_reaches
            writers_and_readers_do_not_disturb_each_other
        );
    };
    (@ $make:expr; $($name:ident)*) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let (index, _guard) = $make;
            let index = ::std::sync::Arc::new(index);
            $crate::testing::vector_contract::$name(index).await;
        }
    )*};
}

/// The index under test.
pub type Index = Arc<dyn VectorIndex>;

const DIMENSION: usize = 8;

async fn prepared(index: &Index) -> EmbeddingModel {
    let model = EmbeddingModel {
        key: format!("test-{}", uuid::Uuid::new_v4().simple()),
        dimension: DIMENSION,
    };
    index.ensure_model(&model).await.unwrap();
    model
}

/// A unit vector that turns from the first axis towards the second by `degrees`.
fn at_angle(degrees: f32) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSION];
    vector[0] = degrees.to_radians().cos();
    vector[1] = degrees.to_radians().sin();
    vector
}

fn point(key: DocumentKey, degrees: f32) -> VectorPoint {
    VectorPoint {
        key,
        vector: at_angle(degrees),
    }
}

/// Writes points at the given angles and returns their ids.
async fn write(
    index: &Index,
    model: &EmbeddingModel,
    tenant: &Tenant,
    angles: &[f32],
) -> Vec<ChunkId> {
    let points: Vec<VectorPoint> = angles
        .iter()
        .map(|degrees| point(tenant.key(), *degrees))
        .collect();
    let ids = points.iter().map(|point| point.key.id).collect();
    index.upsert(model, points).await.unwrap();
    ids
}

async fn found(
    index: &Index,
    model: &EmbeddingModel,
    limit: usize,
    filter: &IndexFilter,
) -> Vec<ChunkId> {
    hits(index, model, limit, filter)
        .await
        .into_iter()
        .map(|hit| hit.id)
        .collect()
}

async fn hits(
    index: &Index,
    model: &EmbeddingModel,
    limit: usize,
    filter: &IndexFilter,
) -> Vec<VectorHit> {
    index
        .search(model, &at_angle(0.0), limit, filter)
        .await
        .unwrap()
}

pub async fn the_nearest_come_first(index: Index) {
    let (model, tenant) = (prepared(&index).await, Tenant::new());
    let ids = write(&index, &model, &tenant, &[60.0, 10.0, 170.0, 30.0]).await;
    let expected = vec![ids[1], ids[3], ids[0], ids[2]];
    assert_eq!(found(&index, &model, 10, &tenant.filter()).await, expected);
    assert_eq!(
        found(&index, &model, 2, &tenant.filter()).await,
        expected[..2]
    );
}

pub async fn scores_are_cosines(index: Index) {
    let (model, tenant) = (prepared(&index).await, Tenant::new());
    let angles = [0.0_f32, 25.0, 90.0, 155.0, 180.0];
    write(&index, &model, &tenant, &angles).await;
    for (hit, degrees) in hits(&index, &model, 10, &tenant.filter())
        .await
        .iter()
        .zip(angles)
    {
        let cosine = degrees.to_radians().cos();
        assert!((hit.score - cosine).abs() < 0.01, "{} {cosine}", hit.score);
    }
}

pub async fn foreign_points_never_appear(index: Index) {
    let (model, tenant) = (prepared(&index).await, Tenant::new());
    let own = write(&index, &model, &tenant, &[80.0, 70.0]).await;
    // Better matches of another organization, project and branch, many enough to fill any list.
    for foreign in [
        Tenant::new(),
        tenant.other_project(),
        tenant.other_branch(),
        // The same branch and project ids claimed by another organization.
        Tenant {
            organization_id: Tenant::new().organization_id,
            ..tenant
        },
        Tenant {
            project_id: Tenant::new().project_id,
            ..tenant
        },
    ] {
        write(&index, &model, &foreign, &[1.0; 300]).await;
    }
    for limit in [1, 2, 50] {
        let expected = [own[1], own[0]];
        let expected = &expected[..limit.min(2)];
        assert_eq!(
            found(&index, &model, limit, &tenant.filter()).await,
            expected
        );
    }
    assert_eq!(index.count(&model, &tenant.filter()).await.unwrap(), 2);
}

pub async fn an_empty_scope_finds_nothing(index: Index) {
    let (model, tenant) = (prepared(&index).await, Tenant::new());
    write(&index, &model, &tenant, &[1.0]).await;
    let no_branches = IndexFilter::new(&tenant.scope(), Vec::new(), tenant.filter().view);
    let no_projects = IndexFilter::new(
        &read_scope(tenant.organization_id, &[]),
        vec![tenant.branch_id],
        tenant.filter().view,
    );
    for filter in [no_branches, no_projects] {
        assert!(found(&index, &model, 10, &filter).await.is_empty());
        assert_eq!(index.count(&model, &filter).await.unwrap(), 0);
    }
}

pub async fn views_decide_what_shows(index: Index) {
    let model = prepared(&index).await;
    for (born, died, view, visible) in view_cases() {
        let tenant = Tenant::new();
        let key = DocumentKey {
            born: SnapshotId(born),
            died: SnapshotId(died),
            ..tenant.key()
        };
        index.upsert(&model, vec![point(key, 1.0)]).await.unwrap();
        let filter = IndexFilter::new(&tenant.scope(), vec![tenant.branch_id], view);
        let reached = found(&index, &model, 10, &filter).await.len();
        assert_eq!(reached, usize::from(visible), "{born}..{died} {filter:?}");
        assert_eq!(
            index.count(&model, &filter).await.unwrap(),
            u64::from(visible)
        );
    }
}

pub async fn narrowing_selects_exactly(index: Index) {
    let (model, tenant) = (prepared(&index).await, Tenant::new());
    let (keys, cases) = narrowing_cases(&tenant);
    let points = keys
        .iter()
        .zip([1.0, 2.0, 3.0, 4.0])
        .map(|(key, degrees)| point(key.clone(), degrees * 10.0))
        .collect();
    index.upsert(&model, points).await.unwrap();
    for (filter, rows) in cases {
        let expected: Vec<ChunkId> = rows.iter().map(|row| keys[*row].id).collect();
        assert_eq!(
            found(&index, &model, 10, &filter).await,
            expected,
            "{filter:?}"
        );
        assert_eq!(
            index.count(&model, &filter).await.unwrap(),
            rows.len() as u64
        );
    }
}

pub async fn upserts_replace(index: Index) {
    let (model, tenant) = (prepared(&index).await, Tenant::new());
    let (first, second) = (tenant.key(), tenant.key());
    let points = vec![point(first.clone(), 10.0), point(second.clone(), 20.0)];
    index.upsert(&model, points.clone()).await.unwrap();
    index.upsert(&model, points).await.unwrap();
    assert_eq!(index.count(&model, &tenant.filter()).await.unwrap(), 2);
    // Twice in one call: the last one counts.
    index
        .upsert(
            &model,
            vec![point(first.clone(), 1.0), point(first.clone(), 90.0)],
        )
        .await
        .unwrap();
    assert_eq!(
        found(&index, &model, 10, &tenant.filter()).await,
        [second.id, first.id]
    );
    index.upsert(&model, Vec::new()).await.unwrap();
}

pub async fn death_and_revival(index: Index) {
    let (model, tenant) = (prepared(&index).await, Tenant::new());
    let ids = write(&index, &model, &tenant, &[10.0, 20.0]).await;
    let unknown = tenant.key().id;
    index
        .set_died(&model, &[ids[0], unknown], SnapshotId(5))
        .await
        .unwrap();
    assert_eq!(found(&index, &model, 10, &tenant.filter()).await, [ids[1]]);
    let mut earlier = tenant.filter();
    earlier.view.horizon = SnapshotId(4);
    assert_eq!(found(&index, &model, 10, &earlier).await, ids);
    for _ in 0..2 {
        index
            .set_died(&model, &[ids[0]], SnapshotId::NEVER)
            .await
            .unwrap();
    }
    assert_eq!(found(&index, &model, 10, &tenant.filter()).await, ids);
    assert_eq!(index.count(&model, &tenant.filter()).await.unwrap(), 2);
}

pub async fn deletes_remove_and_unknown_ids_are_ignored(index: Index) {
    let (model, tenant) = (prepared(&index).await, Tenant::new());
    let ids = write(&index, &model, &tenant, &[10.0, 20.0, 30.0]).await;
    index.delete(&model, &[tenant.key().id]).await.unwrap();
    for _ in 0..2 {
        index.delete(&model, &[ids[0], ids[0]]).await.unwrap();
    }
    assert_eq!(found(&index, &model, 10, &tenant.filter()).await, ids[1..]);
    index.delete(&model, &ids).await.unwrap();
    assert_eq!(index.count(&model, &tenant.filter()).await.unwrap(), 0);
    index.delete(&model, &[]).await.unwrap();
}

pub async fn deleting_a_branch_leaves_its_neighbours(index: Index) {
    let (model, tenant) = (prepared(&index).await, Tenant::new());
    let neighbour = tenant.other_branch();
    for angle in [10.0, 40.0] {
        write(&index, &model, &tenant, &[angle; 20]).await;
        write(&index, &model, &neighbour, &[angle; 20]).await;
    }
    for _ in 0..2 {
        index.delete_branch(&model, tenant.branch_id).await.unwrap();
    }
    assert_eq!(index.count(&model, &tenant.filter()).await.unwrap(), 0);
    assert_eq!(
        found(&index, &model, 100, &neighbour.filter()).await.len(),
        40
    );
}

pub async fn equal_scores_come_in_id_order(index: Index) {
    let (model, tenant) = (prepared(&index).await, Tenant::new());
    let mut ids = write(&index, &model, &tenant, &[30.0; 700]).await;
    ids.sort_unstable();
    for limit in [1, 5, 650, 700] {
        assert_eq!(
            found(&index, &model, limit, &tenant.filter()).await,
            ids[..limit]
        );
    }
}

pub async fn limits_of_any_size(index: Index) {
    let (model, tenant) = (prepared(&index).await, Tenant::new());
    write(&index, &model, &tenant, &[10.0; 3]).await;
    for (limit, expected) in [(0, 0), (3, 3), (1_000_000, 3), (usize::MAX, 3)] {
        assert_eq!(
            found(&index, &model, limit, &tenant.filter()).await.len(),
            expected
        );
    }
}

pub async fn a_query_without_direction_finds_nothing(index: Index) {
    let (model, tenant) = (prepared(&index).await, Tenant::new());
    write(&index, &model, &tenant, &[10.0]).await;
    let hits = index
        .search(&model, &[0.0; DIMENSION], 10, &tenant.filter())
        .await
        .unwrap();
    assert!(hits.is_empty());
}

pub async fn other_dimensions_are_refused(index: Index) {
    let (model, tenant) = (prepared(&index).await, Tenant::new());
    let ids = write(&index, &model, &tenant, &[10.0]).await;
    let short = VectorPoint {
        key: tenant.key(),
        vector: vec![1.0],
    };
    let mixed = vec![point(tenant.key(), 5.0), short];
    let error = index.upsert(&model, mixed).await.unwrap_err();
    assert_eq!(error.code(), "dimension_mismatch");
    let error = index
        .search(&model, &[1.0; DIMENSION + 1], 10, &tenant.filter())
        .await
        .unwrap_err();
    assert_eq!(error.code(), "dimension_mismatch");
    let larger = EmbeddingModel {
        dimension: DIMENSION + 1,
        ..model.clone()
    };
    let error = index.ensure_model(&larger).await.unwrap_err();
    assert_eq!(error.code(), "dimension_mismatch");
    assert_eq!(found(&index, &model, 10, &tenant.filter()).await, ids);
}

pub async fn models_are_separate(index: Index) {
    let (model, other, tenant) = (
        prepared(&index).await,
        prepared(&index).await,
        Tenant::new(),
    );
    let key = tenant.key();
    index
        .upsert(&model, vec![point(key.clone(), 10.0)])
        .await
        .unwrap();
    index.ensure_model(&model).await.unwrap();
    assert_eq!(index.count(&other, &tenant.filter()).await.unwrap(), 0);
    index.delete(&other, &[key.id]).await.unwrap();
    assert_eq!(found(&index, &model, 10, &tenant.filter()).await, [key.id]);
}

pub async fn counts_are_what_search_reaches(index: Index) {
    let (model, tenant) = (prepared(&index).await, Tenant::new());
    let angles: Vec<f32> = (0..150_u8).map(f32::from).collect();
    let ids = write(&index, &model, &tenant, &angles).await;
    index
        .set_died(&model, &ids[20..60], SnapshotId(7))
        .await
        .unwrap();
    index.delete(&model, &ids[50..90]).await.unwrap();
    // Near neighbours may change places within the allowed error, so only the set is compared.
    let mut reached = found(&index, &model, 1_000, &tenant.filter()).await;
    reached.sort_unstable();
    let mut expected: Vec<ChunkId> = ids[..20].iter().chain(&ids[90..]).copied().collect();
    expected.sort_unstable();
    assert_eq!(reached, expected);
    assert_eq!(
        index.count(&model, &tenant.filter()).await.unwrap(),
        expected.len() as u64
    );
}

pub async fn writers_and_readers_do_not_disturb_each_other(index: Index) {
    let (model, tenant) = (prepared(&index).await, Tenant::new());
    let resident = write(&index, &model, &tenant, &[1.0]).await;
    let writer = {
        let (index, model) = (Arc::clone(&index), model.clone());
        let visitor = tenant.other_branch();
        tokio::spawn(async move {
            for _ in 0..20 {
                let ids = write(&index, &model, &visitor, &[2.0; 50]).await;
                index
                    .set_died(&model, &ids[..25], SnapshotId(5))
                    .await
                    .unwrap();
                index.delete(&model, &ids).await.unwrap();
            }
        })
    };
    let reading = async {
        while !writer.is_finished() {
            assert_eq!(found(&index, &model, 10, &tenant.filter()).await, resident);
            assert_eq!(index.count(&model, &tenant.filter()).await.unwrap(), 1);
        }
    };
    tokio::time::timeout(Duration::from_secs(60), reading)
        .await
        .unwrap();
    writer.await.unwrap();
    index.health().await.unwrap();
}
