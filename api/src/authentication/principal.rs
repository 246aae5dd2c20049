//! The person behind a request.

use std::{net::IpAddr, sync::Arc};

use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload, http::header, web::Data};
use futures::future::LocalBoxFuture;
use ipnet::IpNet;
use quarry_shared::{
    domain::{ErrorKind, Grants, OrganizationId},
    store::{
        api_tokens::{self as tokens, ApiToken},
        sessions::Session,
        sign_ins,
        users::{self, User},
    },
};
use secrecy::{ExposeSecret, SecretString};

use super::{
    api_tokens::{self, ApiTokenText},
    limits::client_address,
};
use crate::{
    problem::ApiError,
    rate_limits::{self, Subject},
    state::AppState,
};

/// With what somebody proved who they are.
#[derive(Debug, Clone)]
pub enum Credential {
    Session(Session),
    Token(Arc<ApiToken>),
}

/// What a request brings along to prove who sends it.
#[derive(Clone)]
pub struct Presented {
    token: Option<SecretString>,
    address: IpAddr,
}

impl Presented {
    /// What this request brings.
    #[must_use]
    pub fn by(request: &HttpRequest, state: &AppState) -> Self {
        Self {
            token: bearer(request).map(SecretString::from),
            address: client_address(request, &state.settings.server),
        }
    }
}

/// Somebody who is known now. The account and the credential are read anew for every request, so
/// that deactivation, signing out and revocation take effect on the next one.
///
/// As an extractor this is a person who has signed in: what a handler does for a `Principal` no API
/// token can do. Handlers that tokens may use take `access::Access` or [`Caller`].
#[derive(Debug, Clone)]
pub struct Principal {
    pub user: User,
    pub credential: Credential,
    /// The one organization that this credential reaches: a token's own, or that whose identity
    /// provider has vouched for the person; all of the person's organizations otherwise.
    pub only_organization: Option<OrganizationId>,
    /// Units of the rate limits that the request costs.
    pub cost: u32,
}

/// Somebody who is known, with whatever credential.
#[derive(Debug, Clone)]
pub struct Caller(pub Principal);

impl Principal {
    /// Whom the credential names.
    ///
    /// # Errors
    /// `Unauthenticated` when it is missing or not good, or the account is gone. Never says which.
    pub async fn of(state: &AppState, presented: &Presented) -> Result<Self, ApiError> {
        let token = presented.token.as_ref();
        let token = token.ok_or_else(ApiError::unauthenticated)?.expose_secret();
        if token.starts_with(api_tokens::PREFIX) {
            return Self::of_token(state, token, presented.address).await;
        }
        let session = state.tokens.check(token)?;
        Self::of_session(state, session).await
    }

    /// Whom a request's credential names, from now on also known to what runs after the handler.
    ///
    /// # Errors
    /// `Unauthenticated` as in [`Self::of`].
    pub async fn from_header(state: &AppState, request: &HttpRequest) -> Result<Self, ApiError> {
        let mut principal = Self::of(state, &Presented::by(request, state)).await?;
        principal.cost = rate_limits::cost_of(request.method(), request.path());
        let subject = Subject::Principal(principal.user.id);
        let verdict = state.rate_limits.take(subject, principal.cost).await;
        rate_limits::remember(request, verdict);
        if let Some(wait) = verdict.and_then(|verdict| verdict.refused) {
            return Err(rate_limits::refusal(wait));
        }
        request.extensions_mut().insert(principal.clone());
        Ok(principal)
    }

    async fn of_token(state: &AppState, text: &str, address: IpAddr) -> Result<Self, ApiError> {
        let unknown = ApiError::unauthenticated;
        let parsed = ApiTokenText::parse(text).ok_or_else(unknown)?;
        let db = state.database().reader();
        let found = tokens::find_good(db, parsed.id, &parsed.secret_hash()).await?;
        let (token, user) = found.ok_or_else(unknown)?;
        if !is_within(&token, address) {
            return Err(unknown());
        }
        if tokens::is_use_due(&token) {
            // Nobody waits for it, since the one who writes may be busy with a batch.
            let (database, id) = (state.database().clone(), token.id);
            tokio::spawn(async move {
                if let Err(error) = tokens::mark_used(database.writer(), id).await {
                    tracing::warn!(%error, "the use of an API token could not be written down");
                }
            });
        }
        Ok(Self {
            user,
            only_organization: Some(token.organization_id),
            credential: Credential::Token(Arc::new(token)),
            cost: 1,
        })
    }

