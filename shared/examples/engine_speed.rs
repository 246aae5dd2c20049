//! Speed of the analyzer and of the embedded engines, on real source files.
//!
//! `cargo run --release -p quarry-shared --example engine_speed -- GIT_DIRECTORY`
//! takes the files of HEAD of a local Git directory, cuts them into windows of about 1,500 bytes
//! and prints what each step costs, on the clock and in time of all processors. A number as second
//! argument takes the windows that many times.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::{
    env,
    hint::black_box,
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use quarry_shared::{
    adapters::{embedded_vector::EmbeddedVectorIndex, tantivy::TantivyLexicalIndex},
    analysis::{TermVector, TermVectorRef, analyze, analyze_path, analyze_query, for_each_token},
    domain::{FileClass, SnapshotId},
    ports::{
        DocumentKey, EmbeddingModel, LexicalDocument, LexicalFields, LexicalIndex, LexicalQuery,
        VectorIndex, VectorPoint,
    },
    testing::Tenant,
};

const CHUNK_BYTES: usize = 1_500;
const BATCH_CHUNKS: usize = 500;
const VECTORS: usize = 125_000;
const DIMENSION: usize = 256;

#[tokio::main]
async fn main() {
    let repository = env::args().nth(1).expect("a Git directory");
    let copies = env::args()
        .nth(2)
        .map_or(1, |copies| copies.parse().expect("a number"));
    let chunks = read_chunks(&repository);
    let bytes: usize = chunks.iter().map(|(_, text)| text.len()).sum();
    let megabytes = bytes as f64 / 1e6;
    println!("{} chunks, {megabytes:.1} MB", chunks.len());
    analyzer(&chunks, megabytes);
    words(&chunks, megabytes, copies).await;
    vectors().await;
}

fn read_chunks(repository: &str) -> Vec<(String, String)> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args(["-C", repository])
            .args(arguments)
            .output()
            .unwrap();
        output.stdout
    };
    let listing = String::from_utf8(git(&["ls-tree", "-r", "--name-only", "HEAD"])).unwrap();
    let mut chunks = Vec::new();
    for path in listing.lines() {
        let Ok(text) = String::from_utf8(git(&["cat-file", "blob", &format!("HEAD:{path}")]))
        else {
            continue;
        };
        let mut chunk = String::new();
        for line in text.split_inclusive('\n') {
            chunk.push_str(line);
            if chunk.len() >= CHUNK_BYTES {
                chunks.push((path.to_owned(), std::mem::take(&mut chunk)));
            }
        }
        if !chunk.is_empty() {
            chunks.push((path.to_owned(), chunk));
        }
    }
    chunks
}

fn analyzer(chunks: &[(String, String)], megabytes: f64) {
    for _ in 0..2 {
        let start = Clock::start();
        let mut tokens = 0_usize;
        for (_, text) in chunks {
            for_each_token(text, |surface, stem| {
                tokens += 1;
                black_box((surface, stem));
            });
        }
        rate("analyze, visitor", megabytes, &start);
        println!("  {tokens} words");
    }
    let start = Clock::start();
    let fields: Vec<LexicalFields> = chunks.iter().map(fields).collect();
    rate("analyze, owned tokens", megabytes, &start);
    let start = Clock::start();
    let encoded: Vec<Vec<u8>> = fields
        .iter()
        .map(|fields| TermVector::build(fields).encode())
        .collect();
    rate("term vectors", megabytes, &start);
    let size: usize = encoded.iter().map(Vec::len).sum();
    println!("  {} bytes a chunk", size / encoded.len().max(1));
    let start = Instant::now();
    let entries: usize = encoded
        .iter()
        .map(|bytes| TermVectorRef::parse(bytes).unwrap().entries().count())
        .sum();
    println!(
        "read term vectors: {:.2} us a chunk ({entries} entries)",
        start.elapsed().as_secs_f64() * 1e6 / encoded.len().max(1) as f64
    );
}

fn fields((path, text): &(String, String)) -> LexicalFields {
    LexicalFields {
        path: analyze_path(path),
        body: analyze(text),
        ..LexicalFields::default()
    }
}

