//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use quarry_shared::retrieval::Fusion;

/// Evaluates Quarry on questions with known answers.
#[derive(Debug, Parser)]
#[command(name = "quarry-eval", version, about)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

/// What is evaluated.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Index repositories at pinned revisions, ask every question and measure the ranked lists.
    Retrieval(RetrievalArguments),
    /// Ask one repository many questions in this process and measure the time each takes.
    Latency(LatencyArguments),
}

/// Where questions, repositories and indexes are, and how to index.
#[derive(Debug, Clone, Args)]
pub struct PlaceArguments {
    /// Directory with `localization/` and `issues/`.
    #[arg(long)]
    pub data: PathBuf,
    /// Directory with a bare Git repository at `OWNER+NAME/repo` for each repository.
    #[arg(long)]
    pub repositories: PathBuf,
    /// Directory that keeps indexes between runs.
    #[arg(long, default_value = "target/eval")]
    pub cache: PathBuf,
    /// Embedding model.
    #[arg(long, value_enum, default_value_t = EmbedderArgument::Static)]
    pub embedder: EmbedderArgument,
    /// Index jobs that run at once.
    #[arg(long, default_value_t = 2)]
    pub jobs: usize,
    /// Index again, although there are indexes of the same format.
    #[arg(long)]
    pub fresh: bool,
}

/// Arguments of `retrieval`.
#[derive(Debug, Clone, Args)]
pub struct RetrievalArguments {
    #[command(flatten)]
    pub place: PlaceArguments,
    /// May be given several times; all of them by default.
    #[arg(long = "condition", value_enum)]
    pub conditions: Vec<Condition>,
    /// Only repositories or issues whose name contains this; may be given several times.
    #[arg(long)]
    pub only: Vec<String>,
    /// How channel scores become one.
    #[arg(long, value_enum, default_value_t = FusionArgument::Weighted)]
    pub fusion: FusionArgument,
    /// Write everything that was measured to this file as JSON.
    #[arg(long)]
    pub report: Option<PathBuf>,
    /// Print this many of the worst questions with what was found instead.
    #[arg(long, num_args = 0..=1, default_missing_value = "20")]
    pub failures: Option<usize>,
}

/// Arguments of `latency`.
#[derive(Debug, Clone, Args)]
pub struct LatencyArguments {
    #[command(flatten)]
    pub place: PlaceArguments,
    /// The repository that is asked.
    #[arg(long)]
    pub only: String,
    /// Whether its root folder or the whole repository is indexed.
    #[arg(long, value_enum, default_value_t = Condition::Whole)]
    pub condition: Condition,
    /// How many questions; those of all repositories are taken in turn.
    #[arg(long, default_value_t = 200)]
    pub queries: usize,
}

/// Which files are indexed, and which questions are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Condition {
    /// Short questions; only the files under the repository's benchmark root.
    Root,
    /// Short questions; the whole repository.
    Whole,
    /// Bug reports; the whole repository at the commit before the fix.
    Issues,
}

impl Condition {
    /// Every condition, in the order of the report.
    pub const ALL: [Self; 3] = [Self::Root, Self::Whole, Self::Issues];

    /// Stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Whole => "whole",
            Self::Issues => "issues",
        }
    }
}

/// Embedding model by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EmbedderArgument {
    /// The model in the binary.
    Static,
    /// No vectors: words, names and paths only.
    None,
}

/// Fusion by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FusionArgument {
    Weighted,
    Rrf,
}

impl From<FusionArgument> for Fusion {
    fn from(argument: FusionArgument) -> Self {
        match argument {
            FusionArgument::Weighted => Self::Weighted,
            FusionArgument::Rrf => Self::Rrf,
        }
    }
}

impl RetrievalArguments {
    /// The conditions to run.
    #[must_use]
    pub fn conditions(&self) -> Vec<Condition> {
        if self.conditions.is_empty() {
            return Condition::ALL.to_vec();
        }
        let mut conditions = self.conditions.clone();
        conditions.sort_unstable();
        conditions.dedup();
        conditions
    }

    /// Whether something of this name is wanted.
    #[must_use]
    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|wanted| name.contains(wanted))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn parse(extra: &[&str]) -> RetrievalArguments {
        let fixed = [
            "quarry-eval",
            "retrieval",
            "--data",
            "d",
            "--repositories",
            "r",
        ];
        let arguments = Arguments::try_parse_from(fixed.iter().chain(extra)).unwrap();
        let Command::Retrieval(arguments) = arguments.command else {
            unreachable!("the fixed words name the command");
        };
        arguments
    }

    #[test]
    fn all_conditions_are_the_default_and_repeated_ones_count_once() {
        assert_eq!(parse(&[]).conditions(), Condition::ALL);
        let some = [
            "--condition",
            "issues",
            "--condition",
            "root",
            "--condition",
            "root",
        ];
        assert_eq!(
            parse(&some).conditions(),
            [Condition::Root, Condition::Issues]
        );
    }

    #[test]
    fn the_number_of_failures_may_be_left_out() {
        assert_eq!(parse(&[]).failures, None);
        assert_eq!(parse(&["--failures"]).failures, Some(20));
        assert_eq!(parse(&["--failures", "5"]).failures, Some(5));
    }

    #[test]
    fn unknown_conditions_are_refused() {
        let words = [
            "quarry-eval",
            "retrieval",
            "--data",
            "d",
            "--repositories",
            "r",
        ];
        let words = words.iter().chain(&["--condition", "half"]);
        assert!(Arguments::try_parse_from(words).is_err());
    }
}
