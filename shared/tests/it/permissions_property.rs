//! Random people, teams, shares and revocations: grants agree with a model that is too simple to be
//! wrong, and searches show what it allows and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRunner},
};
use quarry_shared::{
    config::RetrievalSettings,
    domain::{
        Grants, OrganizationId, OrganizationRole, Permission, ProjectId, ProjectRole, ReadScope,
        RepositoryId, RepositorySource, RunTrigger, TeamId, UserId, Visibility,
    },
    retrieval::{ExactQuery, Retrieval, RetrievalParts, SearchQuery, SymbolQuery},
    store::{
        Database, StoreError, grants, members, organizations, project_members, projects,
        repositories::{self, NewRepository},
        teams,
        users::{self, NewUser},
    },
};

use super::{
    indexing_world::{World, function},
    store_database::TestDatabase,
};

const ORGANIZATIONS: usize = 2;
const PROJECTS: usize = 6;
const TEAMS: usize = 4;
const PEOPLE: usize = 4;

/// Something that an owner does. Numbers name projects, teams and people; some of them do not belong
/// together, and then nothing may happen.
#[derive(Debug, Clone)]
enum Step {
    Join(usize, usize, OrganizationRole),
    Leave(usize, usize),
    Role(usize, usize, OrganizationRole),
    Show(usize, Visibility),
    Name(usize, usize, Option<ProjectRole>),
    Seat(usize, usize, bool),
    Share(usize, usize, Option<ProjectRole>),
    DeleteTeam(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let role = || prop::sample::select(OrganizationRole::ALL);
    let project_role = || prop::option::of(prop::sample::select(ProjectRole::ALL));
    prop_oneof![
        4 => (0..ORGANIZATIONS, 0..PEOPLE, role()).prop_map(|(o, u, r)| Step::Join(o, u, r)),
        2 => (0..ORGANIZATIONS, 0..PEOPLE).prop_map(|(o, u)| Step::Leave(o, u)),
        1 => (0..ORGANIZATIONS, 0..PEOPLE, role()).prop_map(|(o, u, r)| Step::Role(o, u, r)),
        3 => (0..PROJECTS, prop::sample::select(Visibility::ALL))
            .prop_map(|(p, v)| Step::Show(p, v)),
        3 => (0..PROJECTS, 0..PEOPLE, project_role()).prop_map(|(p, u, r)| Step::Name(p, u, r)),
        4 => (0..TEAMS, 0..PEOPLE, any::<bool>()).prop_map(|(t, u, b)| Step::Seat(t, u, b)),
        4 => (0..PROJECTS, 0..TEAMS, project_role()).prop_map(|(p, t, r)| Step::Share(p, t, r)),
        1 => (0..TEAMS).prop_map(Step::DeleteTeam),
    ]
}

/// What should hold. Even numbers of projects and teams lie in the first organization.
#[derive(Default)]
struct Model {
    members: BTreeMap<(usize, usize), OrganizationRole>,
    open: BTreeSet<usize>,
    named: BTreeMap<(usize, usize), ProjectRole>,
    seats: BTreeSet<(usize, usize)>,
    shares: BTreeMap<(usize, usize), ProjectRole>,
    deleted_teams: BTreeSet<usize>,
}

const fn organization_of(number: usize) -> usize {
    number % ORGANIZATIONS
}

impl Model {
    fn apply(&mut self, step: &Step) {
        match *step {
            Step::Join(o, u, role) => {
                self.members.entry((o, u)).or_insert(role);
            }
            Step::Leave(o, u) => {
                self.members.remove(&(o, u));
                self.named
                    .retain(|(p, of), _| *of != u || organization_of(*p) != o);
                self.seats
                    .retain(|(t, of)| *of != u || organization_of(*t) != o);
            }
            Step::Role(o, u, role) => {
                self.members.entry((o, u)).and_modify(|held| *held = role);
            }
            Step::Show(p, Visibility::Organization) => {
                self.open.insert(p);
            }
            Step::Show(p, Visibility::Private) => {
                self.open.remove(&p);
            }
            Step::Name(p, u, Some(role)) if self.belongs(organization_of(p), u) => {
                self.named.insert((p, u), role);
            }
            Step::Name(p, u, None) => {
                self.named.remove(&(p, u));
            }
            Step::Seat(t, u, true) if self.exists(t) && self.belongs(organization_of(t), u) => {
                self.seats.insert((t, u));
            }
            Step::Seat(t, u, false) => {
                self.seats.remove(&(t, u));
            }
            Step::Share(p, t, Some(role))
                if self.exists(t) && organization_of(p) == organization_of(t) =>
            {
                self.shares.insert((p, t), role);
            }
            Step::Share(p, t, None) => {
                self.shares.remove(&(p, t));
            }
            Step::DeleteTeam(t) => {
                self.deleted_teams.insert(t);
                self.seats.retain(|(of, _)| *of != t);
                self.shares.retain(|(_, of), _| *of != t);
            }
            Step::Name(..) | Step::Seat(..) | Step::Share(..) => {}
        }
    }

