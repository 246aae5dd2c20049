//! The audit log on both databases: concurrent writers, tampering, retention.

use chrono::{Duration, Utc};
use quarry_shared::{
    domain::{AuditEvent, AuditOrigin, AuditOutcome, OrganizationId, UserId},
    store::{
        Database,
        audit::{self, AuditFilter, Chain, ChainHead, FaultKind},
    },
};
use sea_orm::ConnectionTrait;

use crate::store_database::TestDatabase;

async fn both() -> [TestDatabase; 2] {
    [TestDatabase::sqlite().await, TestDatabase::postgres().await]
}

async fn write(database: &Database, organization: OrganizationId, name: &str) -> i64 {
    let transaction = database.begin().await.unwrap();
    let event = AuditEvent::new("project.create")
        .within(organization)
        .object("project", name)
        .named(name)
        .detail("size", 7);
    let sequence = audit::append(&transaction, &AuditOrigin::system(), event)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    sequence
}

async fn filled(database: &Database, events: usize) -> (OrganizationId, Chain) {
    let organization = OrganizationId::generate();
    for number in 1..=events {
        write(database, organization, &format!("p{number}")).await;
    }
    (organization, Chain::Organization(organization))
}

/// What somebody with the database's password can do.
async fn as_intruder(database: &Database, statements: &[String]) {
    let lift: &[&str] = if database.is_sqlite() {
        &[
            "DROP TRIGGER audit_events_keep_content",
            "DROP TRIGGER audit_events_keep_rows",
        ]
    } else {
        &["DROP TRIGGER audit_events_keep ON audit_events"]
    };
    let statements = lift
        .iter()
        .copied()
        .chain(statements.iter().map(String::as_str));
    for statement in statements {
        database
            .writer()
            .execute_unprepared(statement)
            .await
            .unwrap();
    }
}

