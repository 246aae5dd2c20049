//! The static models: equality with the specification, and rubbish files.

use std::path::Path;

use quarry_shared::adapters::static_embedder::{
    StaticEmbedder, StaticModelError, SubwordTokenizer,
};
use quarry_shared::domain::Kinded;
use quarry_shared::ports::Embedder;
use safetensors::tensor::{Dtype, TensorView};
use serde::Deserialize;
use tokenizers::Tokenizer;

use super::embedder_contract::{assert_embedder_contract, input};

const MODEL_DIRECTORY: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/models/quarry-code-static-256-v1"
);

#[derive(Deserialize)]
struct GoldenVector {
    header: String,
    body: String,
    vector: Vec<f32>,
}

/// The golden vectors were computed by the model's reference encoder, an independent program that
/// was published with the model: texts in, float components out, rounded to seven decimals.
#[tokio::test]
async fn vectors_equal_those_of_the_reference_encoder() {
    let golden: Vec<GoldenVector> =
        serde_json::from_str(include_str!("../data/static_golden_vectors.json")).unwrap();
    let embedder = StaticEmbedder::bundled().unwrap();
    assert_eq!(embedder.model().key, "quarry-code-static-256-v1");
    assert_eq!(embedder.model().dimension, 256);
    for golden in golden {
        let vector = if golden.header.is_empty() {
            embedder.embed_query(&golden.body).await.unwrap()
        } else {
            embedder
                .embed_batch(&[input(&golden.header, &golden.body)])
                .remove(0)
                .unwrap()
        };
        let largest = vector
            .iter()
            .zip(&golden.vector)
            .map(|(x, y)| (x - y).abs());
        let largest = largest.fold(0.0, f32::max);
        assert!(
            largest < 2e-6,
            "{largest} for {} {}",
            golden.header,
            golden.body
        );
    }
}

#[tokio::test]
async fn a_query_without_known_words_is_all_zeros() {
    let embedder = StaticEmbedder::bundled().unwrap();
    for query in ["", "?!", "\u{1f600}", &"q".repeat(41)] {
        assert_eq!(
            embedder.embed_query(query).await.unwrap(),
            vec![0.0; 256],
            "{query}"
        );
    }
}

#[test]
fn the_header_outweighs_the_body() {
    let embedder = StaticEmbedder::bundled().unwrap();
    let vectors = embedder.embed_batch(&[
        input("database migration", "parse the json response"),
        input("", "database migration"),
        input("", "parse the json response"),
    ]);
    let [both, header, body] = [0, 1, 2].map(|at| vectors[at].clone().unwrap());
    let cosine = super::embedder_contract::cosine;
    assert!(cosine(&both, &header) > cosine(&both, &body));
}

#[test]
fn tokens_equal_those_of_the_generic_tokenizer() {
    let json = std::fs::read(format!("{MODEL_DIRECTORY}/tokenizer.json")).unwrap();
    let generic = Tokenizer::from_bytes(&json).unwrap();
    let native = SubwordTokenizer::from_tokenizer_json("tokenizer.json", &json).unwrap();
    let texts = real_texts();
    assert!(texts.iter().map(String::len).sum::<usize>() > 100_000);
    let (mut word, mut ids) = (String::new(), Vec::new());
    for text in texts {
        let encoding = generic.encode_fast(text.as_str(), false).unwrap();
        let expected: Vec<u32> = encoding
            .get_ids()
            .iter()
            .copied()
            .filter(|id| *id > 1)
            .collect();
        native.tokenize(&text, usize::MAX, &mut word, &mut ids);
        assert_eq!(ids, expected, "in {text}");
        native.tokenize(&text, 7, &mut word, &mut ids);
        assert_eq!(ids, expected[..expected.len().min(7)]);
    }
}

/// The crate's own sources and documents in pieces of 40 lines, then scripts and edge cases.
fn real_texts() -> Vec<String> {
    let mut texts = Vec::new();
    let mut directories = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut files = vec![
        Path::new(MODEL_DIRECTORY).join("MODEL_CARD.md"),
        Path::new(MODEL_DIRECTORY).join("TRAINING_DATA.tsv"),
        Path::new(MODEL_DIRECTORY).join("config.json"),
    ];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path)
            } else {
                files.push(path)
            }
        }
    }
    for file in files {
        let text = std::fs::read_to_string(file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        texts.extend(lines.chunks(40).map(|lines| lines.join("\n")));
    }
    let cases = [
        "getUserByID HTTPServer2 utf8 2fa x86_64 snake_case kebab-case SCREAMING_CASE iOSApp",
        "ÄÖÜ straße naïve İstanbul ΣΊΣΥΦΟΣ ﬁle №5 x² ½ ǅ",
        "мир 日本語 한국어 עברית العربية ไทย हिन्दी தமிழ் e\u{301}",
        "\u{1f469}\u{200d}\u{1f680} \u{0} \u{7f} \u{feff}bom \u{202e}rtl \u{fffd}",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "ZeroWidth\u{200b}Space Ⓐcircle 𝒜math ⅷroman 〇 ªº",
        "",
    ];
    texts.extend(cases.map(str::to_owned));
    texts
}