    fn belongs(&self, organization: usize, person: usize) -> bool {
        self.members.contains_key(&(organization, person))
    }

    fn exists(&self, team: usize) -> bool {
        !self.deleted_teams.contains(&team)
    }

    fn role(&self, person: usize, project: usize) -> Option<ProjectRole> {
        let role = self.members.get(&(organization_of(project), person))?;
        let by_teams = self
            .shares
            .iter()
            .filter(|((p, t), _)| *p == project && self.seats.contains(&(*t, person)))
            .map(|(_, role)| *role);
        let by_name = self.named.get(&(project, person)).copied();
        let by_visibility = self.open.contains(&project).then_some(ProjectRole::Reader);
        let by_role = (*role != OrganizationRole::Member).then_some(ProjectRole::Maintainer);
        by_teams
            .chain(by_name)
            .chain(by_visibility)
            .chain(by_role)
            .max()
    }
}

/// The same things in a database.
struct Place {
    database: Database,
    organizations: Vec<OrganizationId>,
    owners: Vec<UserId>,
    projects: Vec<ProjectId>,
    teams: Vec<TeamId>,
    people: Vec<UserId>,
}

impl Place {
    async fn build(database: Database) -> Self {
        let mut place = Self {
            database,
            organizations: Vec::new(),
            owners: Vec::new(),
            projects: Vec::new(),
            teams: Vec::new(),
            people: Vec::new(),
        };
        let db = place.database.writer().clone();
        for number in 0..ORGANIZATIONS {
            let owner = place.user(&format!("owner{number}")).await;
            let created = organizations::create(&db, owner, "O").await.unwrap();
            place.owners.push(owner);
            place.organizations.push(created.id);
        }
        for number in 0..PROJECTS {
            let grants = place.owned(organization_of(number)).await;
            let scope = grants
                .organization_scope(Permission::CreateProject)
                .unwrap();
            let private = Visibility::Private;
            let created = projects::create(&db, &scope, "P", private).await.unwrap();
            place.projects.push(created.id);
        }
        for number in 0..TEAMS {
            let grants = place.owned(organization_of(number)).await;
            let scope = grants.organization_scope(Permission::ManageTeams).unwrap();
            place
                .teams
                .push(teams::create(&db, &scope, "T").await.unwrap().id);
        }
        for number in 0..PEOPLE {
            let person = place.user(&format!("person{number}")).await;
            place.people.push(person);
        }
        place
    }

    async fn user(&self, name: &str) -> UserId {
        let new = NewUser {
            email: format!("{name}@example.invalid"),
            name: name.to_owned(),
            password_hash: String::new(),
            is_instance_administrator: true,
        };
        users::create(self.database.writer(), new).await.unwrap().id
    }

    /// The owner's grants.
    async fn owned(&self, organization: usize) -> Grants {
        let (user, id) = (self.owners[organization], self.organizations[organization]);
        grants::load(self.database.reader(), user, id)
            .await
            .unwrap()
    }

    /// Does the step as the owner of the organization that its first number lies in.
    async fn apply(&self, step: &Step) {
        let done = self.try_apply(step).await;
        assert!(
            matches!(done, Ok(()) | Err(StoreError::NotFound(_))),
            "{step:?}: {done:?}"
        );
    }

