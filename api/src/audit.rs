//! Writing to the audit log from requests.
//!
//! A handler that changes something takes [`Audit`] and records one event in the transaction of the
//! change, last before the commit:
//! `audit.record(&transaction, AuditEvent::new("project.create").within(organization)
//! .object("project", id).named(name))`. Who acts, from where and in which request is known here.
//!
//! Refusals need nothing of the kind: the boundary records every 403 `forbidden` of somebody who is
//! signed in ([`record_refusal`]), and failed sign-ins come through [`Audit::record_refused`]. Both
//! are bounded by [`Refusals`], so that nobody can fill the disk by being refused.

use std::{
    collections::HashMap,
    hash::{BuildHasher, Hash, RandomState},
    net::{IpAddr, Ipv6Addr},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload, web::Data};
use futures::future::{Ready, ready};
use quarry_shared::{
    domain::{ActorKind, AuditEvent, AuditOrigin, AuditOutcome, CredentialKind, ErrorKind},
    store::{
        Database, StoreError, audit,
        sessions::Session,
        users::{AccountKind, User},
    },
};
use sea_orm::DatabaseTransaction;

use crate::{
    authentication::{
        limits::client_address,
        principal::{Credential, Presented, Principal},
    },
    boundary::RequestId,
    problem::ApiError,
    state::AppState,
};

/// Who a request's events are by.
#[derive(Debug, Clone)]
pub struct Audit {
    request: HttpRequest,
}

impl Audit {
    /// What the extractor yields, where there is only the request.
    #[must_use]
    pub fn of(request: &HttpRequest) -> Self {
        Self {
            request: request.clone(),
        }
    }

    /// What the request brings to prove who sends it, to be checked again while an answer goes on.
    #[must_use]
    pub fn presented(&self, state: &AppState) -> Presented {
        Presented::by(&self.request, state)
    }

    /// Records a change in its own transaction. Other writers of the organization's log wait until
    /// the transaction ends, so this comes right before the commit.
    ///
    /// # Errors
    /// Of the database; the change must then not be committed.
    pub async fn record(
        &self,
        transaction: &DatabaseTransaction,
        event: AuditEvent,
    ) -> Result<(), ApiError> {
        audit::append(transaction, &origin(&self.request), event).await?;
        Ok(())
    }

    /// The same for a request that brings no bearer token, once it is known who acts.
    ///
    /// # Errors
    /// Of the database; the change must then not be committed.
    pub async fn record_as(
        &self,
        user: impl Into<Option<&User>>,
        session: Option<Session>,
        transaction: &DatabaseTransaction,
        event: AuditEvent,
    ) -> Result<(), ApiError> {
        let mut origin = anonymous(&self.request);
        if let Some(user) = user.into() {
            name(&mut origin, user);
        }
        if let Some(session) = session {
            origin.credential = CredentialKind::Session;
            origin.credential_id = Some(session.family_id);
        }
        audit::append(transaction, &origin, event).await?;
        Ok(())
    }

    /// Records an event that changes nothing else, in a transaction of its own.
    ///
    /// # Errors
    /// Of the database.
    pub async fn record_alone(&self, event: AuditEvent) -> Result<(), ApiError> {
        let state = AppState::of(&self.request)?;
        write(state.database(), &origin(&self.request), event).await?;
        Ok(())
    }

    /// Records that somebody was refused, unless the same has been recorded a moment ago. Never
    /// fails: the refusal stands, whatever becomes of its record. `user` is the account that was
    /// tried, when there is one.
    pub async fn record_refused(&self, user: Option<&User>, event: AuditEvent) {
        let mut by = origin(&self.request);
        if let Some(user) = user {
            name(&mut by, user);
        }
        if let Ok(state) = AppState::of(&self.request) {
            refuse(&state, by, event.outcome(AuditOutcome::Denied)).await;
        }
    }
}

impl FromRequest for Audit {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::of(request)))
    }
}

/// Records a 403 of somebody who is signed in, with the address that was refused.
pub async fn record_refusal(request: &HttpRequest, error: &ApiError) {
    let is_refusal = error.kind() == ErrorKind::Forbidden;
    let is_known = request.extensions().contains::<Principal>();
    if !is_refusal || !is_known {
        return;
    }
    let Ok(state) = AppState::of(request) else {
        return;
    };
    let mut event = AuditEvent::new("access.denied")
        .outcome(AuditOutcome::Denied)
        .detail("code", error.code())
        .detail("method", request.method().as_str())
        .detail("route", request.match_pattern().unwrap_or_default());
    event.organization_id = error.organization();
    if let Some((name, id)) = request.match_info().iter().next() {
        event = event.object(object_kind(name), id);
    }
    refuse(&state, origin(request), event).await;
}