async fn words(chunks: &[(String, String)], megabytes: f64, copies: usize) {
    let directory = tempfile::tempdir().unwrap();
    let index = TantivyLexicalIndex::open(directory.path()).unwrap().index;
    let tenants = [Tenant::new(), Tenant::new()];
    let documents = |tenant: &Tenant, chunks: &[(String, String)]| -> Vec<LexicalDocument> {
        chunks
            .iter()
            .map(|chunk| LexicalDocument {
                key: tenant.key(),
                fields: fields(chunk),
            })
            .collect()
    };
    let mut spent = Clock::default();
    for _ in 0..copies {
        for chunks in chunks.chunks(BATCH_CHUNKS) {
            let batch = documents(&tenants[0], chunks);
            let clock = Clock::start();
            index.upsert(batch).await.unwrap();
            spent.add(&clock);
        }
    }
    spent.print("index, batches one by one", megabytes * copies as f64);
    let batches: Vec<_> = chunks
        .chunks(BATCH_CHUNKS)
        .map(|chunks| documents(&tenants[1], chunks))
        .collect();
    let clock = Clock::start();
    let running: Vec<_> = batches
        .into_iter()
        .map(|batch| {
            let index = index.clone();
            tokio::spawn(async move { index.upsert(batch).await.unwrap() })
        })
        .collect();
    for batch in running {
        batch.await.unwrap();
    }
    rate("index, batches at once", megabytes, &clock);
    let key = tenants[0].key();
    let one = LexicalDocument {
        key: key.clone(),
        fields: fields(&chunks[0]),
    };
    let start = Instant::now();
    index.upsert(vec![one]).await.unwrap();
    println!("one document: {:.1} ms", milliseconds(start.elapsed()));
    let start = Instant::now();
    index.set_died(&[key.id], SnapshotId(5)).await.unwrap();
    println!("one death: {:.1} ms", milliseconds(start.elapsed()));
    let all = chunks.len() as u64;
    assert_eq!(index.count(&tenants[1].filter()).await.unwrap(), all);
    let long: String = chunks[chunks.len() / 2].1.chars().take(1_200).collect();
    for (name, question) in [
        ("two words", "channel buffer"),
        (
            "question",
            "how does the scheduler cancel a running coroutine job with timeout",
        ),
        ("sixty words", long.as_str()),
    ] {
        let query = LexicalQuery {
            terms: analyze_query(question).into_iter().take(60).collect(),
            limit: 300,
        };
        let mut times = Vec::new();
        for _ in 0..30 {
            let start = Instant::now();
            black_box(index.recall(&query, &tenants[0].filter()).await.unwrap());
            times.push(start.elapsed());
        }
        println!(
            "recall, {name} ({} terms): {}",
            query.terms.len(),
            spread(times)
        );
    }
}

async fn vectors() {
    let index = Arc::new(EmbeddedVectorIndex::new());
    let model = EmbeddingModel {
        key: "speed".to_owned(),
        dimension: DIMENSION,
    };
    let tenant = Tenant::new();
    let mut state = 1_u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32 - 0.5
    };
    let points: Vec<VectorPoint> = (0..VECTORS)
        .map(|row| VectorPoint {
            key: DocumentKey {
                class: if row % 4 == 0 {
                    FileClass::Test
                } else {
                    FileClass::Source
                },
                ..tenant.key()
            },
            vector: (0..DIMENSION).map(|_| random()).collect(),
        })
        .collect();
    let query: Vec<f32> = (0..DIMENSION).map(|_| random()).collect();
    let start = Instant::now();
    index.load(&model, points).unwrap();
    println!(
        "load {VECTORS} vectors: {:.0} ms, {:.0} MB",
        milliseconds(start.elapsed()),
        index.memory_bytes() as f64 / 1e6
    );
    let mut few = tenant.filter();
    few.tests = quarry_shared::domain::TestFilter::Only;
    for (name, filter) in [
        ("all", tenant.filter()),
        ("a quarter", few),
        ("none", Tenant::new().filter()),
    ] {
        let mut times = Vec::new();
        for _ in 0..50 {
            let start = Instant::now();
            black_box(index.search(&model, &query, 100, &filter).await.unwrap());
            times.push(start.elapsed());
        }
        println!("search 100 of {VECTORS}, {name} visible: {}", spread(times));
    }
}

fn rate(name: &str, megabytes: f64, clock: &Clock) {
    let mut spent = Clock::default();
    spent.add(clock);
    spent.print(name, megabytes);
}

/// A start on the clock and in processor time, or what was spent since.
#[derive(Default)]
struct Clock {
    start: Option<Instant>,
    time: Duration,
    processor: Duration,
}

impl Clock {
    fn start() -> Self {
        Self {
            start: Some(Instant::now()),
            time: Duration::ZERO,
            processor: processor_time(),
        }
    }

    fn add(&mut self, started: &Self) {
        self.time += started
            .start
            .map_or(Duration::ZERO, |start| start.elapsed());
        self.processor += processor_time() - started.processor;
    }

    fn print(&self, name: &str, megabytes: f64) {
        println!(
            "{name}: {:.1} MB/s ({:.0} ms), {:.1} MB/s of processor time",
            megabytes / self.time.as_secs_f64(),
            milliseconds(self.time),
            megabytes / self.processor.as_secs_f64().max(1e-3)
        );
    }
}

/// Processor time of this process so far (Linux; zero elsewhere), in steps of 10 ms.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks: u64 = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 10)
}

fn spread(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    format!(
        "p50 {:.2} ms, p95 {:.2} ms",
        milliseconds(times[times.len() / 2]),
        milliseconds(times[times.len() * 95 / 100])
    )
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