const WORD_LEVEL_TOKENIZER: &str = r#"{"version":"1.0","truncation":{"direction":"Right","max_length":2,
"strategy":"LongestFirst","stride":0},"padding":null,"added_tokens":[],"normalizer":{"type":"Lowercase"},
"pre_tokenizer":{"type":"Whitespace"},"post_processor":null,"decoder":null,"model":{"type":"WordLevel",
"vocab":{"[UNK]":0,"open":1,"the":2,"file":3},"unk_token":"[UNK]"}}"#;

fn tensor(dtype: Dtype, shape: &[usize], data: &[u8]) -> TensorView<'static> {
    TensorView::new(dtype, shape.to_vec(), data.to_vec().leak()).unwrap()
}

fn f32_bytes(values: &[f32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

fn write_model(directory: &Path, tensors: Vec<(&str, TensorView<'static>)>) {
    let bytes = safetensors::serialize(tensors, None).unwrap();
    std::fs::write(directory.join("model.safetensors"), bytes).unwrap();
    std::fs::write(directory.join("tokenizer.json"), WORD_LEVEL_TOKENIZER).unwrap();
}

/// Rows of `[UNK]`, `open`, `the`, `file`.
const ROWS: [f32; 8] = [9.0, 9.0, 3.0, 0.0, 0.0, 1.0, 0.0, 3.0];

#[tokio::test]
async fn a_model2vec_directory_is_the_mean_of_its_rows() {
    let directory = tempfile::tempdir().unwrap();
    write_model(
        directory.path(),
        vec![("embeddings", tensor(Dtype::F32, &[4, 2], &f32_bytes(&ROWS)))],
    );
    let embedder = StaticEmbedder::from_model2vec_directory(directory.path()).unwrap();
    assert_eq!(embedder.model().dimension, 2);
    // open + the + file = (3, 4); unknown words and the tokenizer's own truncation do not count.
    let vector = embedder
        .embed_query("Open nonsense the file")
        .await
        .unwrap();
    assert_eq!(vector, [0.6, 0.8]);
    let documents = embedder
        .embed_documents(&[input("open", "the file"), input("", "nonsense")])
        .await
        .unwrap();
    assert_eq!(documents[0], Ok(vec![0.6, 0.8]));
    assert!(documents[1].is_err());
    assert_eq!(embedder.embed_query("nonsense").await.unwrap(), [0.0, 0.0]);
}

#[tokio::test]
async fn half_precision_weights_and_shared_rows_are_understood() {
    let directory = tempfile::tempdir().unwrap();
    let halves: Vec<u8> = [0.0, 4.0, 3.0, 0.0]
        .iter()
        .flat_map(|v| half::f16::from_f32(*v).to_le_bytes())
        .collect();
    let mapping: Vec<u8> = [0_i64, 1, 1, 0]
        .iter()
        .flat_map(|row| row.to_le_bytes())
        .collect();
    write_model(
        directory.path(),
        vec![
            ("embeddings", tensor(Dtype::F16, &[2, 2], &halves)),
            (
                "weights",
                tensor(Dtype::F32, &[4], &f32_bytes(&[0.0, 1.0, 0.5, 0.5])),
            ),
            ("mapping", tensor(Dtype::I64, &[4], &mapping)),
        ],
    );
    let embedder = StaticEmbedder::from_model2vec_directory(directory.path()).unwrap();
    // 1·(3,0) + 0.5·(0,4)·2 = (3,4)
    assert_eq!(
        embedder.embed_query("open file file").await.unwrap(),
        [0.6, 0.8]
    );
}

#[tokio::test]
async fn a_full_model2vec_directory_keeps_the_contract() {
    let directory = tempfile::tempdir().unwrap();
    let json = std::fs::read(format!("{MODEL_DIRECTORY}/tokenizer.json")).unwrap();
    let rows: Vec<f32> = (0..41_372 * 4_u32)
        .map(|at| f32::from(at.wrapping_mul(2_654_435_761).to_le_bytes()[3]) - 127.5)
        .collect();
    write_model(
        directory.path(),
        vec![(
            "embeddings",
            tensor(Dtype::F32, &[41_372, 4], &f32_bytes(&rows)),
        )],
    );
    std::fs::write(directory.path().join("tokenizer.json"), json).unwrap();
    let embedder = StaticEmbedder::from_model2vec_directory(directory.path()).unwrap();
    assert_embedder_contract(&embedder, Some(&input("", "{ }"))).await;
}

#[test]
fn another_table_under_the_same_name_is_another_space() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("My Model");
    std::fs::create_dir(&directory).unwrap();
    let mut keys = Vec::new();
    for scale in [1.0, 2.0] {
        let rows = ROWS.map(|value| value * scale);
        write_model(
            &directory,
            vec![("embeddings", tensor(Dtype::F32, &[4, 2], &f32_bytes(&rows)))],
        );
        keys.push(
            StaticEmbedder::from_model2vec_directory(&directory)
                .unwrap()
                .model()
                .key
                .clone(),
        );
    }
    assert!(keys[0].starts_with("model2vec-my-model-"), "{}", keys[0]);
    assert_ne!(keys[0], keys[1]);
}

type Spoil = fn(&Path);

#[test]
fn rubbish_files_are_refused_with_the_fault_named() {
    let cases: [(&str, Spoil, &str); 9] = [
        (
            "no table",
            |d| std::fs::remove_file(d.join("model.safetensors")).unwrap(),
            "cannot read the model file",
        ),
        (
            "no tokenizer",
            |d| std::fs::remove_file(d.join("tokenizer.json")).unwrap(),
            "cannot read the model file",
        ),
        (
            "not safetensors",
            |d| std::fs::write(d.join("model.safetensors"), b"version https://git-lfs").unwrap(),
            "is not a safetensors file",
        ),
        (
            "cut short",
            |d| {
                let bytes = std::fs::read(d.join("model.safetensors")).unwrap();
                std::fs::write(d.join("model.safetensors"), &bytes[..bytes.len() - 3]).unwrap();
            },
            "is not a safetensors file",
        ),
        (
            "another tensor",
            |d| {
                write_model(
                    d,
                    vec![("weight", tensor(Dtype::F32, &[4, 2], &f32_bytes(&ROWS)))],
                )
            },
            "has no tensor `embeddings`",
        ),
        (
            "flat",
            |d| {
                write_model(
                    d,
                    vec![("embeddings", tensor(Dtype::F32, &[8], &f32_bytes(&ROWS)))],
                )
            },
            "has shape [8]",
        ),
        (
            "too few rows",
            |d| {
                write_model(
                    d,
                    vec![("embeddings", tensor(Dtype::F32, &[2, 4], &f32_bytes(&ROWS)))],
                )
            },
            "names token 3 but the table has 2 rows",
        ),
        (
            "not numbers",
            |d| {
                write_model(
                    d,
                    vec![(
                        "embeddings",
                        tensor(Dtype::F32, &[4, 2], &f32_bytes(&[f32::NAN; 8])),
                    )],
                )
            },
            "infinite values or NaN",
        ),
        (
            "not a tokenizer",
            |d| std::fs::write(d.join("tokenizer.json"), b"<html>").unwrap(),
            "is not a usable tokenizer",
        ),
    ];
    for (name, spoil, expected) in cases {
        let directory = tempfile::tempdir().unwrap();
        write_model(
            directory.path(),
            vec![("embeddings", tensor(Dtype::F32, &[4, 2], &f32_bytes(&ROWS)))],
        );
        spoil(directory.path());
        let error = StaticEmbedder::from_model2vec_directory(directory.path()).unwrap_err();
        assert!(error.to_string().contains(expected), "{name}: {error}");
        assert!(
            ["model_unreadable", "model_unusable"].contains(&error.code()),
            "{name}"
        );
    }
}

#[test]
fn a_tokenizer_of_another_kind_is_not_read_as_wordpiece() {
    let error = SubwordTokenizer::from_tokenizer_json("tokenizer.json", br#"{"model":{"type":"BPE","continuing_subword_prefix":"","max_input_chars_per_word":1,"vocab":{}}}"#).unwrap_err();
    assert!(
        matches!(error, StaticModelError::TokenizerUnusable { .. }),
        "{error}"
    );
}