    /// The person of a sign-in, if both are still good.
    ///
    /// # Errors
    /// `Unauthenticated` when not.
    pub async fn of_session(state: &AppState, session: Session) -> Result<Self, ApiError> {
        let db = state.database().reader();
        let user = users::find(db, session.user_id)
            .await?
            .ok_or_else(ApiError::unauthenticated)?;
        let sign_in = sign_ins::find_live(db, session.user_id, session.family_id)
            .await?
            .ok_or_else(ApiError::unauthenticated)?;
        Ok(Self {
            user,
            credential: Credential::Session(session),
            only_organization: sign_in.organization_id,
            cost: 1,
        })
    }

    /// Whether this sign-in reaches an organization at all; what the person may do there is decided
    /// by the grants.
    #[must_use]
    pub fn reaches(&self, organization: OrganizationId) -> bool {
        self.only_organization
            .is_none_or(|only| only == organization)
    }

    /// What this principal's credential leaves of the person's grants: a sign-in leaves them all, a
    /// token what its scopes and projects allow.
    #[must_use]
    pub fn limit(&self, grants: Grants) -> Grants {
        match &self.credential {
            Credential::Session(_) => grants,
            Credential::Token(token) => {
                grants.limited(&token.permissions(), token.projects.as_ref())
            }
        }
    }

    /// The sign-in, for what a token must not do on its own: joining an organization, making tokens,
    /// changing passwords and second proofs.
    ///
    /// # Errors
    /// `Forbidden` for an API token.
    pub fn session(&self) -> Result<Session, ApiError> {
        match &self.credential {
            Credential::Session(session) => Ok(*session),
            Credential::Token(token) => Err(ApiError::new(
                ErrorKind::Forbidden,
                "sign_in_required",
                "an API token cannot do this; sign in",
            )
            .in_organization(token.organization_id)),
        }
    }

    /// Allows a person who has signed in, and no other credential.
    ///
    /// # Errors
    /// `Forbidden` for an API token.
    pub fn require_sign_in(&self) -> Result<(), ApiError> {
        self.session().map(drop)
    }

    /// Allows instance administrators only.
    ///
    /// # Errors
    /// `Forbidden`.
    pub fn require_instance_administrator(&self) -> Result<(), ApiError> {
        // An organization's identity provider does not speak for the instance.
        if self.user.is_instance_administrator && self.only_organization.is_none() {
            return Ok(());
        }
        Err(ApiError::forbidden())
    }
}

/// The bearer token of a request.
#[must_use]
pub fn bearer(request: &HttpRequest) -> Option<&str> {
    let value = request
        .headers()
        .get(header::AUTHORIZATION)?
        .to_str()
        .ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then(|| token.trim_start())
}

/// Whether a token may be used from an address. A network that cannot be read contains nothing.
fn is_within(token: &ApiToken, address: IpAddr) -> bool {
    let address = address.to_canonical();
    token.addresses.as_ref().is_none_or(|networks| {
        let mut networks = networks
            .iter()
            .filter_map(|text| text.parse::<IpNet>().ok());
        networks.any(|network| network.contains(&address))
    })
}

impl FromRequest for Principal {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let state = AppState::of(&request)?;
            let principal = Self::from_header(&state, &request).await?;
            principal.require_sign_in()?;
            Ok(principal)
        })
    }
}

impl FromRequest for Caller {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let state = AppState::of(&request)?;
            Principal::from_header(&state, &request).await.map(Self)
        })
    }
}

impl AppState {
    /// The state that a request is served with.
    ///
    /// # Errors
    /// `Internal` when the application was put together without it.
    pub fn of(request: &HttpRequest) -> Result<Data<Self>, ApiError> {
        request
            .app_data::<Data<Self>>()
            .cloned()
            .ok_or_else(|| ApiError::internal("the application has no state"))
    }
}
