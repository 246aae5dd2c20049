//! How fast the bundled embedder is on real files, and whether it agrees with another encoder.
//!
//! usage: `embed_speed DIRECTORY THREADS [--write-chunks FILE] [--compare FILE]`
//!
//! `--write-chunks` writes the chunks as NUL-separated text whose first line is the header, which
//! the model's reference encoder reads; `--compare` reads its vectors (little-endian f32, one row a
//! chunk) and prints the largest difference.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use quarry_shared::adapters::static_embedder::StaticEmbedder;
use quarry_shared::ports::EmbeddingInput;

const LINES_OF_A_CHUNK: usize = 10;
/// Differences of the order of summation stay below this.
const ROUNDING: f32 = 1e-5;
const LARGEST_FILE: u64 = 1 << 20;
/// The best of these counts, as another process may have had the cores.
const ROUNDS: usize = 5;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().context("DIRECTORY is missing")?;
    let threads: usize = arguments.next().context("THREADS is missing")?.parse()?;
    let chunks = read_chunks(Path::new(&directory))?;
    ensure!(!chunks.is_empty() && threads > 0, "nothing to embed");
    let embedder = StaticEmbedder::bundled()?;

    let mut vectors = Vec::new();
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        vectors = embed(&embedder, &chunks, threads)?;
        best = best.min(started.elapsed());
    }
    let bytes: usize = chunks
        .iter()
        .map(|chunk| chunk.header.len() + chunk.body.len())
        .sum();
    #[allow(clippy::cast_precision_loss)] // a rate for people
    let rate = chunks.len() as f64 / best.as_secs_f64();
    println!(
        "{} chunks of {} bytes on average, {threads} threads: {rate:.0} chunks/s",
        chunks.len(),
        bytes / chunks.len(),
    );

    while let Some(option) = arguments.next() {
        let file = arguments.next().context("a file name is missing")?;
        match option.as_str() {
            "--write-chunks" => write_chunks(Path::new(&file), &chunks)?,
            "--compare" => compare(Path::new(&file), &chunks, &vectors)?,
            other => anyhow::bail!("unknown option {other}"),
        }
    }
    Ok(())
}

fn embed(
    embedder: &StaticEmbedder,
    chunks: &[EmbeddingInput],
    threads: usize,
) -> Result<Vec<Option<Vec<f32>>>> {
    std::thread::scope(|scope| {
        let parts: Vec<_> = chunks
            .chunks(chunks.len().div_ceil(threads))
            .map(|part| scope.spawn(move || embedder.embed_batch(part)))
            .collect();
        let mut vectors = Vec::with_capacity(chunks.len());
        for part in parts {
            let outcomes = part
                .join()
                .map_err(|_| anyhow::anyhow!("a thread panicked"))?;
            vectors.extend(outcomes.into_iter().map(Result::ok));
        }
        Ok(vectors)
    })
}

fn read_chunks(root: &Path) -> Result<Vec<EmbeddingInput>> {
    let mut chunks = Vec::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(&directory)
            .with_context(|| format!("reading {}", directory.display()))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        entries.sort();
        for path in entries {
            let Ok(metadata) = path.symlink_metadata() else {
                continue;
            };
            if metadata.is_dir() {
                directories.push(path);
            } else if metadata.is_file() && metadata.len() <= LARGEST_FILE {
                let Ok(text) = std::fs::read_to_string(&path) else {
                    continue;
                };
                let header = path.strip_prefix(root)?.display().to_string();
                chunks.extend(cut(&header, &text));
            }
        }
    }
    Ok(chunks)
}

fn cut(header: &str, text: &str) -> Vec<EmbeddingInput> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains('\0')).collect();
    let windows = lines.chunks(LINES_OF_A_CHUNK);
    windows
        .map(|lines| EmbeddingInput {
            header: header.replace(['\n', '\0'], " "),
            body: lines.join("\n"),
        })
        .collect()
}

fn write_chunks(file: &Path, chunks: &[EmbeddingInput]) -> Result<()> {
    let texts: Vec<String> = chunks
        .iter()
        .map(|chunk| format!("{}\n{}", chunk.header, chunk.body))
        .collect();
    Ok(std::fs::write(file, texts.join("\0"))?)
}

/// Prints the largest difference, and where components differ by more than rounding.
fn compare(file: &Path, chunks: &[EmbeddingInput], vectors: &[Option<Vec<f32>>]) -> Result<()> {
    let bytes = std::fs::read(file)?;
    let (floats, _) = bytes.as_chunks::<4>();
    let expected: Vec<f32> = floats
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
        .collect();
    let dimension = expected.len() / vectors.len();
    let zeros = vec![0.0; dimension];
    let (mut largest, mut largest_of_equal) = (0.0_f32, 0.0_f32);
    let mut different = 0;
    let rows = vectors.iter().zip(expected.chunks(dimension));
    for (chunk, (vector, expected)) in chunks.iter().zip(rows) {
        let vector = vector.as_ref().unwrap_or(&zeros);
        ensure!(vector.len() == dimension, "the file has another dimension");
        let differences = vector.iter().zip(expected).map(|(x, y)| (x - y).abs());
        let difference = differences.fold(0.0, f32::max);
        largest = largest.max(difference);
        if difference > ROUNDING {
            different += 1;
            println!("{difference:e} in {}: {:?}", chunk.header, chunk.body);
        } else {
            largest_of_equal = largest_of_equal.max(difference);
        }
    }
    println!(
        "{different} of {} chunks differ, by {largest:e} at most; the others by {largest_of_equal:e}",
        chunks.len()
    );
    Ok(())
}
