//! The ONNX adapters on tiny models of our own (`tests/models/make_tiny_models.py`).
//!
//! They need ONNX Runtime. `deploy/fetch-models runtime` brings it to where it is looked for;
//! `QUARRY_TEST_ONNXRUNTIME` names a `libonnxruntime.so` elsewhere.

use std::path::{Path, PathBuf};

use quarry_shared::adapters::onnx::{OnnxEmbedder, OnnxError, OnnxReranker};
use quarry_shared::config::{
    ActivationSetting, ExecutionDevice, OnnxRerankerSettings, OnnxRuntimeSettings, OnnxSettings,
    PoolingSetting,
};
use quarry_shared::domain::Kinded;
use quarry_shared::ports::{Embedder, Reranker};

use super::embedder_contract::{assert_embedder_contract, cosine, documents, input};

fn runtime() -> OnnxRuntimeSettings {
    let usual = || {
        let home = std::env::var_os("HOME")
            .map(PathBuf::from)
            .unwrap_or_default();
        home.join(".cache/quarry/models/onnxruntime/libonnxruntime.so")
    };
    let library = std::env::var_os("QUARRY_TEST_ONNXRUNTIME").map_or_else(usual, PathBuf::from);
    assert!(
        library.is_file(),
        "{} is missing; run `deploy/fetch-models runtime`, or name a libonnxruntime.so in \
         QUARRY_TEST_ONNXRUNTIME",
        library.display()
    );
    OnnxRuntimeSettings {
        library,
        threads: 1,
        ..OnnxRuntimeSettings::default()
    }
}

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/models")
        .join(name)
}

fn settings() -> OnnxSettings {
    OnnxSettings {
        model: model("tiny-embedder"),
        ..OnnxSettings::default()
    }
}

fn load(settings: &OnnxSettings) -> OnnxEmbedder {
    OnnxEmbedder::load(settings, &runtime()).unwrap()
}

fn fault(settings: &OnnxSettings) -> OnnxError {
    OnnxEmbedder::load(settings, &runtime()).unwrap_err()
}

#[tokio::test]
async fn every_pooling_keeps_the_contract() {
    for pooling in [
        PoolingSetting::Mean,
        PoolingSetting::Cls,
        PoolingSetting::SentenceEmbedding,
    ] {
        let embedder = load(&OnnxSettings {
            pooling,
            batch_size: 2,
            ..settings()
        });
        assert_eq!(embedder.model().dimension, 16);
        assert!(embedder.model().key.starts_with("onnx-tiny-embedder-16-"));
        assert_embedder_contract(&embedder, Some(&input("", "世界 €"))).await;
        let unknown = embedder.embed_query("世界").await.unwrap();
        assert_eq!(unknown, [0.0; 16], "{pooling:?}");
    }
}

#[tokio::test]
async fn mean_pooling_equals_the_models_own_and_ignores_padding() {
    let ours = load(&settings());
    let models = load(&OnnxSettings {
        pooling: PoolingSetting::SentenceEmbedding,
        max_batch_tokens: 1,
        ..settings()
    });
    let padded = ours.embed_documents(&documents()).await.unwrap();
    let alone = models.embed_documents(&documents()).await.unwrap();
    for (padded, alone) in padded.iter().zip(&alone) {
        let (padded, alone) = (padded.as_ref().unwrap(), alone.as_ref().unwrap());
        let largest = padded
            .iter()
            .zip(alone)
            .map(|(x, y)| (x - y).abs())
            .fold(0.0, f32::max);
        assert!(largest < 1e-5, "{largest}");
    }
}

#[tokio::test]
async fn the_limit_counts_tokens_and_the_tokenizers_own_is_overridden() {
    let long = "open the cache ".repeat(100);
    let cut = load(&OnnxSettings {
        max_tokens: 8,
        ..settings()
    });
    let short = cut
        .embed_query("open the cache open the cache")
        .await
        .unwrap();
    assert_eq!(cut.embed_query(&long).await.unwrap(), short);
    let whole = load(&settings())
        .embed_query("open the cache server user")
        .await
        .unwrap();
    let six_tokens = load(&settings())
        .embed_query("open the cache server")
        .await
        .unwrap();
    assert!(
        cosine(&whole, &six_tokens) < 0.9999,
        "the file asks for 6 tokens"
    );
}

#[tokio::test]
async fn prefixes_change_vectors_and_key() {
    let plain = load(&settings());
    let prefixed = load(&OnnxSettings {
        query_prefix: "open ".to_owned(),
        document_prefix: "server ".to_owned(),
        ..settings()
    });
    assert_ne!(plain.model().key, prefixed.model().key);
    let query = prefixed.embed_query("file").await.unwrap();
    assert_eq!(query, plain.embed_query("open file").await.unwrap());
    let document = prefixed
        .embed_documents(&[input("", "file")])
        .await
        .unwrap()
        .remove(0);
    assert_eq!(
        document.unwrap(),
        plain.embed_query("server file").await.unwrap()
    );
}

#[tokio::test]
async fn copies_of_the_model_serve_many_callers_even_if_some_leave() {
    let runtime = OnnxRuntimeSettings {
        sessions: 2,
        ..runtime()
    };
    let embedder = OnnxEmbedder::load(&settings(), &runtime).unwrap();
    let expected = embedder.embed_documents(&documents()).await.unwrap();
    let callers: Vec<_> = (0..16)
        .map(|at| {
            let embedder = embedder.clone();
            let call = tokio::spawn(async move { embedder.embed_documents(&documents()).await });
            if at % 4 == 0 {
                call.abort();
            }
            call
        })
        .collect();
    for (at, caller) in callers.into_iter().enumerate() {
        match caller.await {
            Ok(outcomes) => assert_eq!(outcomes.unwrap(), expected),
            Err(error) => assert!(error.is_cancelled() && at % 4 == 0, "{error}"),
        }
    }
}

