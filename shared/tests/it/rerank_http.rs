//! The HTTP reranker in its three shapes.

use quarry_shared::adapters::rerank_http::HttpReranker;
use quarry_shared::config::{RerankHttpSettings, RerankProtocol};
use quarry_shared::ports::{PortError, Reranker};
use serde_json::{Value, json};

use super::model_server::{Answer, ModelServer, Received};

fn settings(server: &ModelServer, protocol: RerankProtocol) -> RerankHttpSettings {
    RerankHttpSettings {
        protocol,
        base_url: server.base_url.clone(),
        api_key: Some("secret-key".into()),
        model: "rerank-test".to_owned(),
        max_request_documents: 4,
        max_document_bytes: 100,
        attempts: 3,
        first_wait_milliseconds: 1,
        max_wait_milliseconds: 2,
        ..RerankHttpSettings::default()
    }
}

/// Scores a document by its length and answers best first.
fn score(request: &Received) -> Answer {
    let tei = request.body.get("texts").is_some();
    let field = if tei { "texts" } else { "documents" };
    let documents: Vec<String> = serde_json::from_value(request.body[field].clone()).unwrap();
    assert!(
        documents
            .iter()
            .all(|document| !document.trim().is_empty() && document.len() <= 100)
    );
    let mut order: Vec<usize> = (0..documents.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(documents[*at].len()));
    let name = if tei { "score" } else { "relevance_score" };
    let results: Vec<Value> = order
        .into_iter()
        .map(|at| json!({"index": at, name: documents[at].len() as f32 / 100.0}))
        .collect();
    Answer::Json(if tei {
        json!(results)
    } else {
        json!({"results": results})
    })
}

#[tokio::test]
async fn scores_come_in_the_order_of_the_documents_in_every_shape() {
    for protocol in [
        RerankProtocol::Cohere,
        RerankProtocol::Jina,
        RerankProtocol::Tei,
    ] {
        let server = ModelServer::start(score);
        let reranker = HttpReranker::new(&settings(&server, protocol)).unwrap();
        let mut documents: Vec<String> = [5, 50, 20, 90, 1, 70].map(|n| "x".repeat(n)).into();
        documents.push("ü".repeat(500));
        documents.insert(2, " \n".to_owned());
        let scores = reranker.rerank("query", &documents).await.unwrap();
        assert_eq!(
            scores,
            [0.05, 0.5, 0.01, 0.2, 0.9, 0.01, 0.7, 1.0],
            "{protocol:?}"
        );
        let received = server.received();
        assert_eq!(received.len(), 2);
        assert_eq!(received[0].path, "/v1/rerank");
        assert_eq!(
            received[0].authorization.as_deref(),
            Some("Bearer secret-key")
        );
        let expected = match protocol {
            RerankProtocol::Cohere => json!({"model": "rerank-test", "top_n": 4}),
            RerankProtocol::Jina => {
                json!({"model": "rerank-test", "top_n": 4, "return_documents": false})
            }
            RerankProtocol::Tei => json!({"truncate": true}),
        };
        let mut sent = received[0].body.clone();
        for field in ["query", "documents", "texts"] {
            sent.as_object_mut().unwrap().remove(field);
        }
        assert_eq!(sent, expected);
    }
}

#[tokio::test]
async fn nothing_to_rank_sends_nothing() {
    let server = ModelServer::start(score);
    let reranker = HttpReranker::new(&settings(&server, RerankProtocol::Cohere)).unwrap();
    assert_eq!(
        reranker.rerank("query", &[]).await.unwrap(),
        Vec::<f32>::new()
    );
    assert_eq!(
        reranker.rerank(" ", &["a".to_owned()]).await.unwrap(),
        [0.0]
    );
    assert_eq!(
        reranker.rerank("query", &[" ".to_owned()]).await.unwrap(),
        [0.0]
    );
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn lies_and_failures_are_typed() {
    type Script = fn() -> Answer;
    let cases: [(&str, Script, usize); 6] = [
        (
            "short",
            || Answer::Json(json!({"results": [{"index": 0, "relevance_score": 1}]})),
            3,
        ),
        (
            "twice",
            || {
                Answer::Json(
                    json!({"results": [{"index": 0, "relevance_score": 1}, {"index": 0, "relevance_score": 1}]}),
                )
            },
            3,
        ),
        ("html", || Answer::Status(200, "", "<html>".to_owned()), 3),
        ("away", || Answer::Status(503, "", String::new()), 3),
        ("key", || Answer::Status(401, "", String::new()), 1),
        (
            "bad",
            || Answer::Status(422, "", "{\"message\": \"a b\"}".to_owned()),
            1,
        ),
    ];
    for (name, answer, calls) in cases {
        let server = ModelServer::start(move |_| answer());
        let reranker = HttpReranker::new(&settings(&server, RerankProtocol::Cohere)).unwrap();
        let error = reranker
            .rerank("query", &["a".to_owned(), "b".to_owned()])
            .await
            .unwrap_err();
        let fits = match name {
            "short" | "twice" | "html" => matches!(error, PortError::Broken { .. }),
            "away" => matches!(error, PortError::Unavailable { .. }),
            "key" => matches!(error, PortError::AuthenticationFailed { .. }),
            _ => error.to_string() == "the rerank endpoint refused the request: status 422",
        };
        assert!(fits, "{name}: {error:?}");
        assert_eq!(server.received().len(), calls, "{name}");
    }
}

#[tokio::test]
async fn a_slow_endpoint_ends_at_the_time_limit() {
    let server = ModelServer::start(|_| Answer::Hang);
    let mut settings = settings(&server, RerankProtocol::Jina);
    settings.timeout_seconds = 1;
    settings.attempts = 1;
    let error = HttpReranker::new(&settings)
        .unwrap()
        .rerank("q", &["a".to_owned()])
        .await;
    assert!(matches!(error, Err(PortError::Timeout { .. })), "{error:?}");
}
