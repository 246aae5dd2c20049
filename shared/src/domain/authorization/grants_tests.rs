#![allow(clippy::unwrap_used)]

use super::*;

struct Case {
    grants: Grants,
    read: ProjectId,
    kept: ProjectId,
}

/// An administrator who reads one project and maintains another.
fn case() -> Case {
    let (read, kept) = (ProjectId::generate(), ProjectId::generate());
    let grant = |project_id, role| ProjectGrant { project_id, role };
    let rows = [
        grant(read, ProjectRole::Reader),
        grant(kept, ProjectRole::Maintainer),
        grant(kept, ProjectRole::Reader),
    ];
    let grants = Grants::from_rows(
        UserId::generate(),
        OrganizationId::generate(),
        OrganizationRole::Administrator,
        rows,
    );
    Case { grants, read, kept }
}

fn all() -> BTreeSet<Permission> {
    Permission::ALL.iter().copied().collect()
}

#[test]
fn the_highest_role_counts_and_an_unknown_project_has_none() {
    let case = case();
    assert_eq!(
        case.grants.project_role(case.kept),
        Some(ProjectRole::Maintainer)
    );
    let unknown = ProjectId::generate();
    assert_eq!(case.grants.project_role(unknown), None);
    assert!(!case.grants.holds_in(Permission::ReadProject, unknown));
    let writes = case.grants.write_scope(Permission::ManageProject);
    assert!(writes.allows(case.kept) && !writes.allows(case.read));
}

#[test]
fn a_project_permission_is_never_held_by_the_organization_nor_the_other_way_round() {
    let case = case();
    for permission in Permission::ALL {
        let is_project = matches!(permission.requirement(), Requirement::Project(_));
        assert!(!(is_project && case.grants.holds(*permission)));
        assert!(is_project || !case.grants.holds_in(*permission, case.kept));
        let scope = case.grants.organization_scope(*permission);
        assert_eq!(scope.is_some(), case.grants.holds(*permission));
    }
    assert!(!case.grants.holds(Permission::ManageOrganization));
}

#[test]
fn an_empty_limit_leaves_nothing() {
    let case = case();
    let none = case.grants.limited(&BTreeSet::new(), None);
    for permission in Permission::ALL {
        assert!(!none.may_begin(*permission) && !none.holds(*permission));
        assert!(none.read_scope(*permission).projects().is_empty());
        assert!(none.organization_scope(*permission).is_none());
    }
}

#[test]
fn a_limit_to_projects_hides_the_others_and_the_organization() {
    let case = case();
    let foreign = ProjectId::generate();
    let limited = case
        .grants
        .limited(&all(), Some(&BTreeSet::from([case.read, foreign])));
    assert_eq!(limited.project_role(case.kept), None);
    assert_eq!(limited.project_role(foreign), None);
    assert!(limited.holds_in(Permission::ReadProject, case.read));
    assert!(!limited.holds_in(Permission::ManageProject, case.read));
    assert!(limited.holds(Permission::ReadOrganization));
    for permission in [Permission::CreateProject, Permission::ManageMembers] {
        assert!(!limited.holds(permission), "{permission:?}");
    }
}

#[test]
fn limits_add_up_and_never_give_anything_back() {
    let case = case();
    let read = BTreeSet::from([Permission::ReadProject]);
    let limited = case
        .grants
        .clone()
        .limited(&read, Some(&BTreeSet::from([case.read])))
        .limited(&all(), Some(&BTreeSet::from([case.read, case.kept])))
        .limited(&all(), None);
    assert_eq!(limited.project_role(case.kept), None);
    for permission in Permission::ALL {
        let expected = *permission == Permission::ReadProject;
        assert_eq!(limited.holds_in(*permission, case.read), expected);
        assert!(!limited.holds(*permission));
    }
}

#[test]
fn a_member_without_projects_may_begin_to_read_and_finds_nothing() {
    let grants = Grants::from_rows(
        UserId::generate(),
        OrganizationId::generate(),
        OrganizationRole::Member,
        [],
    );
    assert!(grants.may_begin(Permission::ReadProject));
    let scope = grants.read_scope(Permission::ReadProject);
    assert!(scope.projects().is_empty() && !scope.allows(ProjectId::generate()));
    let readable = grants.organization_scope(Permission::ReadOrganization);
    assert!(readable.unwrap().projects().projects().is_empty());
}
