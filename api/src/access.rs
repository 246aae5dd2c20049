//! What somebody may do: the door to every object of an organization.
//!
//! A handler that takes [`Access<Action>`] runs only when the bearer's person holds the action's
//! permission on the object that the address names (`…/repositories/{repository_id}`), and holds
//! the scope to go on with. Somebody who is no member of the object's organization gets the same
//! 404 as for an object that does not exist, from the same statement, and so does a member without a
//! role in the object's project; somebody whose role does not allow the action gets 403. An
//! identifier that is none at all is as missing as any other.

use std::{marker::PhantomData, str::FromStr};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use futures::future::LocalBoxFuture;
use quarry_shared::{
    domain::{
        Grants, OrganizationId, OrganizationScope, Permission, ProjectId, ReadScope, SnapshotId,
        WriteScope,
    },
    store::grants::{self, Object},
};

use crate::{
    authentication::principal::Principal, problem::ApiError, rate_limits::Subject, state::AppState,
};

/// Something that a handler does, with the permission it takes and the scope it gives.
pub trait Action: 'static {
    const PERMISSION: Permission;
    type Scope;
    /// `None` when the grants do not hold the permission in the organization itself; a scope of
    /// projects may be empty.
    fn scope(grants: &Grants) -> Option<Self::Scope>;
}

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident: $scope:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name;

        impl Action for $name {
            const PERMISSION: Permission = Permission::$name;
            type Scope = $scope;

            fn scope(grants: &Grants) -> Option<$scope> {
                $scope::of(grants, Permission::$name)
            }
        }
    )*};
}

/// How a kind of scope is made from grants.
trait ScopeOf: Sized {
    fn of(grants: &Grants, permission: Permission) -> Option<Self>;
}

impl ScopeOf for ReadScope {
    fn of(grants: &Grants, permission: Permission) -> Option<Self> {
        Some(grants.read_scope(permission))
    }
}

impl ScopeOf for WriteScope {
    fn of(grants: &Grants, permission: Permission) -> Option<Self> {
        Some(grants.write_scope(permission))
    }
}

impl ScopeOf for OrganizationScope {
    fn of(grants: &Grants, permission: Permission) -> Option<Self> {
        grants.organization_scope(permission)
    }
}

actions! {
    /// See an organization, its members and teams.
    ReadOrganization: OrganizationScope;
    LeaveOrganization: OrganizationScope;
    CreateProject: OrganizationScope;
    /// Invite and remove members, change their roles.
    ManageMembers: OrganizationScope;
    ManageTeams: OrganizationScope;
    ManageServiceAccounts: OrganizationScope;
    ReadAudit: OrganizationScope;
    /// Rename and delete an organization, configure how its people sign in.
    ManageOrganization: OrganizationScope;
    /// See what belongs to a project.
    ReadProject: ReadScope;
    /// Start, cancel and retry index runs.
    IndexRepository: WriteScope;
    /// Add, change and delete repositories.
    ManageRepository: WriteScope;
    /// Change and delete projects, and who reaches them.
    ManageProject: WriteScope;
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
        if !principal.reaches(found.grants.organization_id()) {
            return Err(ApiError::not_found(object.noun()));
        }
        let grants = principal.limit(found.grants);
        let is_allowed = match found.project_id {
            // Outside what the credential is good for, an object is missing, too.
            Some(project) if grants.project_role(project).is_none() => {
                return Err(ApiError::not_found(object.noun()));
            }
            Some(project) => grants.holds_in(A::PERMISSION, project),
            None => grants.may_begin(A::PERMISSION),
        };
        let organization_id = grants.organization_id();
        let subject = Subject::Organization(organization_id);
        state.rate_limits.check(subject, principal.cost).await?;
        let scope = A::scope(&grants).filter(|_| is_allowed);
        let refused = || ApiError::forbidden().in_organization(organization_id);
        Ok(Self {
            principal,
            scope: scope.ok_or_else(refused)?,
            organization_id,
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
            let principal = Principal::from_header(&state, &request).await?;
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
        "team_id" => parse(text, "team").map(Object::Team),
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
