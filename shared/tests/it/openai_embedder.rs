//! The HTTP embedders against servers that limit, fail, hang, lie and refuse.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use quarry_shared::adapters::openai::OpenAiEmbedder;
use quarry_shared::config::{EmbeddingProtocol, OpenAiSettings};
use quarry_shared::ports::{Embedder, EmbeddingInput, PortError};
use serde_json::{Value, json};

use super::embedder_contract::{assert_embedder_contract, cosine, documents, input};
use super::model_server::{Answer, ModelServer, Received};

const DIMENSION: usize = 8;

fn settings(server: &ModelServer) -> OpenAiSettings {
    OpenAiSettings {
        base_url: server.base_url.clone(),
        model: "test-model".to_owned(),
        dimension: DIMENSION,
        timeout_seconds: 5,
        attempts: 5,
        first_wait_milliseconds: 1,
        max_wait_milliseconds: 5,
        ..OpenAiSettings::default()
    }
}

fn embedder(server: &ModelServer) -> OpenAiEmbedder {
    OpenAiEmbedder::new(&settings(server)).unwrap()
}

fn texts(request: &Received) -> Vec<String> {
    let field = if request.path.ends_with("/embed") {
        "inputs"
    } else {
        "input"
    };
    serde_json::from_value(request.body[field].clone()).unwrap()
}

/// Depends on the words alone, is never zero.
fn vector(text: &str) -> Vec<f32> {
    let mut vector = vec![0.1; DIMENSION];
    for word in text.split_whitespace() {
        let at = word
            .bytes()
            .fold(7_usize, |sum, byte| sum * 31 % 997 + usize::from(byte));
        vector[at % DIMENSION] += 1.0;
    }
    vector
}

/// An honest answer, its results in reverse order.
fn answer(request: &Received) -> Value {
    let data: Vec<Value> = texts(request)
        .iter()
        .enumerate()
        .rev()
        .map(|(index, text)| json!({"index": index, "embedding": vector(text)}))
        .collect();
    json!({"data": data})
}

fn tokens(text: &str) -> usize {
    text.chars()
        .map(|c| if c.is_ascii() { 1 } else { 4 })
        .sum::<usize>()
        / 4
}

/// 400 for the whole batch if any text is blank, holds the poison or is too long.
fn picky(request: &Received) -> Answer {
    let refused =
        |text: &String| text.trim().is_empty() || text.contains("poison") || tokens(text) > 2_000;
    if texts(request).iter().any(refused) {
        let error =
            json!({"error": {"code": "input_refused", "message": texts(request).join(" ")}});
        return Answer::Status(400, "", error.to_string());
    }
    Answer::Json(answer(request))
}

#[tokio::test]
async fn the_openai_adapter_keeps_the_contract() {
    let server = ModelServer::start(picky);
    let poison = input("src/poison.rs", "a text with poison in it");
    assert_embedder_contract(&embedder(&server), Some(&poison)).await;
    let sent: Vec<String> = server.received().iter().flat_map(texts).collect();
    assert!(
        sent.iter().all(|text| !text.trim().is_empty()),
        "blank texts are never sent"
    );
    assert!(sent.contains(&"src/server.rs\nfn main() { server.start() }".to_owned()));
}

#[tokio::test]
async fn the_tei_shape_keeps_the_contract() {
    let server = ModelServer::start(|request| {
        assert_eq!(request.path, "/v1/embed");
        let texts = texts(request);
        if texts.iter().any(|text| text.contains("poison")) {
            return Answer::Status(413, "", String::new());
        }
        Answer::Json(texts.iter().map(|text| json!(vector(text))).collect())
    });
    let settings = OpenAiSettings {
        protocol: EmbeddingProtocol::Tei,
        ..settings(&server)
    };
    let embedder = OpenAiEmbedder::new(&settings).unwrap();
    assert!(embedder.model().key.starts_with("tei-test-model-8-"));
    assert_embedder_contract(&embedder, Some(&input("", "some poison"))).await;
}