#[test]
fn what_cannot_be_loaded_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let rubbish = directory.path().join("model.onnx");
    std::fs::write(&rubbish, b"<html>not found</html>").unwrap();
    let tokenizer = model("tiny-embedder").join("tokenizer.json");
    let with = |change: fn(&mut OnnxSettings)| {
        let mut settings = settings();
        change(&mut settings);
        settings
    };
    let cases = [
        (
            with(|s| s.model = "/nowhere/model.onnx".into()),
            "cannot read the model file",
        ),
        (
            with(|s| s.tokenizer = Some("/nowhere".into())),
            "cannot read the model file `/nowhere`",
        ),
        (
            with(|s| s.tokenizer = Some(model("make_tiny_models.py"))),
            "is not a usable tokenizer",
        ),
        (
            with(|s| s.output = Some("pooled".to_owned())),
            "has no output `pooled` but",
        ),
        (
            with(|s| s.output = Some("sentence_embedding".to_owned())),
            "a result of shape [1, 16]",
        ),
        (
            with(|s| s.max_tokens = 2),
            "the setting `max_tokens` must be at least 8",
        ),
        (
            with(|s| s.model = model("tiny-cross-encoder")),
            "has no output `last_hidden_state`",
        ),
        (
            OnnxSettings {
                model: rubbish,
                tokenizer: Some(tokenizer),
                ..settings()
            },
            "is not a model that ONNX Runtime can run",
        ),
    ];
    for (settings, expected) in cases {
        let error = fault(&settings);
        assert!(error.to_string().contains(expected), "{expected}: {error}");
    }
}

#[test]
fn a_missing_or_other_library_is_named() {
    OnnxEmbedder::load(&settings(), &runtime()).unwrap();
    for (library, code) in [
        (PathBuf::new(), "invalid_settings"),
        (
            PathBuf::from("/nowhere/libonnxruntime.so"),
            "onnx_library_missing",
        ),
        (model("make_tiny_models.py"), "onnx_library_unusable"),
    ] {
        let runtime = OnnxRuntimeSettings {
            library,
            ..runtime()
        };
        let error = OnnxEmbedder::load(&settings(), &runtime).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
}

/// The library of the tests computes on the CPU only.
#[tokio::test]
async fn cuda_that_is_not_there_is_an_error_unless_the_cpu_may_take_over() {
    let cuda = OnnxRuntimeSettings {
        device: ExecutionDevice::Cuda,
        ..runtime()
    };
    let error = OnnxEmbedder::load(&settings(), &cuda).unwrap_err();
    assert_eq!(error.code(), "cuda_unavailable", "{error}");
    let fallback = OnnxRuntimeSettings {
        allow_cpu_fallback: true,
        ..cuda
    };
    let embedder = OnnxEmbedder::load(&settings(), &fallback).unwrap();
    assert!(embedder.embed_query("open file").await.is_ok());
}

#[tokio::test]
async fn the_cross_encoder_scores_pairs_in_order() {
    let settings = OnnxRerankerSettings {
        model: model("tiny-cross-encoder"),
        batch_size: 3,
        ..OnnxRerankerSettings::default()
    };
    let reranker = OnnxReranker::load(&settings, &runtime()).unwrap();
    assert_eq!(reranker.name(), "tiny-cross-encoder");
    let documents: Vec<String> = [
        "worker install",
        "open the cache",
        "",
        "login user and test the entry in main",
        "cache",
        &"worker ".repeat(500),
        "世界",
    ]
    .map(str::to_owned)
    .into();
    let scores = reranker.rerank("open cache", &documents).await.unwrap();
    assert_eq!(scores.len(), documents.len());
    assert!(
        scores.iter().all(|score| (0.0..=1.0).contains(score)),
        "{scores:?}"
    );
    assert!(
        scores[1] > scores[0] && scores[1] > scores[3] && scores[4] > scores[0],
        "{scores:?}"
    );
    for (document, score) in documents.iter().zip(&scores) {
        let alone = reranker
            .rerank("open cache", std::slice::from_ref(document))
            .await
            .unwrap();
        assert!(
            (alone[0] - score).abs() < 1e-5,
            "{document}: {alone:?} {score}"
        );
    }
    assert_eq!(
        reranker.rerank("open", &[]).await.unwrap(),
        Vec::<f32>::new()
    );

    let raw = OnnxRerankerSettings {
        activation: ActivationSetting::None,
        ..settings
    };
    let raw = OnnxReranker::load(&raw, &runtime()).unwrap();
    let logit = raw.rerank("open cache", &documents[1..2]).await.unwrap()[0];
    assert!((1.0 / (1.0 + (-logit).exp()) - scores[1]).abs() < 1e-6);
}

#[test]
fn a_model_without_scores_is_no_cross_encoder() {
    let settings = OnnxRerankerSettings {
        model: model("tiny-cross-encoder").join("tokenizer.json"),
        ..OnnxRerankerSettings::default()
    };
    let error = OnnxReranker::load(&settings, &runtime()).unwrap_err();
    assert_eq!(error.code(), "model_unusable", "{error}");
}
