//! What a person reaches, read from the rows on both databases.

use quarry_shared::{
    domain::{
        Grants, OrganizationId, OrganizationRole, Permission, ProjectId, ProjectRole, UserId,
    },
    store::{
        StoreError,
        grants::{self, Object},
        organizations, projects,
        users::{self, NewUser},
    },
};
use sea_orm::{ConnectionTrait, Statement, Value};
use uuid::Uuid;

use super::store_database::TestDatabase;

struct World {
    database: TestDatabase,
    organization: OrganizationId,
    project: ProjectId,
}

impl World {
    /// An organization with one private project.
    async fn on(database: TestDatabase) -> Self {
        let writer = database.database.writer();
        let owner = user(&database, "owner").await;
        let organization = organizations::create(writer, owner, "A").await.unwrap().id;
        let project = projects::create_in(writer, organization, "P")
            .await
            .unwrap();
        let world = Self {
            database,
            organization,
            project: project.id,
        };
        world.set("visibility", "private".into()).await;
        world
    }

    async fn run<const N: usize>(&self, sql: &str, values: [Value; N]) {
        let writer = self.database.database.writer();
        let statement = Statement::from_sql_and_values(writer.get_database_backend(), sql, values);
        writer.execute_raw(statement).await.unwrap();
    }

    async fn set(&self, column: &str, value: Value) {
        let sql = format!("UPDATE projects SET {column} = $2 WHERE id = $1");
        self.run(&sql, [self.project.0.into(), value]).await;
    }

    async fn member(&self, name: &str, role: OrganizationRole) -> UserId {
        let user = user(&self.database, name).await;
        let writer = self.database.database.writer();
        organizations::add_member(writer, self.organization, user, role)
            .await
            .unwrap();
        user
    }

    async fn project_member(&self, user: UserId, role: &str) {
        let sql = "INSERT INTO project_members \
                   (organization_id, project_id, user_id, role, created_at) \
                   VALUES ($1, $2, $3, $4, $5)";
        let values = [
            self.organization.0.into(),
            self.project.0.into(),
            user.0.into(),
            role.into(),
            chrono::Utc::now().into(),
        ];
        self.run(sql, values).await;
    }

    /// A team with this member, that shares the project in this role.
    async fn team(&self, user: UserId, role: &str) {
        let (team, now) = (Uuid::now_v7(), chrono::Utc::now());
        let organization: Value = self.organization.0.into();
        let sql = "INSERT INTO teams (id, organization_id, name, slug, created_at) \
                   VALUES ($1, $2, $3, $3, $4)";
        let name = team.to_string();
        let values = [team.into(), organization.clone(), name.into(), now.into()];
        self.run(sql, values).await;
        let sql = "INSERT INTO team_members (organization_id, team_id, user_id, created_at) \
                   VALUES ($1, $2, $3, $4)";
        let values = [organization.clone(), team.into(), user.0.into(), now.into()];
        self.run(sql, values).await;
        let sql = "INSERT INTO team_projects \
                   (organization_id, team_id, project_id, role, created_at) \
                   VALUES ($1, $2, $3, $4, $5)";
        let project = self.project.0.into();
        let values = [organization, team.into(), project, role.into(), now.into()];
        self.run(sql, values).await;
    }

    async fn grants(&self, user: UserId) -> Result<Grants, StoreError> {
        let reader = self.database.database.reader();
        let object = Object::Project(self.project);
        let found = grants::load_for(reader, user, object).await?;
        assert_eq!(found.project_id, Some(self.project));
        Ok(found.grants)
    }

    async fn role(&self, user: UserId) -> Option<ProjectRole> {
        match self.grants(user).await {
            Ok(grants) => grants.project_role(self.project),
            Err(StoreError::NotFound("project")) => None,
            Err(error) => panic!("{error:?}"),
        }
    }
}

async fn user(database: &TestDatabase, name: &str) -> UserId {
    let new = NewUser {
        email: format!("{name}@example.invalid"),
        name: name.to_owned(),
        password_hash: String::new(),
        is_instance_administrator: true,
    };
    let writer = database.database.writer();
    users::create(writer, new).await.unwrap().id
}

async fn both() -> [World; 2] {
    [
        World::on(TestDatabase::sqlite().await).await,
        World::on(TestDatabase::postgres().await).await,
    ]
}