#[tokio::test]
async fn limits_failures_and_hangs_cost_no_chunk() {
    let calls = AtomicUsize::new(0);
    let server = ModelServer::start(move |request| match calls.fetch_add(1, Ordering::SeqCst) {
        call if call % 4 == 0 => Answer::Status(429, "Retry-After: 0\r\n", "slow down".to_owned()),
        call if call % 7 == 1 => Answer::Status(503, "", "<html>overloaded".to_owned()),
        2 => Answer::Hang,
        3 => Answer::Json(json!({"data": []})),
        6 => Answer::Status(
            200,
            "Content-Type: text/html\r\n",
            "<html>login</html>".to_owned(),
        ),
        _ => Answer::Json(answer(request)),
    });
    let settings = OpenAiSettings {
        max_request_inputs: 3,
        timeout_seconds: 1,
        attempts: 8,
        ..settings(&server)
    };
    let inputs: Vec<EmbeddingInput> = (0..60)
        .map(|n| input("a.rs", &format!("word{n} text number {n}")))
        .collect();
    let outcomes = OpenAiEmbedder::new(&settings)
        .unwrap()
        .embed_documents(&inputs)
        .await
        .unwrap();
    for (input, outcome) in inputs.iter().zip(&outcomes) {
        let same = cosine(outcome.as_ref().unwrap(), &vector(&input.joined()));
        assert!(same > 0.9999, "{input:?}: {same}");
    }
}

#[tokio::test]
async fn a_long_outage_is_a_transient_error_that_says_when_to_come_back() {
    let server = ModelServer::start(|_| Answer::Status(429, "Retry-After: 300\r\n", String::new()));
    let started = Instant::now();
    let error = embedder(&server)
        .embed_documents(&documents())
        .await
        .unwrap_err();
    let PortError::RateLimited { retry_after, .. } = error else {
        panic!("{error:?}");
    };
    assert_eq!(retry_after, Some(Duration::from_secs(300)));
    assert_eq!(server.received().len(), 5, "the attempts of the settings");
    assert!(
        started.elapsed() < Duration::from_secs(60),
        "the wait is capped"
    );
}

#[tokio::test]
async fn an_unreachable_or_silent_endpoint_is_named() {
    let server = ModelServer::start(|_| Answer::Hang);
    let mut settings = settings(&server);
    settings.timeout_seconds = 1;
    settings.attempts = 1;
    let embedder = OpenAiEmbedder::new(&settings).unwrap();
    let error = embedder.embed_query("anything").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the embedding endpoint did not answer within 1 s"
    );

    settings.base_url = "http://127.0.0.1:1/v1".to_owned();
    let error = OpenAiEmbedder::new(&settings)
        .unwrap()
        .probe()
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the embedding endpoint is unavailable: no connection"
    );
}

#[tokio::test]
async fn one_refused_text_is_found_by_halving_and_given_up_alone() {
    let server = ModelServer::start(picky);
    let mut inputs: Vec<EmbeddingInput> = (0..64)
        .map(|n| input("a.rs", &format!("fine {n}")))
        .collect();
    inputs[37].body = "the poison".to_owned();
    let outcomes = embedder(&server).embed_documents(&inputs).await.unwrap();
    let failed: Vec<usize> = (0..64).filter(|at| outcomes[*at].is_err()).collect();
    assert_eq!(failed, [37]);
    let reason = outcomes[37].as_ref().unwrap_err();
    assert_eq!(
        reason,
        "the embedding endpoint refused the request: status 400 (input_refused)"
    );
    assert!(
        server.received().len() <= 15,
        "{} requests",
        server.received().len()
    );
    let mut sent: HashMap<String, usize> = HashMap::new();
    for text in server.received().iter().flat_map(texts) {
        *sent.entry(text).or_default() += 1;
    }
    assert!(
        sent["a.rs\nfine 0"] <= 2,
        "texts that were embedded are not sent again"
    );
}

#[tokio::test]
async fn an_over_long_text_is_shortened_until_it_fits() {
    let server = ModelServer::start(picky);
    let inputs = [
        input("", "before"),
        input("", &"long text ".repeat(2_000)),
        input("", &"世界".repeat(3_000)),
        input("", "after poison chunks"),
    ];
    let outcomes = embedder(&server)
        .embed_documents(&inputs[..3])
        .await
        .unwrap();
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
}

