//! `quarry-api audit verify` and `quarry-api audit export`: the audit log without a server.
//!
//! Both only read, and may run beside a server.

use std::io::Write;

use anyhow::{Context, bail, ensure};
use clap::{Args, Subcommand};
use quarry_shared::{
    config::Settings,
    domain::OrganizationId,
    services,
    store::{
        Database,
        audit::{self, AuditFilter, Chain, ChainHead},
    },
};

/// Events read at once.
const PIECE: u64 = 1000;

#[derive(Subcommand)]
pub enum AuditCommand {
    /// Read the logs through and say for each whether it is whole; fails when one is not.
    Verify(VerifyOptions),
    /// Print events as JSON lines, oldest first.
    Export(Selection),
}

/// Whose log.
#[derive(Args)]
pub struct Selection {
    /// The log of this organization alone.
    #[arg(long)]
    organization: Option<OrganizationId>,
    /// The log of the instance alone.
    #[arg(long, conflicts_with = "organization")]
    instance: bool,
}

#[derive(Args)]
pub struct VerifyOptions {
    #[command(flatten)]
    selection: Selection,
    /// An end that an earlier verification has printed (`sequence:hash`); the log must still hold
    /// it. Needs --organization or --instance.
    #[arg(long)]
    known_head: Option<String>,
}

impl AuditCommand {
    /// Runs the command on the database that the settings name.
    ///
    /// # Errors
    /// When a log is not whole, or cannot be read.
    pub async fn run(self, settings: &Settings, output: &mut impl Write) -> anyhow::Result<()> {
        if settings.database.url.is_none() {
            let file = settings.data_path("quarry.sqlite3");
            ensure!(file.exists(), "there is no database at {}", file.display());
        }
        let database = services::open_database(settings).await?;
        match self {
            Self::Verify(options) => verify(&database, options, output).await,
            Self::Export(selection) => export(&database, &selection, output).await,
        }
    }
}

impl Selection {
    async fn chains(&self, database: &Database) -> anyhow::Result<Vec<Chain>> {
        Ok(match (self.organization, self.instance) {
            (Some(id), _) => vec![Chain::Organization(id)],
            (None, true) => vec![Chain::Instance],
            (None, false) => audit::chains(database.reader()).await?,
        })
    }
}

async fn verify(
    database: &Database,
    options: VerifyOptions,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let VerifyOptions {
        selection,
        known_head,
    } = options;
    let known = known_head
        .map(|text| text.parse::<ChainHead>())
        .transpose()
        .map_err(|problem| anyhow::anyhow!("--known-head {problem}"))?;
    let is_one = selection.organization.is_some() || selection.instance;
    ensure!(
        known.is_none() || is_one,
        "--known-head needs --organization or --instance"
    );
    let mut broken = 0;
    for chain in selection.chains(database).await? {
        let found = audit::verify(database.reader(), chain, known.as_ref())
            .await
            .with_context(|| format!("reading the log of {}", named(chain)))?;
        let name = named(chain);
        match found.fault {
            None => writeln!(
                output,
                "{name}: whole, {} events, head {}",
                found.events, found.head
            )?,
            Some(fault) => {
                broken += 1;
                writeln!(
                    output,
                    "{name}: BROKEN at event {}: {}; {} events before it hold",
                    fault.sequence,
                    fault.kind.as_str(),
                    found.events
                )?;
            }
        }
    }
    if broken > 0 {
        bail!("{broken} audit log(s) are not whole");
    }
    Ok(())
}

async fn export(
    database: &Database,
    selection: &Selection,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let everything = AuditFilter::default();
    for chain in selection.chains(database).await? {
        let mut after = 0;
        loop {
            let rows = audit::export(database.reader(), chain, &everything, after, PIECE).await?;
            let Some(last) = rows.last() else { break };
            after = last.sequence;
            for row in &rows {
                writeln!(output, "{}", row.to_json_line())?;
            }
        }
    }
    Ok(())
}

fn named(chain: Chain) -> String {
    match chain {
        Chain::Instance => "instance".to_owned(),
        Chain::Organization(id) => format!("organization {id}"),
    }
}
