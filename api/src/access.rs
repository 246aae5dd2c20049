//! What somebody may do: the door to every object of an organization.
//!
//! A handler that takes [`Access<Action>`] runs only when the bearer's person holds the action's
//! permission on the object that the address names (`…/repositories/{repository_id}`), and holds
//! the scope to go on with. Somebody who is no member of the object's organization gets the same
//! 404 as for an object that does not exist, from the same statement; a member whose role does not
//! allow the action gets 403. An identifier that is none at all is as missing as any other.

use std::{marker::PhantomData, str::FromStr};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use futures::future::LocalBoxFuture;
use quarry_shared::{
    domain::{Grants, OrganizationId, Permission, ProjectId, ReadScope, SnapshotId, WriteScope},
    store::grants::{self, Object},
};

use crate::{
    authentication::principal::{Principal, bearer},
    problem::ApiError,
    state::AppState,
};

/// Something that a handler does, with the permission it takes and the scope it gives.
pub trait Action: 'static {
    const PERMISSION: Permission;
    type Scope;
    fn scope(grants: &Grants) -> Self::Scope;
}

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident: $scope:ident by $method:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name;

        impl Action for $name {
            const PERMISSION: Permission = Permission::$name;
            type Scope = $scope;

            fn scope(grants: &Grants) -> $scope {
                grants.$method(Permission::$name)
            }
        }
    )*};
}

actions! {
    /// See what belongs to a project.
    ReadProject: ReadScope by read_scope;
    /// Start, cancel and retry index runs.
    IndexRepository: WriteScope by write_scope;
    /// Add, change and delete repositories.
    ManageRepository: WriteScope by write_scope;
    /// Create and change projects.
    ManageProject: WriteScope by write_scope;
}

/// Proof that a person may do `A` to the object of the address.
pub struct Access<A: Action> {
    pub principal: Principal,
    scope: A::Scope,
    organization_id: OrganizationId,
    project_id: Option<ProjectId>,
    action: PhantomData<A>,
}

impl<A: Action> Access<A> {
    /// What the person may do it to.
    pub const fn scope(&self) -> &A::Scope {
        &self.scope
    }

    /// The organization of the object.
    pub const fn organization_id(&self) -> OrganizationId {
        self.organization_id
    }

    /// The project of the object.
    ///
    /// # Errors
    /// `NotFound` when the object is an organization.
    pub fn project_id(&self) -> Result<ProjectId, ApiError> {
        self.project_id
            .ok_or_else(|| ApiError::not_found("project"))
    }

    /// The same check for an object that the body or query names.
    ///
    /// # Errors
    /// `NotFound` when the object is missing or foreign, `Forbidden` when the role is too low.
    pub async fn to(
        state: &AppState,
        principal: Principal,
        object: Object,
    ) -> Result<Self, ApiError> {
        let db = state.database().reader();
        let found = grants::load_for(db, principal.user.id, object).await?;
        let writes = found.grants.write_scope(A::PERMISSION);
        let is_allowed = match found.project_id {
            Some(project) => writes.allows(project),
            None => writes.is_organization_wide(),
        };
        if !is_allowed {
            return Err(ApiError::forbidden());
        }
        Ok(Self {
            principal,
            scope: A::scope(&found.grants),
            organization_id: found.grants.organization_id(),
            project_id: found.project_id,
            action: PhantomData,
        })
    }
}

impl<A: Action> FromRequest for Access<A> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let state = AppState::of(&request)?;
            let principal = Principal::of(&state, bearer(&request)).await?;
            let object = object_of(&request)?;
            Self::to(&state, principal, object).await
        })
    }
}

/// The object that the address names.
fn object_of(request: &HttpRequest) -> Result<Object, ApiError> {
    let (name, text) = request
        .match_info()
        .iter()
        .next()
        .ok_or_else(|| ApiError::internal("the address names no object"))?;
    match name {
        "organization_id" => parse(text, "organization").map(Object::Organization),
        "project_id" => parse(text, "project").map(Object::Project),
        "repository_id" => parse(text, "repository").map(Object::Repository),
        "branch_id" => parse(text, "branch").map(Object::Branch),
        "index_run_id" => parse(text, "index run").map(Object::IndexRun),
        "snapshot_id" => parse(text, "snapshot").map(|id| Object::Snapshot(SnapshotId(id))),
        other => Err(ApiError::internal(format!("`{other}` is not an object"))),
    }
}

fn parse<T: FromStr>(text: &str, noun: &str) -> Result<T, ApiError> {
    text.parse().map_err(|_| ApiError::not_found(noun))
}