#[tokio::test]
async fn a_wrong_request_is_one_error_not_a_thousand_bad_texts() {
    let server = ModelServer::start(|_| {
        Answer::Status(
            400,
            "",
            json!({"error": {"type": "unknown_parameter"}}).to_string(),
        )
    });
    let error = embedder(&server)
        .embed_documents(&documents())
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("status 400 (unknown_parameter)"),
        "{error}"
    );
    assert_eq!(server.received().len(), 2, "the batch and the probe");
}

#[tokio::test]
async fn a_vector_of_another_dimension_names_both() {
    let server = ModelServer::start(|request| {
        let data: Vec<Value> = (0..texts(request).len())
            .map(|index| json!({"index": index, "embedding": vec![1.0; 16]}))
            .collect();
        Answer::Json(json!({"data": data}))
    });
    let embedder = embedder(&server);
    for error in [
        embedder.embed_documents(&documents()).await.unwrap_err(),
        embedder.embed_query("query").await.unwrap_err(),
        embedder.probe().await.unwrap_err(),
    ] {
        let PortError::Rejected { code, detail, .. } = error else {
            panic!("{error:?}");
        };
        assert_eq!(code, "embedding_dimension_mismatch");
        let expected = "model `test-model` answers vectors of 16 components, 8 are configured";
        assert_eq!(detail, expected);
    }
    assert_eq!(server.received().len(), 3, "trying again would not help");
}

#[tokio::test]
async fn lies_about_results_are_errors_never_vectors_in_the_wrong_place() {
    let results = |indexes: &[usize], embedding: Value| {
        let result = |index| json!({"index": index, "embedding": embedding});
        let data: Vec<Value> = indexes.iter().map(result).collect();
        json!({"data": data})
    };
    let good = || json!(vector("x"));
    let cases = [
        ("short", results(&[0], good())),
        ("long", results(&[0, 1, 2], good())),
        ("twice", results(&[0, 0], good())),
        ("beyond", results(&[0, 2], good())),
        ("null", results(&[0, 1], json!([null]))),
        ("infinite", results(&[0, 1], json!(vec![1e300; 8]))),
        ("error", json!({"error": {"message": "no model loaded"}})),
    ];
    for (name, reply) in cases {
        let server = ModelServer::start(move |_| Answer::Json(reply.clone()));
        let inputs = [input("", "one"), input("", "two")];
        let error = embedder(&server)
            .embed_documents(&inputs)
            .await
            .unwrap_err();
        assert!(
            matches!(error, PortError::Broken { .. }),
            "{name}: {error:?}"
        );
    }
}

#[tokio::test]
async fn a_vector_without_direction_fails_alone() {
    let server = ModelServer::start(|request| {
        let data: Vec<Value> = (0..texts(request).len())
            .map(|index| json!({"index": index, "embedding": vec![index; DIMENSION]}))
            .collect();
        Answer::Json(json!({"data": data}))
    });
    let outcomes = embedder(&server)
        .embed_documents(&documents())
        .await
        .unwrap();
    assert!(outcomes[0].is_err() && outcomes[1..].iter().all(Result::is_ok));
}

#[tokio::test]
async fn requests_are_bounded_by_count_and_bytes_and_carry_the_settings() {
    let server = ModelServer::start(picky);
    let settings = OpenAiSettings {
        api_key: Some("secret-key".into()),
        max_request_inputs: 10,
        max_request_bytes: 2_000,
        max_input_bytes: 900,
        request_dimension: true,
        document_prefix: "passage: ".to_owned(),
        query_prefix: "query: ".to_owned(),
        ..settings(&server)
    };
    let embedder = OpenAiEmbedder::new(&settings).unwrap();
    assert!(!format!("{embedder:?}").contains("secret-key"));
    let inputs: Vec<EmbeddingInput> = (0..50)
        .map(|n| input("", &"wörd ".repeat(n * 10 + 1)))
        .collect();
    let outcomes = embedder.embed_documents(&inputs).await.unwrap();
    assert!(outcomes.iter().all(Result::is_ok));
    embedder.embed_query("find it").await.unwrap();
    let received = server.received();
    for request in &received {
        assert!(
            texts(request).len() <= 10 && request.bytes < 3_000,
            "{}",
            request.bytes
        );
        assert_eq!(request.authorization.as_deref(), Some("Bearer secret-key"));
        assert_eq!(request.body["model"], "test-model");
        assert_eq!(request.body["dimensions"], 8);
        assert_eq!(request.path, "/v1/embeddings");
    }
    assert_eq!(texts(received.last().unwrap()), ["query: find it"]);
    let documents = received.iter().rev().skip(1).flat_map(texts);
    assert!(
        documents
            .into_iter()
            .all(|text| text.starts_with("passage: wörd"))
    );
}

