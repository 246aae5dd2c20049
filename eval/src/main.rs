//! `quarry-eval`: runs an evaluation and prints its tables.

use std::fs;

use anyhow::Context;
use clap::Parser;
use quarry_eval::{
    arguments::{Arguments, Command, RetrievalArguments},
    latency, retrieval, tables,
};
use tracing_subscriber::EnvFilter;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::try_from_default_env().unwrap_or_else(|_| "warn".into()))
        .with_writer(std::io::stderr)
        .init();
    match Arguments::parse().command {
        Command::Retrieval(arguments) => run_retrieval(&arguments).await,
        Command::Latency(arguments) => {
            println!("{}", latency::run(&arguments).await?);
            Ok(())
        }
    }
}

async fn run_retrieval(arguments: &RetrievalArguments) -> anyhow::Result<()> {
    let evaluation = retrieval::run(arguments, &mut |line| eprintln!("{line}")).await?;
    print!("{}", tables::render(&evaluation));
    if let Some(count) = arguments.failures {
        print!("{}", tables::failures(&evaluation, count));
    }
    if let Some(file) = &arguments.report {
        fs::write(file, serde_json::to_string_pretty(&evaluation)?)
            .with_context(|| format!("writing `{}`", file.display()))?;
    }
    Ok(())
}