/// What an identifier in an address names.
fn object_kind(parameter: &str) -> &'static str {
    match parameter {
        "organization_id" => "organization",
        "project_id" => "project",
        "repository_id" => "repository",
        "branch_id" => "branch",
        "snapshot_id" => "snapshot",
        "index_run_id" => "index_run",
        "job_id" => "job",
        "user_id" => "user",
        "team_id" => "team",
        _ => "object",
    }
}

/// Who acts in a request: the person whom an extractor has found, or nobody.
fn origin(request: &HttpRequest) -> AuditOrigin {
    let mut origin = anonymous(request);
    if let Some(principal) = request.extensions().get::<Principal>() {
        name(&mut origin, &principal.user);
        let (kind, id) = match &principal.credential {
            Credential::Session(session) => (CredentialKind::Session, session.family_id),
            Credential::Token(token) => (CredentialKind::Token, token.id.0),
        };
        origin.credential = kind;
        origin.credential_id = Some(id);
    }
    origin
}

fn anonymous(request: &HttpRequest) -> AuditOrigin {
    let address = request
        .app_data::<Data<AppState>>()
        .map(|state| client_address(request, &state.settings.server));
    let mut origin = AuditOrigin::anonymous(address);
    origin.request_id = request
        .extensions()
        .get::<RequestId>()
        .map(|id| id.0.clone());
    origin
}

fn name(origin: &mut AuditOrigin, user: &User) {
    origin.user_id = Some(user.id);
    (origin.kind, origin.name) = match user.kind {
        AccountKind::Person => (ActorKind::Person, Some(user.email.clone())),
        AccountKind::Service => (ActorKind::Service, Some(user.name.clone())),
    };
}

async fn refuse(state: &AppState, origin: AuditOrigin, event: AuditEvent) {
    let Some(event) = state.refusals.admit(&origin, event) else {
        return;
    };
    if let Err(error) = write(state.database(), &origin, event).await {
        tracing::error!(%error, "a refusal could not be recorded");
    }
}

/// Writes down how often what is no longer going on has been repeated; at the end of the server also
/// what still is.
///
/// # Errors
/// Of the database.
pub async fn write_repeated(
    refusals: &Refusals,
    database: &Database,
    is_end: bool,
) -> Result<(), StoreError> {
    for (origin, event) in refusals.take(|window| is_end || window.started.elapsed() >= WINDOW) {
        write(database, &origin, event).await?;
    }
    Ok(())
}

async fn write(
    database: &Database,
    origin: &AuditOrigin,
    event: AuditEvent,
) -> Result<(), StoreError> {
    let transaction = database.begin().await?;
    audit::append(&transaction, origin, event).await?;
    transaction.commit().await?;
    Ok(())
}

/// In which the same refusal is recorded once.
const WINDOW: Duration = Duration::from_secs(60);
/// Refusals recorded in a window, whoever they are of. With the event that tells of the repetitions
/// a stranger who is refused all day writes some 40,000 rows of half a kilobyte, not more.
const MAX_PER_WINDOW: u32 = 15;
/// The same for people who are signed in, each by himself.
const MAX_PER_PERSON: u32 = 15;

/// Decides which refusals are recorded: the first of its kind, and how often it was repeated.
#[derive(Default)]
pub struct Refusals {
    open: Mutex<HashMap<u64, Window>>,
    hasher: RandomState,
}

struct Window {
    started: Instant,
    repeated: u64,
    /// Recorded in this window; counts for budgets only.
    recorded: u32,
    /// What is written for the repetitions.
    last: Option<(AuditOrigin, AuditEvent)>,
}