#[tokio::test]
async fn refused_credentials_and_unknown_models_are_final() {
    for (status, expected) in [
        (401, "the embedding endpoint refused the credentials"),
        (403, "the embedding endpoint refused the credentials"),
        (
            404,
            "the embedding endpoint does not have the path `/v1/embeddings` or the model",
        ),
        (
            302,
            "the embedding endpoint refused the request: status 302",
        ),
    ] {
        let server = ModelServer::start(move |request| {
            let body = texts(request).join(" ");
            Answer::Status(status, "Location: http://127.0.0.1:1/\r\n", body)
        });
        let error = embedder(&server)
            .embed_documents(&documents())
            .await
            .unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(server.received().len() <= 2, "{status}");
    }
}

#[test]
fn settings_that_cannot_work_are_refused_before_anything_is_sent() {
    let server = ModelServer::start(|_| Answer::Hang);
    type Change = fn(&mut OpenAiSettings);
    let cases: [(Change, &str); 6] = [
        (|s| s.model = " ".to_owned(), "`model`"),
        (|s| s.dimension = 0, "`dimension`"),
        (|s| s.base_url = "api.example.com".to_owned(), "`base_url`"),
        (|s| s.base_url = "file:///etc".to_owned(), "`base_url`"),
        (|s| s.timeout_seconds = 0, "`timeout_seconds`"),
        (|s| s.api_key = Some("a\nb".into()), "`api_key`"),
    ];
    for (change, expected) in cases {
        let mut settings = settings(&server);
        change(&mut settings);
        let error = OpenAiEmbedder::new(&settings).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn what_changes_vectors_changes_the_key() {
    let server = ModelServer::start(|_| Answer::Hang);
    let base = settings(&server);
    let key =
        |settings: &OpenAiSettings| OpenAiEmbedder::new(settings).unwrap().model().key.clone();
    type Change = fn(&mut OpenAiSettings);
    let changes: [Change; 5] = [
        |s| s.model = "Test-Model".to_owned(),
        |s| s.dimension = 16,
        |s| s.document_prefix = "passage: ".to_owned(),
        |s| s.query_prefix = "passage: ".to_owned(),
        |s| s.protocol = EmbeddingProtocol::Tei,
    ];
    let mut keys = vec![key(&base)];
    for change in changes {
        let mut settings = base.clone();
        change(&mut settings);
        keys.push(key(&settings));
    }
    let distinct: std::collections::HashSet<&String> = keys.iter().collect();
    assert_eq!(distinct.len(), keys.len(), "{keys:?}");
    let moved = OpenAiSettings {
        base_url: "https://elsewhere.example/v1".to_owned(),
        ..base
    };
    assert_eq!(key(&moved), keys[0]);
}

#[tokio::test]
async fn requests_of_one_batch_run_side_by_side_within_the_bound() {
    let running = std::sync::Arc::new(Mutex::new((0_usize, 0_usize)));
    let counter = std::sync::Arc::clone(&running);
    let barrier = std::sync::Barrier::new(3);
    let server = ModelServer::start(move |request| {
        let mut now = counter.lock().unwrap();
        now.0 += 1;
        now.1 = now.1.max(now.0);
        drop(now);
        barrier.wait();
        counter.lock().unwrap().0 -= 1;
        Answer::Json(answer(request))
    });
    let settings = OpenAiSettings {
        max_request_inputs: 1,
        concurrency: 3,
        ..settings(&server)
    };
    let inputs: Vec<EmbeddingInput> = (0..9).map(|n| input("", &format!("text {n}"))).collect();
    let outcomes = OpenAiEmbedder::new(&settings)
        .unwrap()
        .embed_documents(&inputs)
        .await
        .unwrap();
    assert!(outcomes.iter().all(Result::is_ok));
    assert_eq!(running.lock().unwrap().1, 3);
}