#[tokio::test]
async fn a_private_project_does_not_exist_for_members_without_a_role() {
    use OrganizationRole::{Administrator, Member, Owner};
    for world in both().await {
        let stranger = user(&world.database, "stranger").await;
        let member = world.member("member", Member).await;
        let administrator = world.member("administrator", Administrator).await;
        let owner = world.member("other-owner", Owner).await;
        for (user, expected) in [
            (stranger, None),
            (member, None),
            (administrator, Some(ProjectRole::Maintainer)),
            (owner, Some(ProjectRole::Maintainer)),
        ] {
            assert_eq!(world.role(user).await, expected);
        }
        world.set("visibility", "organization".into()).await;
        // An instance administrator is nobody here.
        assert_eq!(world.role(stranger).await, None);
        assert_eq!(world.role(member).await, Some(ProjectRole::Reader));
    }
}

#[tokio::test]
async fn the_highest_of_all_reasons_counts() {
    use ProjectRole::{Maintainer, Reader};
    for world in both().await {
        for (at, (direct, teams, expected)) in [
            (Some("reader"), vec![], Reader),
            (None, vec!["reader"], Reader),
            (None, vec!["reader", "maintainer", "reader"], Maintainer),
            (Some("maintainer"), vec!["reader"], Maintainer),
            (Some("reader"), vec!["maintainer"], Maintainer),
        ]
        .into_iter()
        .enumerate()
        {
            let name = format!("member{at}");
            let user = world.member(&name, OrganizationRole::Member).await;
            if let Some(role) = direct {
                world.project_member(user, role).await;
            }
            for role in teams {
                world.team(user, role).await;
            }
            assert_eq!(world.role(user).await, Some(expected), "case {at}");
        }
    }
}

#[tokio::test]
async fn leaving_the_organization_ends_every_reason_at_once() {
    for world in both().await {
        let user = world.member("member", OrganizationRole::Member).await;
        world.project_member(user, "maintainer").await;
        world.team(user, "maintainer").await;
        assert_eq!(world.role(user).await, Some(ProjectRole::Maintainer));
        let delete = "DELETE FROM memberships WHERE user_id = $1";
        world.run(delete, [user.0.into()]).await;
        assert_eq!(world.role(user).await, None);
        // Coming back brings none of them back.
        let writer = world.database.database.writer();
        let (organization, role) = (world.organization, OrganizationRole::Member);
        organizations::add_member(writer, organization, user, role)
            .await
            .unwrap();
        assert_eq!(world.role(user).await, None);
        let reader = world.database.database.reader();
        let grants = grants::load(reader, user, organization).await.unwrap();
        let scope = grants.read_scope(Permission::ReadProject);
        assert!(scope.projects().is_empty());
    }
}

#[tokio::test]
async fn what_is_being_deleted_exists_for_nobody() {
    for world in both().await {
        let owner = world.member("owner2", OrganizationRole::Owner).await;
        let now: Value = chrono::Utc::now().into();
        world.set("deleting_at", now.clone()).await;
        assert_eq!(world.role(owner).await, None);
        let reader = world.database.database.reader();
        let grants = grants::load(reader, owner, world.organization)
            .await
            .unwrap();
        assert_eq!(grants.project_role(world.project), None);
        let sql = "UPDATE organizations SET deleting_at = $2 WHERE id = $1";
        world.run(sql, [world.organization.0.into(), now]).await;
        let found = grants::load(reader, owner, world.organization).await;
        assert!(matches!(found, Err(StoreError::NotFound("organization"))));
    }
}

#[tokio::test]
async fn no_row_can_join_two_organizations() {
    for world in both().await {
        let stranger = user(&world.database, "stranger").await;
        let writer = world.database.database.writer();
        let other = organizations::create(writer, stranger, "B").await.unwrap();
        let sql = "INSERT INTO project_members \
                   (organization_id, project_id, user_id, role, created_at) \
                   VALUES ($1, $2, $3, 'maintainer', $4)";
        for organization in [world.organization, other.id] {
            let values: [Value; 4] = [
                organization.0.into(),
                world.project.0.into(),
                stranger.0.into(),
                chrono::Utc::now().into(),
            ];
            let statement =
                Statement::from_sql_and_values(writer.get_database_backend(), sql, values);
            assert!(writer.execute_raw(statement).await.is_err());
        }
    }
}
