//! Signing in at an organization's identity provider: OpenID Connect, authorization code with PKCE.
//!
//! A secret in a cookie binds the whole flow to one browser: nonce and PKCE verifier are derived from
//! it, and only hashes of it and of the state are stored. Every request to a provider goes through
//! `OutboundClient`, since an organization's owner has set the address.

use std::collections::BTreeSet;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use openidconnect::{
    AuthorizationCode, ClientId, ClientSecret, CsrfToken, HttpRequest, HttpResponse, IssuerUrl,
    Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope,
    TokenResponse,
    core::{
        CoreAuthenticationFlow, CoreClient, CoreJwsSigningAlgorithm, CoreProviderMetadata,
        CoreUserInfoClaims,
    },
};
use quarry_shared::{
    adapters::outbound::OutboundClient,
    domain::ErrorKind,
    ports::PortError,
    store::{
        identity_providers::IdentityProvider,
        keyring::{Keyring, SecretPurpose},
    },
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use super::secrets;
use crate::problem::ApiError;

/// Signatures by a provider's private key. Never `none`, never one by a shared secret.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];
/// Most groups of a person that are looked at.
const MAX_GROUPS: usize = 2000;

/// What one browser keeps while its sign-in is under way.
pub struct BrowserSecret(String);

/// What a provider has said about a person, checked.
#[derive(Debug)]
pub struct Vouched {
    pub issuer: String,
    pub subject: String,
    pub email: String,
    pub name: String,
    pub groups: BTreeSet<String>,
}

/// A provider, ready to be talked to.
pub struct Provider<'a> {
    provider: &'a IdentityProvider,
    metadata: CoreProviderMetadata,
    secret: Option<SecretString>,
    redirect_url: RedirectUrl,
    outbound: &'a OutboundClient,
}

impl BrowserSecret {
    #[must_use]
    pub fn generate() -> Self {
        Self(secrets::generate())
    }

    /// The secret as a cookie has brought it.
    #[must_use]
    pub const fn from_cookie(value: String) -> Self {
        Self(value)
    }

    /// The secret itself, for the cookie.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What is stored.
    #[must_use]
    pub fn hash(&self) -> String {
        self.derive("browser", "")
    }

    fn nonce(&self, state: &str) -> Nonce {
        Nonce::new(self.derive("nonce", state))
    }

    fn verifier(&self, state: &str) -> PkceCodeVerifier {
        PkceCodeVerifier::new(self.derive("pkce", state))
    }

    fn derive(&self, purpose: &str, state: &str) -> String {
        secrets::hash(&format!("oidc {purpose}\0{}\0{state}", self.0))
    }
}

impl<'a> Provider<'a> {
    /// Reads what the provider says about itself, and its keys.
    ///
    /// # Errors
    /// `identity_provider_failed` when it cannot be reached, is not allowed, or names another issuer.
    pub async fn discover(
        provider: &'a IdentityProvider,
        keyring: &Keyring,
        outbound: &'a OutboundClient,
        public_origin: &str,
    ) -> Result<Self, ApiError> {
        let issuer = IssuerUrl::new(provider.settings.issuer.clone())
            .map_err(|_| failed("the issuer is no address"))?;
        let http = |request| send(outbound, request);
        let metadata = CoreProviderMetadata::discover_async(issuer, &http)
            .await
            .map_err(|error| failed(&format!("discovery: {error}")))?;
        let secret = provider
            .client_secret
            .as_deref()
            .map(|sealed| open_secret(provider, keyring, sealed))
            .transpose()?;
        let redirect_url = format!("{public_origin}/api/v1/auth/oidc/callback");
        Ok(Self {
            provider,
            metadata,
            secret,
            redirect_url: RedirectUrl::new(redirect_url).map_err(ApiError::internal)?,
            outbound,
        })
    }