/// How the id is written in a statement: bytes on SQLite.
fn literal(database: &Database, chain: Chain) -> String {
    if database.is_sqlite() {
        format!("x'{}'", chain.id().simple())
    } else {
        format!("'{}'", chain.id())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_writers_leave_one_whole_chain_per_organization() {
    for test in both().await {
        let database = &test.database;
        let organizations = [OrganizationId::generate(), OrganizationId::generate()];
        let mut writers = tokio::task::JoinSet::new();
        for writer in 0..8 {
            let database = database.clone();
            let organization = organizations[writer % 2];
            writers.spawn(async move {
                for number in 0..10 {
                    write(&database, organization, &format!("{writer}-{number}")).await;
                }
            });
        }
        writers.join_all().await;
        for organization in organizations {
            let chain = Chain::Organization(organization);
            let found = audit::verify(database.reader(), chain, None).await.unwrap();
            assert_eq!((found.fault, found.events), (None, 40));
            assert_eq!(found.head.sequence, 40);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_goes_with_the_change_that_was_rolled_back() {
    for test in both().await {
        let database = &test.database;
        let (organization, chain) = filled(database, 2).await;
        let transaction = database.begin().await.unwrap();
        let event = AuditEvent::new("project.create").within(organization);
        audit::append(&transaction, &AuditOrigin::system(), event)
            .await
            .unwrap();
        transaction.rollback().await.unwrap();
        assert_eq!(write(database, organization, "next").await, 3);
        let found = audit::verify(database.reader(), chain, None).await.unwrap();
        assert_eq!((found.fault, found.events), (None, 3));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_itself_refuses_to_change_or_remove_events() {
    for test in both().await {
        let database = &test.database;
        filled(database, 2).await;
        for statement in [
            "UPDATE audit_events SET action = 'x'",
            "DELETE FROM audit_events",
        ] {
            let refused = database.writer().execute_unprepared(statement).await;
            assert!(refused.is_err(), "{statement}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tampering_is_found_at_its_place() {
    type Tampering = fn(&str) -> Vec<String>;
    let cases: &[(&str, Tampering, i64, FaultKind)] = &[
        (
            "a field is changed",
            |id| vec![set(id, 3, "actor_name = 'somebody else'")],
            3,
            FaultKind::Changed,
        ),
        (
            "a field is emptied",
            |id| vec![set(id, 3, "object_name = NULL")],
            3,
            FaultKind::Changed,
        ),
        (
            "a hash is changed",
            |id| vec![set(id, 4, "hash = previous_hash")],
            4,
            FaultKind::Changed,
        ),
        (
            "an event is removed",
            |id| vec![delete(id, "sequence = 2")],
            2,
            FaultKind::Missing,
        ),
        (
            "the first event is removed",
            |id| vec![delete(id, "sequence = 1")],
            1,
            FaultKind::Missing,
        ),
        (
            "the last event is removed",
            |id| vec![delete(id, "sequence = 5")],
            5,
            FaultKind::Missing,
        ),
        (
            "everything is removed",
            |id| vec![delete(id, "sequence > 0")],
            1,
            FaultKind::Missing,
        ),
        (
            "the last event and the memory of it are removed",
            |id| {
                vec![
                    delete(id, "sequence = 5"),
                    format!("UPDATE audit_chains SET sequence = 4 WHERE chain_id = {id}"),
                ]
            },
            4,
            FaultKind::Disconnected,
        ),
        (
            "two events change places",
            |id| {
                vec![
                    set(id, 2, "sequence = 99"),
                    set(id, 3, "sequence = 2"),
                    set(id, 99, "sequence = 3"),
                ]
            },
            2,
            FaultKind::Changed,
        ),
        (
            "an event is removed and the rest moved up",
            |id| {
                vec![
                    delete(id, "sequence = 2"),
                    set(id, 3, "sequence = 2"),
                    set(id, 4, "sequence = 3"),
                    set(id, 5, "sequence = 4"),
                ]
            },
            2,
            FaultKind::Changed,
        ),
        (
            "an event is added at the end",
            |id| vec![copy(id, 5, 6)],
            6,
            FaultKind::Surplus,
        ),
        (
            "an event is pushed in",
            |id| {
                vec![
                    set(id, 5, "sequence = 6"),
                    set(id, 4, "sequence = 5"),
                    copy(id, 3, 4),
                    format!("UPDATE audit_chains SET sequence = 6 WHERE chain_id = {id}"),
                ]
            },
            4,
            FaultKind::Changed,
        ),
        (
            "the beginning is passed off as purged",
            |id| {
                vec![
                    delete(id, "sequence < 3"),
                    format!("UPDATE audit_chains SET anchor_sequence = 2 WHERE chain_id = {id}"),
                ]
            },
            3,
            FaultKind::Disconnected,
        ),
    ];
    for (name, tampering, sequence, kind) in cases {
        for test in both().await {
            let database = &test.database;
            let (_, chain) = filled(database, 5).await;
            let (_, other) = filled(database, 2).await;
            as_intruder(database, &tampering(&literal(database, chain))).await;
            let found = audit::verify(database.reader(), chain, None).await.unwrap();
            let fault = found.fault.unwrap_or_else(|| panic!("{name}: not found"));
            assert_eq!((fault.sequence, fault.kind), (*sequence, *kind), "{name}");
            // Another organization's chain is not touched by it.
            let found = audit::verify(database.reader(), other, None).await.unwrap();
            assert_eq!(found.fault, None, "{name}");
        }
    }
}

fn set(id: &str, sequence: i64, change: &str) -> String {
    format!("UPDATE audit_events SET {change} WHERE chain_id = {id} AND sequence = {sequence}")
}

fn delete(id: &str, which: &str) -> String {
    format!("DELETE FROM audit_events WHERE chain_id = {id} AND {which}")
}

fn copy(id: &str, from: i64, to: i64) -> String {
    let rest = "recorded_at, actor_kind, actor_user_id, actor_name, credential_kind, \
                credential_id, address, action, object_kind, object_id, object_name, outcome, \
                request_id, details, previous_hash, hash";
    format!(
        "INSERT INTO audit_events (chain_id, sequence, {rest}) SELECT chain_id, {to}, {rest} \
         FROM audit_events WHERE chain_id = {id} AND sequence = {from}"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_that_was_written_anew_is_found_with_an_end_kept_elsewhere() {
    let test = TestDatabase::sqlite().await;
    let database = &test.database;
    let (organization, chain) = filled(database, 3).await;
    let kept = audit::verify(database.reader(), chain, None)
        .await
        .unwrap()
        .head;
    let kept: ChainHead = kept.to_string().parse().unwrap();
    write(database, organization, "later").await;
    let found = audit::verify(database.reader(), chain, Some(&kept)).await;
    assert_eq!(found.unwrap().fault, None);

    // The intruder knows how hashes are made and writes a whole new chain.
    let id = literal(database, chain);
    let anew = [
        delete(&id, "sequence > 0"),
        format!("DELETE FROM audit_chains WHERE chain_id = {id}"),
    ];
    as_intruder(database, &anew).await;
    write(database, organization, "only this has happened").await;
    let found = audit::verify(database.reader(), chain, None).await.unwrap();
    assert_eq!(found.fault, None);
    let short = audit::verify(database.reader(), chain, Some(&kept)).await;
    assert_eq!(short.unwrap().fault.unwrap().kind, FaultKind::Missing);
    for name in ["a", "b", "c"] {
        write(database, organization, name).await;
    }
    let long = audit::verify(database.reader(), chain, Some(&kept)).await;
    let fault = long.unwrap().fault.unwrap();
    assert_eq!((fault.sequence, fault.kind), (3, FaultKind::Rewritten));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_retention_leaves_is_verified_from_its_anchor() {
    for test in both().await {
        let database = &test.database;
        let (organization, chain) = filled(database, 3).await;
        let cutoff = Utc::now();
        write(database, organization, "young").await;
        assert_eq!(audit::purge_all(database, cutoff).await.unwrap(), 3);
        let found = audit::verify(database.reader(), chain, None).await.unwrap();
        // The young one, and the one that tells of the purge.
        assert_eq!((found.fault, found.events, found.anchor), (None, 2, 3));
        assert_eq!(audit::purge(database, chain, cutoff).await.unwrap(), 0);

        // Everything may go, and the numbers go on.
        assert_eq!(audit::purge(database, chain, Utc::now()).await.unwrap(), 2);
        let again = Utc::now() + Duration::seconds(1);
        assert_eq!(audit::purge(database, chain, again).await.unwrap(), 0);
        assert_eq!(write(database, organization, "next").await, 7);
        let found = audit::verify(database.reader(), chain, None).await.unwrap();
        assert_eq!((found.fault, found.events, found.anchor), (None, 2, 5));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_narrow_and_pages_follow_each_other() {
    for test in both().await {
        let database = &test.database;
        let (organization, chain) = filled(database, 3).await;
        let actor = UserId::generate();
        let middle = Utc::now();
        let transaction = database.begin().await.unwrap();
        let origin = AuditOrigin {
            user_id: Some(actor),
            address: "2001:db8::1".parse().ok(),
            ..AuditOrigin::system()
        };
        let event = AuditEvent::new("repository.delete")
            .within(organization)
            .object("repository", "r1")
            .outcome(AuditOutcome::Denied);
        audit::append(&transaction, &origin, event).await.unwrap();
        transaction.commit().await.unwrap();

        let only = |change: fn(&mut AuditFilter)| {
            let mut filter = AuditFilter::default();
            change(&mut filter);
            filter
        };
        let by_actor = AuditFilter {
            actor: Some(actor),
            ..AuditFilter::default()
        };
        let since = AuditFilter {
            since: Some(middle),
            ..AuditFilter::default()
        };
        let until = AuditFilter {
            until: Some(middle),
            ..AuditFilter::default()
        };
        let cases = [
            (AuditFilter::default(), vec![4, 3, 2, 1]),
            (by_actor, vec![4]),
            (since, vec![4]),
            (until, vec![3, 2, 1]),
            (
                only(|filter| filter.action = Some("repository.".into())),
                vec![4],
            ),
            (
                only(|filter| filter.action = Some("project.create".into())),
                vec![3, 2, 1],
            ),
            (
                only(|filter| filter.action = Some("project".into())),
                vec![],
            ),
            (only(|filter| filter.action = Some("%.".into())), vec![]),
            (only(|filter| filter.object_id = Some("p2".into())), vec![2]),
            (
                only(|filter| filter.object_kind = Some("repository".into())),
                vec![4],
            ),
            (
                only(|filter| filter.outcome = Some(AuditOutcome::Denied)),
                vec![4],
            ),
        ];
        for (filter, expected) in cases {
            let rows = audit::list(database.reader(), chain, &filter, None, 10)
                .await
                .unwrap();
            let found: Vec<i64> = rows.iter().map(|row| row.sequence).collect();
            assert_eq!(found, expected, "{filter:?}");
        }
        let all = AuditFilter::default();
        let page = audit::list(database.reader(), chain, &all, Some(3), 1)
            .await
            .unwrap();
        assert_eq!(page[0].sequence, 2);
        let exported = audit::export(database.reader(), chain, &all, 0, 100)
            .await
            .unwrap();
        let line: serde_json::Value = serde_json::from_str(&exported[3].to_json_line()).unwrap();
        assert_eq!(line["address"], "2001:db8::1");
        assert_eq!(line["previous_hash"], exported[2].hash.as_str());
        let none = audit::list(database.reader(), Chain::Instance, &all, None, 10).await;
        assert!(none.unwrap().is_empty());
    }
}
