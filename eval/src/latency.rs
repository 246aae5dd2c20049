//! The command `latency`: the time of single searches in this process, without HTTP.

use std::{collections::BTreeMap, fmt, time::Instant};

use anyhow::{Context, bail};
use quarry_shared::retrieval::SearchQuery;

use crate::{
    arguments::{Condition, LatencyArguments},
    corpora,
    dataset::Dataset,
    instance::IndexStatistics,
    metrics::percentile,
    retrieval::Workshop,
};

/// What was measured.
#[derive(Debug, Clone)]
pub struct Latency {
    pub name: String,
    pub index: IndexStatistics,
    pub queries: usize,
    /// Nothing was in any cache yet.
    pub first_milliseconds: f64,
    pub p50_milliseconds: f64,
    pub p95_milliseconds: f64,
    pub max_milliseconds: f64,
    /// Median of each channel, which run at once, and of what follows them.
    pub parts_p50_milliseconds: Vec<(&'static str, f64)>,
}

/// Runs the command.
///
/// # Errors
/// When the repository is unknown or cannot be indexed, or a search fails.
pub async fn run(arguments: &LatencyArguments) -> anyhow::Result<Latency> {
    if arguments.condition == Condition::Issues {
        bail!("the time is measured with the questions of `root` and `whole`");
    }
    let dataset = Dataset::load(&arguments.place.data)?;
    let repository = dataset
        .localization
        .iter()
        .find(|repository| repository.name == arguments.only)
        .with_context(|| format!("no repository is called `{}`", arguments.only))?;
    let corpus = corpora::of_repository(repository, arguments.condition);
    let instance = Workshop::new(&arguments.place)?.open(&corpus).await?;

    // Questions of other repositories find nothing special here, which is what people ask, too.
    let texts = dataset
        .localization
        .iter()
        .flat_map(|repository| &repository.questions)
        .map(|question| question.text.clone());
    let mut times = Vec::with_capacity(arguments.queries);
    let mut parts: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
    for text in texts.cycle().take(arguments.queries) {
        let query = SearchQuery {
            text,
            ..SearchQuery::default()
        };
        let start = Instant::now();
        let outcome = instance.retrieval.search(&instance.scope, &query).await?;
        let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
        times.push(milliseconds);
        let mut slowest: f64 = 0.0;
        for channel in &outcome.channels {
            slowest = slowest.max(channel.milliseconds);
            let values = parts.entry(channel.name.as_str()).or_default();
            values.push(channel.milliseconds);
        }
        parts
            .entry("rest")
            .or_default()
            .push(milliseconds - slowest);
    }
    let at = |share| percentile(&times, share).context("no question was asked");
    Ok(Latency {
        name: corpus.name,
        index: instance.statistics,
        queries: times.len(),
        first_milliseconds: *times.first().context("no question was asked")?,
        p50_milliseconds: at(0.5)?,
        p95_milliseconds: at(0.95)?,
        max_milliseconds: at(1.0)?,
        parts_p50_milliseconds: parts
            .into_iter()
            .filter_map(|(name, values)| Some((name, percentile(&values, 0.5)?)))
            .collect(),
    })
}

impl fmt::Display for Latency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}: {} chunks of {} files; {} queries: first {:.1} ms, p50 {:.1} ms, p95 {:.1} ms, max {:.1} ms",
            self.name,
            self.index.chunks,
            self.index.files_indexed,
            self.queries,
            self.first_milliseconds,
            self.p50_milliseconds,
            self.p95_milliseconds,
            self.max_milliseconds
        )?;
        for (name, milliseconds) in &self.parts_p50_milliseconds {
            write!(formatter, "\n  {name:<8} p50 {milliseconds:.2} ms")?;
        }
        Ok(())
    }
}
