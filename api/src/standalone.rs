//! One process for everything: the server with the workers inside.

use std::{net::TcpListener, sync::Arc, time::Duration};

use actix_web::web::Data;
use anyhow::Context;
use chrono::Utc;
use quarry_migrations::{Migrator, MigratorTrait};
use quarry_shared::{
    config::Settings,
    services::{self, DataDirectory, Services},
    store::audit::purge_all,
};
use quarry_worker::process;
use secrecy::ExposeSecret;
use tokio_util::sync::CancellationToken;

use crate::{
    application, audit,
    authentication::{
        first_start,
        signing_keys::{self, SigningKeys},
    },
    state::AppState,
};

/// A server that has started.
pub struct Standalone {
    /// Held until the end: it locks the data directory.
    directory: DataDirectory,
    services: Services,
    state: Data<AppState>,
    listener: TcpListener,
    shutdown: CancellationToken,
}

impl Standalone {
    /// Opens everything, brings it up to date and binds the socket. Serves nothing yet.
    ///
    /// # Errors
    /// With the step that failed.
    pub async fn start(settings: Settings, shutdown: CancellationToken) -> anyhow::Result<Self> {
        let settings = Arc::new(settings);
        let directory = DataDirectory::lock(&settings.data.directory)?;
        let database = services::open_database(&settings).await?;
        Migrator::up(database.writer(), None)
            .await
            .context("migrating the database")?;
        let services = Services::open(settings.clone(), database).await?;
        services.prepare().await?;
        let account = first_start::ensure_administrator(&services.database, &settings.admin)
            .await
            .context("creating the administrator")?;
        if let Some(account) = account {
            // Shown once, on the terminal of whoever started the server; never in the log.
            println!(
                "first administrator: {} / {}",
                account.email,
                account.password.expose_secret()
            );
        }
        let keys = match &settings.authentication.signing_key {
            Some(key) => {
                let previous = settings.authentication.previous_signing_key.as_ref();
                let previous = previous.map(|key| key.expose_secret().as_bytes());
                SigningKeys::fixed(key.expose_secret().as_bytes(), previous)?
            }
            None => SigningKeys::of_file(&signing_keys::file_of(&settings))?,
        };
        let state = AppState::new(settings.clone(), services.clone(), keys, shutdown.clone())?;
        let listener = TcpListener::bind(settings.server.bind)
            .with_context(|| format!("listening on {}", settings.server.bind))?;
        Ok(Self {
            directory,
            services,
            state: Data::new(state),
            listener,
            shutdown,
        })
    }

    /// The rooms, for tests that look behind the door.
    #[must_use]
    pub const fn services(&self) -> &Services {
        &self.services
    }

    /// The address that was bound, for tests that asked for any free port.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn address(&self) -> std::io::Result<std::net::SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves requests and works on jobs until `shutdown`, then drains both.
    ///
    /// # Errors
    /// When the server fails while running.
    pub async fn run(self) -> anyhow::Result<()> {
        let address = self.listener.local_addr()?;
        let state = self.state.clone();
        let server = application::serve(self.state, self.listener)?;
        let handle = server.handle();
        tracing::info!(%address, data = %self.directory.path().display(), "serving");
        let shutdown = self.shutdown.clone();
        let stop = async {
            shutdown.cancelled().await;
            tracing::info!("stopping: no new work is taken");
            handle.stop(true).await;
        };
        let (served, (), (), ()) = tokio::join!(
            async {
                let result = server.await;
                // A server that ended by itself ends the process.
                self.shutdown.cancel();
                result
            },
            stop,
            process::run(self.services.clone(), self.shutdown.clone()),
            keep_audit(state, self.shutdown.clone()),
        );
        tracing::info!("stopped");
        served.context("serving requests")
    }
}

/// How often repeated refusals are written down, and how often retention is looked at.
const AUDIT_PERIOD: Duration = Duration::from_secs(30);
const RETENTION_EVERY: u32 = 120;

/// What the audit log needs besides requests. The last repetitions are written at the end.
async fn keep_audit(state: Data<AppState>, shutdown: CancellationToken) {
    let mut ticks = tokio::time::interval(AUDIT_PERIOD);
    let days = state.settings.audit.retention_days;
    for round in 0_u32.. {
        let goes_on = shutdown.run_until_cancelled(ticks.tick()).await.is_some();
        if let Err(error) = audit::write_repeated(&state.refusals, state.database(), !goes_on).await
        {
            tracing::error!(%error, "repeated refusals could not be recorded");
        }
        if !goes_on {
            return;
        }
        if days == 0 || round % RETENTION_EVERY != 0 {
            continue;
        }
        let cutoff = Utc::now() - chrono::Duration::days(i64::from(days));
        match purge_all(state.database(), cutoff).await {
            Ok(0) => {}
            Ok(events) => tracing::info!(events, "removed audit events that are old enough"),
            Err(error) => tracing::warn!(%error, "the audit log could not be shortened"),
        }
    }
}