    /// Where the browser goes to sign in.
    ///
    /// # Errors
    /// `identity_provider_failed` when that is no web address.
    pub fn authorization_url(
        &self,
        state: &str,
        browser: &BrowserSecret,
    ) -> Result<String, ApiError> {
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&browser.verifier(state));
        let client = self.client();
        let (token, nonce) = (CsrfToken::new(state.to_owned()), browser.nonce(state));
        let mut request = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                move || token,
                move || nonce,
            )
            .add_scope(Scope::new("email".to_owned()))
            .add_scope(Scope::new("profile".to_owned()))
            .set_pkce_challenge(challenge);
        let groups = Scope::new("groups".to_owned());
        let has_groups = self
            .metadata
            .scopes_supported()
            .is_some_and(|scopes| scopes.contains(&groups));
        if self.provider.settings.group_claim.is_some() && has_groups {
            request = request.add_scope(groups);
        }
        let (url, _, _) = request.url();
        if !matches!(url.scheme(), "http" | "https") {
            return Err(failed("the authorization endpoint is no web address"));
        }
        Ok(url.into())
    }

    /// Exchanges the code for what the provider says about the person.
    ///
    /// # Errors
    /// `identity_provider_failed` for anything that does not check out; `email_not_verified` and
    /// `email_not_allowed` for an address that does not come in.
    pub async fn vouched(
        &self,
        code: String,
        state: &str,
        browser: &BrowserSecret,
    ) -> Result<Vouched, ApiError> {
        let http = |request| send(self.outbound, request);
        let client = self.client();
        let tokens = client
            .exchange_code(AuthorizationCode::new(code))
            .map_err(|error| failed(&format!("token endpoint: {error}")))?
            .set_pkce_verifier(browser.verifier(state))
            .request_async(&http)
            .await
            .map_err(|error| failed(&format!("code: {error}")))?;
        let token = tokens
            .id_token()
            .ok_or_else(|| failed("there is no ID token"))?;
        let verifier = client.id_token_verifier().set_allowed_algs(ALGORITHMS);
        let claims = token
            .claims(&verifier, &browser.nonce(state))
            .map_err(|error| failed(&format!("ID token: {error}")))?;
        let mut facts = payload(&token.to_string())?;
        if facts.get("email").is_none() {
            let subject = claims.subject().clone();
            let told: CoreUserInfoClaims = client
                .user_info(tokens.access_token().clone(), Some(subject))
                .map_err(|error| failed(&format!("user info: {error}")))?
                .request_async(&http)
                .await
                .map_err(|error| failed(&format!("user info: {error}")))?;
            let told = serde_json::to_value(&told).map_err(ApiError::internal)?;
            for name in ["email", "email_verified", "name"] {
                if let Some(value) = told.get(name).filter(|value| !value.is_null()) {
                    facts[name] = value.clone();
                }
            }
        }
        self.admitted(
            claims.issuer().to_string(),
            claims.subject().to_string(),
            &facts,
        )
    }

    fn admitted(
        &self,
        issuer: String,
        subject: String,
        facts: &Value,
    ) -> Result<Vouched, ApiError> {
        let settings = &self.provider.settings;
        let email = facts["email"].as_str().unwrap_or_default();
        let email = email.trim().to_lowercase();
        let domain = domain_of(&email).ok_or_else(email_not_allowed)?;
        if !settings
            .email_domains
            .iter()
            .any(|allowed| allowed == domain)
        {
            return Err(email_not_allowed());
        }
        // Some providers send the word instead of the truth value.
        let is_verified = match &facts["email_verified"] {
            Value::Bool(is_verified) => *is_verified,
            Value::String(text) => text == "true",
            _ => false,
        };
        if !is_verified && !settings.trusts_email {
            return Err(refused(
                "email_not_verified",
                "the identity provider has not verified the e-mail address",
            ));
        }
        let groups = settings.group_claim.as_ref().map(|name| &facts[name]);
        let name = facts["name"].as_str().unwrap_or_default().trim();
        let name: String = name
            .chars()
            .filter(|letter| !letter.is_control())
            .take(100)
            .collect();
        Ok(Vouched {
            issuer,
            subject,
            name: if name.is_empty() { email.clone() } else { name },
            email,
            groups: groups.map(names).unwrap_or_default(),
        })
    }

    fn client(&self) -> Client {
        let secret = self.secret.as_ref();
        let secret = secret.map(|secret| ClientSecret::new(secret.expose_secret().to_owned()));
        let id = ClientId::new(self.provider.settings.client_id.clone());
        CoreClient::from_provider_metadata(self.metadata.clone(), id, secret)
            .set_redirect_uri(self.redirect_url.clone())
    }
}

type Client = CoreClient<
    openidconnect::EndpointSet,
    openidconnect::EndpointNotSet,
    openidconnect::EndpointNotSet,
    openidconnect::EndpointNotSet,
    openidconnect::EndpointMaybeSet,
    openidconnect::EndpointMaybeSet,
>;

/// What follows the `@`, when there is something on both sides.
#[must_use]
pub fn domain_of(email: &str) -> Option<&str> {
    let (local, domain) = email.rsplit_once('@')?;
    (!local.is_empty() && !domain.is_empty()).then_some(domain)
}

/// A failure that a person cannot mend; the details are for the log.
fn failed(detail: &str) -> ApiError {
    tracing::warn!(detail, "a sign-in at an identity provider failed");
    ApiError::new(
        ErrorKind::Unauthenticated,
        "identity_provider_failed",
        "the identity provider did not confirm who you are",
    )
}

/// A person whom the provider vouches for, but who does not come in.
#[must_use]
pub fn refused(code: &'static str, detail: &'static str) -> ApiError {
    ApiError::new(ErrorKind::Forbidden, code, detail)
}

fn email_not_allowed() -> ApiError {
    refused(
        "email_not_allowed",
        "the identity provider does not speak for this e-mail address",
    )
}

async fn send(outbound: &OutboundClient, request: HttpRequest) -> Result<HttpResponse, PortError> {
    outbound.send(request).await
}

fn open_secret(
    provider: &IdentityProvider,
    keyring: &Keyring,
    sealed: &[u8],
) -> Result<SecretString, ApiError> {
    let purpose = SecretPurpose::OidcClientSecret;
    let opened = keyring.open(purpose, provider.organization_id, sealed)?;
    let text = String::from_utf8(opened.expose_secret().to_vec()).map_err(ApiError::internal)?;
    Ok(text.into())
}

/// The claims of a token whose signature has been checked.
fn payload(token: &str) -> Result<Value, ApiError> {
    let part = token.split('.').nth(1).unwrap_or_default();
    URL_SAFE_NO_PAD
        .decode(part)
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .filter(Value::is_object)
        .ok_or_else(|| failed("the ID token has no claims"))
}

/// A list of names, or a single one.
fn names(claim: &Value) -> BTreeSet<String> {
    match claim {
        Value::String(name) => BTreeSet::from([name.clone()]),
        Value::Array(items) => items
            .iter()
            .take(MAX_GROUPS)
            .filter_map(|item| item.as_str().map(str::to_owned))
            .collect(),
        _ => BTreeSet::new(),
    }
}
