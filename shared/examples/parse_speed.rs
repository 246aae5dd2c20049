//! Measures policy and parsing on one thread: `parse_speed GIT_DIRECTORY [REVISION]`.
//!
//! Prints files, megabytes a second, chunks and symbols by language, and what was skipped.

use std::{
    collections::BTreeMap,
    error::Error,
    time::{Duration, Instant},
};

use git2::{ObjectType, Repository, TreeWalkMode, TreeWalkResult};
use quarry_shared::{
    domain::RepositoryPath,
    languages::{ParseInput, ParseLimits, detect, parse},
    policy::{PolicyLimits, decide_by_content, decide_by_path},
    ports::EntryMode,
};

#[derive(Default)]
struct Row {
    files: usize,
    bytes: usize,
    chunks: usize,
    symbols: usize,
    degraded: usize,
    time: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments
        .next()
        .ok_or("usage: parse_speed GIT_DIRECTORY [REVISION]")?;
    let revision = arguments.next().unwrap_or_else(|| "HEAD".to_owned());
    let repository = Repository::open_bare(directory)?;
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let mut skipped: BTreeMap<&str, usize> = BTreeMap::new();
    let mut policy_time = Duration::ZERO;
    for (path, bytes) in files(&repository, &revision)? {
        let start = Instant::now();
        let limits = PolicyLimits::default();
        let size = bytes.len() as u64;
        let decision = match decide_by_path(&path, EntryMode::File, size, &limits) {
            Some(skip) => Err(skip),
            None => decide_by_content(&path, &bytes, &limits),
        };
        policy_time += start.elapsed();
        let decoded = match decision {
            Ok(decoded) => decoded,
            Err(skip) => {
                *skipped.entry(skip.reason.as_str()).or_default() += 1;
                continue;
            }
        };
        let start = Instant::now();
        let language = detect(&path, &decoded.text);
        let input = ParseInput {
            path: &path,
            text: &decoded.text,
            language,
        };
        let parsed = parse(&input, &ParseLimits::default());
        let row = rows.entry(parsed.language).or_default();
        row.time += start.elapsed();
        row.files += 1;
        row.bytes += decoded.text.len();
        row.chunks += parsed.chunks.len();
        row.symbols += parsed.symbols.len();
        row.degraded += usize::from(parsed.degraded.is_some());
    }
    let mut total = Row::default();
    for (language, row) in &rows {
        print(language, row);
        total.files += row.files;
        total.bytes += row.bytes;
        total.chunks += row.chunks;
        total.symbols += row.symbols;
        total.degraded += row.degraded;
        total.time += row.time;
    }
    print("total", &total);
    println!(
        "policy {:.2} s, skipped {skipped:?}",
        policy_time.as_secs_f64()
    );
    Ok(())
}

fn print(name: &str, row: &Row) {
    let megabytes = row.bytes as f64 / 1e6;
    println!(
        "{name:<18}{:>7} files {megabytes:>8.2} MB {:>8.1} MB/s {:>7} chunks {:>7} symbols {:>4} degraded",
        row.files,
        megabytes / row.time.as_secs_f64(),
        row.chunks,
        row.symbols,
        row.degraded,
    );
}

/// Every file of a commit with its bytes, read before anything is measured.
fn files(
    repository: &Repository,
    revision: &str,
) -> Result<Vec<(RepositoryPath, Vec<u8>)>, git2::Error> {
    let tree = repository.revparse_single(revision)?.peel_to_tree()?;
    let mut files = Vec::new();
    tree.walk(TreeWalkMode::PreOrder, |folder, entry| {
        if entry.kind() == Some(ObjectType::Blob)
            && let Ok(blob) = repository.find_blob(entry.id())
        {
            let mut path = folder.as_bytes().to_vec();
            path.extend_from_slice(entry.name_bytes());
            files.push((RepositoryPath::from_bytes(&path), blob.content().to_vec()));
        }
        TreeWalkResult::Ok
    })?;
    Ok(files)
}
