//! `quarry-worker`: works on jobs without serving requests.
//!
//! While the engines and the queue are embedded, one process owns the data directory: this program
//! works off what a stopped server owes, and is refused beside a running one.

use std::{path::PathBuf, sync::Arc};

use anyhow::Context;
use clap::Parser;
use quarry_shared::{
    config::Settings,
    services::{self, DataDirectory, Services},
    telemetry,
};
use quarry_worker::process;

#[derive(Parser)]
#[command(version, about = "Works on the jobs of a Quarry installation")]
struct Arguments {
    /// Settings file (TOML).
    #[arg(long, env = "QUARRY_CONFIG")]
    config: Option<PathBuf>,
    /// Data directory.
    #[arg(long)]
    data: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    // Two providers are compiled in; rustls wants one to be chosen before the first connection.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let Arguments { config, data } = Arguments::parse();
    let mut settings = Settings::load(config.as_deref(), std::env::vars())?;
    if let Some(data) = data {
        settings.data.directory = data;
    }
    telemetry::start_log(&settings.log)?;
    let shutdown = services::shutdown_on_signal();
    let settings = Arc::new(settings);
    let directory = DataDirectory::lock(&settings.data.directory).context(
        "embedded engines and the embedded queue need exactly one process: stop `quarry-api` first",
    )?;
    let database = services::open_database(&settings).await?;
    services::require_schema(&database).await?;
    let services = Services::open(settings, database).await?;
    services.prepare().await?;
    tracing::info!(data = %directory.path().display(), "working");
    process::run(services, shutdown).await;
    tracing::info!("stopped");
    Ok(())
}