    async fn try_apply(&self, step: &Step) -> Result<(), StoreError> {
        let organization = match *step {
            Step::Join(o, ..) | Step::Leave(o, _) | Step::Role(o, ..) => o,
            Step::Show(p, _) | Step::Name(p, ..) | Step::Share(p, ..) => organization_of(p),
            Step::Seat(t, ..) | Step::DeleteTeam(t) => organization_of(t),
        };
        let grants = self.owned(organization).await;
        let people = grants
            .organization_scope(Permission::ManageMembers)
            .unwrap();
        let teams = grants.organization_scope(Permission::ManageTeams).unwrap();
        let manage = grants.write_scope(Permission::ManageProject);
        let (db, id) = (self.database.writer(), people.organization_id());
        match *step {
            Step::Join(_, u, role) => {
                if members::find(db, &people, self.people[u]).await.is_err() {
                    organizations::add_member(db, id, self.people[u], role).await?;
                }
            }
            Step::Leave(_, u) => {
                members::remove(db, &people, self.people[u]).await?;
            }
            Step::Role(_, u, role) => {
                members::set_role(db, &people, self.people[u], role).await?;
            }
            Step::Show(p, visibility) => {
                let visibility = Some(visibility);
                projects::change(db, &manage, self.projects[p], None, visibility).await?;
            }
            Step::Name(p, u, role) => {
                let (project, user) = (self.projects[p], self.people[u]);
                match role {
                    Some(role) => project_members::set(db, &manage, project, user, role).await?,
                    None => project_members::remove(db, &manage, project, user).await?,
                }
            }
            Step::Seat(t, u, true) => {
                teams::add_member(db, &teams, self.teams[t], self.people[u]).await?;
            }
            Step::Seat(t, u, false) => {
                teams::remove_member(db, &teams, self.teams[t], self.people[u]).await?;
            }
            Step::Share(p, t, role) => {
                let (project, team) = (self.projects[p], self.teams[t]);
                match role {
                    Some(role) => {
                        project_members::set_team(db, &manage, project, team, role).await?;
                    }
                    None => project_members::remove_team(db, &manage, project, team).await?,
                }
            }
            Step::DeleteTeam(t) => teams::delete(db, &teams, self.teams[t]).await?,
        }
        Ok(())
    }

    /// Grants of every person in every organization, and for every project by itself, agree.
    async fn agrees(&self, model: &Model) {
        let db = self.database.reader();
        for (u, user) in self.people.iter().enumerate() {
            for (o, organization) in self.organizations.iter().enumerate() {
                let held = grants::load(db, *user, *organization).await;
                assert_eq!(held.is_ok(), model.belongs(o, u), "person {u} in {o}");
                let Ok(held) = held else { continue };
                for (p, project) in self.projects.iter().enumerate() {
                    let expected = model.role(u, p).filter(|_| organization_of(p) == o);
                    assert_eq!(held.project_role(*project), expected, "{u} in {p}");
                    for permission in Permission::ALL {
                        let writes = held.write_scope(*permission).allows(*project);
                        let may = expected.is_some_and(|role| role.permits(*permission));
                        assert_eq!(writes, may, "{u} in {p}: {permission:?}");
                    }
                }
            }
            for (p, project) in self.projects.iter().enumerate() {
                let found = grants::load_for_project(db, *user, *project).await;
                assert_eq!(found.is_ok(), model.role(u, p).is_some(), "{u} in {p}");
            }
        }
    }

