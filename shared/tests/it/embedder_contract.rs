//! What every `Embedder` promises, whatever computes the vectors.

use quarry_shared::adapters::static_embedder::StaticEmbedder;
use quarry_shared::ports::{Embedder, EmbeddingInput};

/// Runs the whole suite. `poison` is a document that the adapter cannot embed, if there is one
/// besides blank text.
pub async fn assert_embedder_contract(embedder: &dyn Embedder, poison: Option<&EmbeddingInput>) {
    the_model_has_a_plain_key(embedder);
    outcomes_come_in_order_at_unit_length(embedder).await;
    one_bad_input_never_costs_its_neighbours(embedder, poison).await;
    a_batch_embeds_like_its_parts(embedder).await;
    queries_live_in_the_same_space(embedder).await;
    assert_eq!(embedder.embed_documents(&[]).await.unwrap(), Vec::new());
}

pub fn input(header: &str, body: &str) -> EmbeddingInput {
    EmbeddingInput {
        header: header.to_owned(),
        body: body.to_owned(),
    }
}

/// Texts of different lengths, so that adapters which sort by length must sort back.
pub fn documents() -> Vec<EmbeddingInput> {
    vec![
        input(
            "src/cache.rs > Cache.insert",
            "fn insert(key: String) { self.entries.insert(key) }",
        ),
        input("", "open the file"),
        input(
            "docs/setup.md",
            &"install the server and start the worker process ".repeat(20),
        ),
        input("src/server.rs", "fn main() { server.start() }"),
        input(
            "test/user.py > test_login",
            "def test_login(user): assert user.login()",
        ),
    ]
}

fn the_model_has_a_plain_key(embedder: &dyn Embedder) {
    let model = embedder.model();
    assert!(
        !model.key.is_empty() && model.key.len() <= 100,
        "{}",
        model.key
    );
    let plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
    assert!(model.key.bytes().all(plain), "{}", model.key);
    assert!(model.dimension > 0);
}

async fn outcomes_come_in_order_at_unit_length(embedder: &dyn Embedder) {
    let documents = documents();
    let outcomes = embedder.embed_documents(&documents).await.unwrap();
    assert_eq!(outcomes.len(), documents.len());
    for (document, outcome) in documents.iter().zip(&outcomes) {
        let vector = outcome.as_ref().unwrap();
        assert_eq!(vector.len(), embedder.model().dimension);
        assert_unit_length(vector);
        let alone = embedder
            .embed_documents(std::slice::from_ref(document))
            .await
            .unwrap();
        let cosine = cosine(vector, alone[0].as_ref().unwrap());
        assert!(
            cosine > 0.999,
            "{document:?} came back in another place: {cosine}"
        );
    }
    assert!(cosine(outcomes[0].as_ref().unwrap(), outcomes[2].as_ref().unwrap()) < 0.999);
}

async fn one_bad_input_never_costs_its_neighbours(
    embedder: &dyn Embedder,
    poison: Option<&EmbeddingInput>,
) {
    let good = documents();
    let expected = embedder.embed_documents(&good).await.unwrap();
    let mut bad = vec![input("", ""), input(" ", " \n\t"), input("", "\u{a0}\n")];
    bad.extend(poison.cloned());
    for bad in bad {
        let mut batch = good.clone();
        batch.insert(2, bad.clone());
        let mut outcomes = embedder.embed_documents(&batch).await.unwrap();
        let reason = outcomes.remove(2).expect_err("a bad input has no vector");
        assert!(!reason.is_empty());
        assert!(bad.body.trim().is_empty() || !reason.contains(bad.body.trim()));
        for (outcome, expected) in outcomes.iter().zip(&expected) {
            let same = cosine(outcome.as_ref().unwrap(), expected.as_ref().unwrap());
            assert!(same > 0.999, "beside {bad:?}: {same}");
        }
    }
    let blank = embedder
        .embed_documents(&[input("", " "), input("\n", "")])
        .await
        .unwrap();
    assert!(blank.iter().all(Result::is_err));
}

async fn a_batch_embeds_like_its_parts(embedder: &dyn Embedder) {
    let many: Vec<_> = (0..10).flat_map(|_| documents()).collect();
    let first = embedder.embed_documents(&many).await.unwrap();
    let second = embedder.embed_documents(&many).await.unwrap();
    assert_eq!(first, second, "the same text has the same vector");
    for (repeated, single) in first.iter().zip(first.iter().skip(5)) {
        let same = cosine(repeated.as_ref().unwrap(), single.as_ref().unwrap());
        assert!(same > 0.999, "{same}");
    }
}

async fn queries_live_in_the_same_space(embedder: &dyn Embedder) {
    let query = embedder
        .embed_query("where is the cache entry inserted")
        .await
        .unwrap();
    assert_eq!(query.len(), embedder.model().dimension);
    assert_unit_length(&query);
    for blank in ["", " \n"] {
        let vector = embedder.embed_query(blank).await.unwrap();
        assert_eq!(vector, vec![0.0; embedder.model().dimension]);
    }
}

fn assert_unit_length(vector: &[f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    assert!((length - 1.0).abs() < 1e-3, "length {length}");
}

pub fn cosine(left: &[f32], right: &[f32]) -> f32 {
    let dot: f32 = left.iter().zip(right).map(|(x, y)| x * y).sum();
    let length = |v: &[f32]| v.iter().map(|x| x * x).sum::<f32>().sqrt();
    dot / (length(left) * length(right))
}

#[tokio::test]
async fn the_bundled_static_model_keeps_the_contract() {
    let embedder = StaticEmbedder::bundled().unwrap();
    let poison = input("", "{ } ( ) ; !!!");
    assert_embedder_contract(&embedder, Some(&poison)).await;
}
