//! `quarry-api`: the server and its tools.

use std::{net::SocketAddr, path::PathBuf};

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use quarry_api::{
    audit_command::AuditCommand,
    authentication::signing_keys,
    openapi,
    rotation::{self, KeyChanges},
    standalone::Standalone,
};
use quarry_migrations::{Migrator, MigratorTrait};
use quarry_shared::{
    config::{self, Settings},
    domain::permissions_documentation,
    services,
    store::sealed::Rotated,
    telemetry,
};

#[derive(Parser)]
#[command(version, about = "Code search over a company's Git repositories")]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: Serve,
}

#[derive(Args)]
struct AuditArguments {
    #[command(subcommand)]
    command: AuditCommand,
    /// Settings file (TOML).
    #[arg(long, env = "QUARRY_CONFIG", global = true)]
    config: Option<PathBuf>,
    /// Data directory.
    #[arg(long, global = true)]
    data: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Verify or export the audit log.
    Audit(AuditArguments),
    /// Serve requests and work on jobs (the default).
    Serve(Serve),
    /// Bring the database's schema up to date and end.
    Migrate(Serve),
    /// Sign access tokens with a new key from now on; what the old one has signed stays good until it
    /// expires. Running servers notice by themselves.
    RotateSigningKey(Serve),
    /// Seal every stored secret with the newest key, and say how many there were.
    RotateSecrets {
        #[command(flatten)]
        keys: KeyChanges,
        #[command(flatten)]
        serve: Serve,
    },
    /// Print the OpenAPI document.
    Openapi,
    /// Print every setting with its default, as Markdown.
    Configuration,
    /// Print who may do what, as Markdown.
    Permissions,
}

/// Options that override file and environment.
#[derive(Args, Default)]
struct Serve {
    /// One process with everything inside, which is also the default.
    #[arg(long)]
    standalone: bool,
    /// Settings file (TOML).
    #[arg(long, env = "QUARRY_CONFIG")]
    config: Option<PathBuf>,
    /// Data directory.
    #[arg(long)]
    data: Option<PathBuf>,
    /// Address and port to listen on.
    #[arg(long)]
    bind: Option<SocketAddr>,
    /// A folder below which local Git directories may be added; may be repeated.
    #[arg(long)]
    local_root: Vec<PathBuf>,
}

impl Serve {
    fn settings(self) -> anyhow::Result<Settings> {
        let mut settings = Settings::load(self.config.as_deref(), std::env::vars())?;
        if let Some(data) = self.data {
            settings.data.directory = data;
        }
        if let Some(bind) = self.bind {
            settings.server.bind = bind;
        }
        settings.git.local_roots.extend(self.local_root);
        Ok(settings)
    }
}

fn main() -> anyhow::Result<()> {
    // Two providers are compiled in; rustls wants one to be chosen before the first connection.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let Arguments { command, serve } = Arguments::parse();
    match command.unwrap_or(Command::Serve(serve)) {
        Command::Audit(AuditArguments {
            command,
            config,
            data,
        }) => {
            let options = Serve {
                config,
                data,
                ..Serve::default()
            };
            let settings = options.settings()?;
            block_on(async { command.run(&settings, &mut std::io::stdout().lock()).await })??;
        }
        Command::Openapi => print!("{}", openapi::json()),
        Command::Configuration => print!("{}", config::documentation()),
        Command::Permissions => print!("{}", permissions_documentation()),
        Command::RotateSigningKey(options) => rotate_signing_key(&options.settings()?)?,
        Command::Migrate(options) => block_on(migrate(options.settings()?))??,
        Command::RotateSecrets { keys, serve } => {
            block_on(rotate(serve.settings()?, keys))??;
        }
        Command::Serve(options) => block_on(run(options.settings()?))??,
    }
    Ok(())
}

fn block_on<T>(work: impl Future<Output = T>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("starting the runtime")?;
    Ok(runtime.block_on(work))
}

fn rotate_signing_key(settings: &Settings) -> anyhow::Result<()> {
    anyhow::ensure!(
        settings.authentication.signing_key.is_none(),
        "the signing key is in the settings: move it to `authentication.previous_signing_key`, set a new \
         `authentication.signing_key` and restart the servers"
    );
    let id = signing_keys::rotate(&signing_keys::file_of(settings))?;
    println!("access tokens are signed with the new key {id}");
    Ok(())
}

async fn migrate(settings: Settings) -> anyhow::Result<()> {
    std::fs::create_dir_all(&settings.data.directory).context("making the data directory")?;
    let database = services::open_database(&settings).await?;
    Migrator::up(database.writer(), None)
        .await
        .context("migrating the database")
}

async fn rotate(settings: Settings, keys: KeyChanges) -> anyhow::Result<()> {
    telemetry::start_log(&settings.log)?;
    let report = rotation::rotate_secrets(&settings, keys).await?;
    let Rotated {
        resealed,
        current,
        unreadable,
        changed_meanwhile,
    } = report.rotated;
    println!(
        "key {} seals; {} older keys were removed",
        report.key, report.removed_keys
    );
    println!(
        "{resealed} secrets sealed anew, {current} were sealed with it before, \
         {changed_meanwhile} changed meanwhile, {unreadable} cannot be opened"
    );
    anyhow::ensure!(
        report.rotated.is_complete(),
        "not every secret could be sealed anew"
    );
    Ok(())
}

async fn run(settings: Settings) -> anyhow::Result<()> {
    telemetry::start_log(&settings.log)?;
    let shutdown = services::shutdown_on_signal();
    Standalone::start(settings, shutdown).await?.run().await
}