    async fn scope(&self, user: UserId, organization: OrganizationId) -> Option<ReadScope> {
        let held = grants::load(self.database.reader(), user, organization).await;
        Some(held.ok()?.read_scope(Permission::ReadProject))
    }
}

fn run_cases(cases: u32, steps: usize, test: impl Fn(Vec<Step>)) {
    let config = Config {
        cases,
        max_shrink_iters: 50,
        failure_persistence: None,
        ..Config::default()
    };
    let strategy = prop::collection::vec(step(), 1..=steps);
    let outcome = TestRunner::new_with_rng(
        config,
        prop::test_runner::TestRng::deterministic_rng(prop::test_runner::RngAlgorithm::ChaCha),
    )
    .run(&strategy, |steps| {
        test(steps);
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn grants_agree_with_a_naive_model_after_every_step() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    run_cases(24, 40, |steps| {
        runtime.block_on(async {
            let database = TestDatabase::sqlite().await;
            let place = Place::build(database.database.clone()).await;
            let mut model = Model::default();
            for step in &steps {
                place.apply(step).await;
                model.apply(step);
                place.agrees(&model).await;
            }
        });
    });
}

#[tokio::test]
async fn grants_agree_with_a_naive_model_on_postgres_too() {
    let database = TestDatabase::postgres().await;
    let place = Place::build(database.database.clone()).await;
    let mut runner = TestRunner::deterministic();
    let mut model = Model::default();
    for _ in 0..60 {
        let step = step().new_tree(&mut runner).unwrap().current();
        place.apply(&step).await;
        model.apply(&step);
        place.agrees(&model).await;
    }
}

/// Every project with the same code in a repository of its own, indexed into both engines.
async fn fill(world: &World, place: &Place) -> BTreeMap<RepositoryId, usize> {
    let text = function("shared_secret");
    world
        .source
        .commit_files(&[("src/secret.py", text.as_str())]);
    let mut repositories = BTreeMap::new();
    for (p, project) in place.projects.iter().enumerate() {
        let grants = place.owned(organization_of(p)).await;
        let scope = grants.write_scope(Permission::ManageRepository);
        let path = world.source.path.display().to_string();
        let new = NewRepository {
            project_id: *project,
            name: format!("repository{p}"),
            source: RepositorySource::Local { path: path.clone() },
            location_key: path,
            credential: None,
            depth: None,
            tracked_branches: Vec::new(),
        };
        let db = place.database.writer();
        let id = repositories::insert(db, &scope, new).await.unwrap();
        let organization = scope.organization_id();
        world
            .indexing
            .request_index(organization, id, None, RunTrigger::Manual)
            .await
            .unwrap();
        world.run_jobs().await;
        repositories.insert(id, p);
    }
    repositories
}

#[tokio::test]
async fn searches_show_what_may_be_read_and_nothing_else() {
    let world = World::start().await;
    let place = Place::build(world.database.database.clone()).await;
    let repositories = fill(&world, &place).await;
    let retrieval = Retrieval::new(RetrievalParts {
        database: place.database.clone(),
        lexical: world.lexical.clone(),
        vector: world.vector.clone(),
        embedder: Some(world.embedder.clone()),
        reranker: None,
        settings: RetrievalSettings::default(),
    });
    let mut runner = TestRunner::deterministic();
    let mut model = Model::default();
    let mut shown = 0;
    for _ in 0..80 {
        let step = step().new_tree(&mut runner).unwrap().current();
        place.apply(&step).await;
        model.apply(&step);
        for (u, user) in place.people.iter().enumerate() {
            for (o, organization) in place.organizations.iter().enumerate() {
                let Some(scope) = place.scope(*user, *organization).await else {
                    assert!(!model.belongs(o, u));
                    continue;
                };
                let readable: BTreeSet<usize> = (0..PROJECTS)
                    .filter(|p| organization_of(*p) == o && model.role(u, *p).is_some())
                    .collect();
                let found = found(&retrieval, &scope, &repositories).await;
                for (way, projects) in found {
                    assert_eq!(projects, readable, "{way} for {u} in {o} after {step:?}");
                }
                shown += readable.len();
            }
        }
    }
    assert!(shown > 100, "the steps let people see something: {shown}");
}

/// The projects that each way of searching shows.
async fn found(
    retrieval: &Retrieval,
    scope: &ReadScope,
    repositories: &BTreeMap<RepositoryId, usize>,
) -> [(&'static str, BTreeSet<usize>); 4] {
    let query = SearchQuery {
        text: "shared_secret".to_owned(),
        limit: 50,
        ..SearchQuery::default()
    };
    let search = retrieval.search(scope, &query).await.unwrap();
    let exact = ExactQuery {
        pattern: "shared_secret".to_owned(),
        ..ExactQuery::default()
    };
    let exact = retrieval.search_exact(scope, &exact).await.unwrap();
    let symbols = SymbolQuery {
        name: "shared_secret".to_owned(),
        ..SymbolQuery::default()
    };
    let symbols = retrieval.find_symbols(scope, &symbols).await.unwrap();
    let place = |id: &RepositoryId| repositories[id];
    [
        (
            "search",
            search
                .hits
                .iter()
                .map(|hit| place(&hit.repository_id))
                .collect(),
        ),
        (
            "the list of what was searched",
            search
                .searched
                .iter()
                .map(|branch| place(&branch.repository_id))
                .collect(),
        ),
        (
            "exact search",
            exact
                .files
                .iter()
                .map(|file| place(&file.repository_id))
                .collect(),
        ),
        (
            "symbols",
            symbols
                .iter()
                .map(|hit| place(&hit.repository_id))
                .collect(),
        ),
    ]
}
