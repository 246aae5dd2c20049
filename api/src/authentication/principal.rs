//! The person behind a request.

use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload, http::header, web::Data};
use futures::future::LocalBoxFuture;
use quarry_shared::{
    domain::{Grants, OrganizationId},
    store::{
        sessions::Session,
        sign_ins,
        users::{self, User},
    },
};

use crate::{
    problem::ApiError,
    rate_limits::{self, Subject},
    state::AppState,
};

/// Somebody who is signed in now. The account and the sign-in are read anew for every request, so
/// that deactivation and signing out take effect on the next one.
#[derive(Debug, Clone)]
pub struct Principal {
    pub user: User,
    pub session: Session,
    /// The one organization that this sign-in reaches, when its identity provider has vouched for
    /// the person; all of the person's organizations otherwise.
    pub only_organization: Option<OrganizationId>,
    /// Units of the rate limits that the request costs.
    pub cost: u32,
}

impl Principal {
    /// The person whom a bearer token names.
    ///
    /// # Errors
    /// `Unauthenticated` when the token is missing or not good, or the account or sign-in is gone.
    pub async fn of(state: &AppState, token: Option<&str>) -> Result<Self, ApiError> {
        let token = token.ok_or_else(ApiError::unauthenticated)?;
        let session = state.tokens.check(token)?;
        Self::of_session(state, session).await
    }

    /// The person whose token a request brings, from now on also known to what runs after the
    /// handler.
    ///
    /// # Errors
    /// `Unauthenticated` as in [`Self::of`].
    pub async fn from_header(state: &AppState, request: &HttpRequest) -> Result<Self, ApiError> {
        let mut principal = Self::of(state, bearer(request)).await?;
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
            session,
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

    /// What this principal's credential leaves of the person's grants: a sign-in leaves them all.
    #[must_use]
    pub fn limit(&self, grants: Grants) -> Grants {
        grants
    }

    /// Allows a person who has signed in, and no other credential: for what a credential must not do
    /// on its own, such as joining an organization.
    ///
    /// # Errors
    /// `Forbidden`.
    #[allow(clippy::unused_self, clippy::unnecessary_wraps)]
    pub const fn require_sign_in(&self) -> Result<(), ApiError> {
        Ok(())
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

impl FromRequest for Principal {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let state = AppState::of(&request)?;
            Self::from_header(&state, &request).await
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
