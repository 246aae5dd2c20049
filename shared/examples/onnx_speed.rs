//! How fast an ONNX embedding model is on real files.
//!
//! usage: `onnx_speed LIBRARY MODEL DIRECTORY CHUNKS [BATCH_SIZE] [cpu|cuda]`

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use quarry_shared::adapters::onnx::OnnxEmbedder;
use quarry_shared::config::{ExecutionDevice, OnnxRuntimeSettings, OnnxSettings};
use quarry_shared::ports::{Embedder, EmbeddingInput};

/// Chunks of a call, as an indexing batch would send them.
const CALL: usize = 256;
const LINES_OF_A_CHUNK: usize = 10;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [library, model, directory, count, rest @ ..] = arguments.as_slice() else {
        anyhow::bail!("usage: onnx_speed LIBRARY MODEL DIRECTORY CHUNKS [BATCH_SIZE] [cpu|cuda]");
    };
    let device = match rest.get(1).map(String::as_str) {
        Some("cuda") => ExecutionDevice::Cuda,
        _ => ExecutionDevice::Cpu,
    };
    let runtime = OnnxRuntimeSettings {
        library: library.into(),
        device,
        ..OnnxRuntimeSettings::default()
    };
    let defaults = OnnxSettings::default();
    let batch_size = match rest.first() {
        Some(size) => size.parse()?,
        None => defaults.batch_size,
    };
    let settings = OnnxSettings {
        model: model.into(),
        batch_size,
        max_batch_tokens: batch_size * defaults.max_tokens,
        ..defaults
    };
    let embedder = OnnxEmbedder::load(&settings, &runtime).context("loading the model")?;
    let chunks = read_chunks(Path::new(directory), count.parse()?)?;
    ensure!(!chunks.is_empty(), "nothing to embed");
    let started = Instant::now();
    let mut failed = 0;
    for call in chunks.chunks(CALL) {
        let outcomes = embedder.embed_documents(call).await?;
        failed += outcomes.iter().filter(|outcome| outcome.is_err()).count();
    }
    #[allow(clippy::cast_precision_loss)] // a rate for people
    let rate = chunks.len() as f64 / started.elapsed().as_secs_f64();
    println!(
        "{}: {} chunks, {failed} failed, batches of {batch_size}: {rate:.0} chunks/s",
        embedder.model().key,
        chunks.len(),
    );
    Ok(())
}

fn read_chunks(root: &Path, count: usize) -> Result<Vec<EmbeddingInput>> {
    let mut chunks = Vec::new();
    let mut pending: Vec<PathBuf> = vec![root.to_owned()];
    while let Some(path) = pending.pop().filter(|_| chunks.len() < count) {
        if path.is_dir() {
            for entry in std::fs::read_dir(&path)? {
                pending.push(entry?.path());
            }
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            let lines: Vec<&str> = text.lines().collect();
            chunks.extend(lines.chunks(LINES_OF_A_CHUNK).map(|lines| {
                EmbeddingInput {
                    header: path
                        .strip_prefix(root)
                        .unwrap_or(&path)
                        .display()
                        .to_string(),
                    body: lines.join("\n"),
                }
            }));
        }
    }
    chunks.truncate(count);
    Ok(chunks)
}