impl Refusals {
    /// The event when it is to be recorded now. Otherwise it is counted.
    pub fn admit(&self, origin: &AuditOrigin, event: AuditEvent) -> Option<AuditEvent> {
        let now = Instant::now();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let who = who(origin);
        let same = (&who, event.organization_id, event.action, &event.object_id);
        let same = self
            .hasher
            .hash_one((same, event.details.get("route").map(ToString::to_string)));
        let is_open = |window: &&mut Window| now.duration_since(window.started) < WINDOW;
        if let Some(window) = open.get_mut(&same).filter(is_open) {
            window.repeated += 1;
            window.last = Some((origin.clone(), event));
            return None;
        }
        let budget = match origin
            .user_id
            .filter(|_| origin.credential != CredentialKind::None)
        {
            Some(_) => self.hasher.hash_one((&who, "budget")),
            None => self.hasher.hash_one("budget of strangers"),
        };
        let most = match origin.credential {
            CredentialKind::None => MAX_PER_WINDOW,
            _ => MAX_PER_PERSON,
        };
        let spent = open.entry(budget).or_insert_with(|| Window::starting(now));
        if now.duration_since(spent.started) >= WINDOW {
            // The repetitions are written by `take_ended`; they are not lost here.
            spent.started = now;
            spent.recorded = 0;
        }
        if spent.recorded >= most {
            spent.repeated += 1;
            spent.last = Some((origin.clone(), event));
            return None;
        }
        spent.recorded += 1;
        let ended = open.insert(same, Window::starting(now));
        let repeated = ended.map_or(0, |window| window.repeated);
        Some(match repeated {
            0 => event,
            times => event.detail("repeated_before", times),
        })
    }

    /// What was repeated in windows that are over, one event each; forgets them.
    fn take(&self, is_over: impl Fn(&Window) -> bool) -> Vec<(AuditOrigin, AuditEvent)> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut ended = Vec::new();
        open.retain(|_, window| {
            if !is_over(window) {
                return true;
            }
            if let Some((origin, event)) = window.last.take() {
                ended.push((origin, event.detail("repeated", window.repeated)));
            }
            false
        });
        ended
    }
}

impl Window {
    const fn starting(started: Instant) -> Self {
        Self {
            started,
            repeated: 0,
            recorded: 0,
            last: None,
        }
    }
}

/// One key per person, or per address; a whole /64 of the newer protocol belongs to one customer.
#[derive(Hash)]
enum Who {
    Person(quarry_shared::domain::UserId),
    Address(Option<IpAddr>),
}

fn who(origin: &AuditOrigin) -> Who {
    let is_proven = origin.credential != CredentialKind::None;
    if let Some(user) = origin.user_id.filter(|_| is_proven) {
        return Who::Person(user);
    }
    Who::Address(origin.address.map(|address| match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }))
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use quarry_shared::domain::{AuditEvent, AuditOrigin, CredentialKind, UserId};

    use super::{MAX_PER_PERSON, MAX_PER_WINDOW, Refusals};

    fn stranger(last: u8) -> AuditOrigin {
        AuditOrigin::anonymous(Some(IpAddr::from([192, 0, 2, last])))
    }

    #[test]
    fn the_same_refusal_is_recorded_once_and_its_repetitions_are_counted() {
        let refusals = Refusals::default();
        let event = || AuditEvent::new("sign_in.password");
        assert!(refusals.admit(&stranger(1), event()).is_some());
        for _ in 0..1000 {
            assert!(refusals.admit(&stranger(1), event()).is_none());
        }
        let ended = refusals.take(|_| true);
        assert_eq!(ended.len(), 1);
        assert_eq!(ended[0].1.details["repeated"], 1000);
        assert!(refusals.take(|_| true).is_empty());
    }

    #[test]
    fn many_strangers_together_write_no_more_than_the_bound() {
        let refusals = Refusals::default();
        let recorded = (0..=255)
            .filter_map(|last| refusals.admit(&stranger(last), AuditEvent::new("sign_in.password")))
            .count();
        assert_eq!(recorded, MAX_PER_WINDOW as usize);
        // A person who is signed in has a share of their own, and no more than that.
        let person = AuditOrigin {
            user_id: Some(UserId::generate()),
            credential: CredentialKind::Session,
            ..stranger(1)
        };
        let recorded = (0..100)
            .filter_map(|number| {
                let event = AuditEvent::new("access.denied").object("project", number);
                refusals.admit(&person, event)
            })
            .count();
        assert_eq!(recorded, MAX_PER_PERSON as usize);
        // All that was not recorded is told of in one event per share.
        let ended = refusals.take(|_| true);
        let told: Vec<_> = ended
            .iter()
            .filter_map(|(_, event)| event.details["repeated"].as_u64())
            .collect();
        assert_eq!(told.iter().sum::<u64>(), 256 + 100 - 30);
        assert_eq!(told.len(), 2);
    }
}
