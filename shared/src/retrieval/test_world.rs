//! A database with content, written as the indexer would: SQLite, or a new database on the
//! PostgreSQL server that `QUARRY_TEST_POSTGRES_URL` names (without a database).

use chrono::Utc;
use quarry_migrations::{Migrator, MigratorTrait};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ConnectionTrait, DatabaseConnection, Statement, Value,
};
use uuid::Uuid;

use crate::{
    domain::{
        ChunkId, ChunkKind, FileClass, FileStatus, Grants, OrganizationId, OrganizationRole,
        Permission, ProjectGrant, ProjectId, ProjectRole, ReadScope, SnapshotId, SnapshotState,
        SymbolKind, UserId,
    },
    store::{
        Database, DatabaseSettings,
        entities::{
            blob, branch, chunk, file, organization, project, repository, snapshot, symbol,
        },
    },
};

pub(super) struct World {
    _folder: tempfile::TempDir,
    pub database: Database,
}

/// A repository with one branch, `main`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub organization: OrganizationId,
    pub project: ProjectId,
    pub repository: Uuid,
    pub branch: Uuid,
}

/// A file as it was written.
#[derive(Debug, Clone)]
pub(super) struct Written {
    pub place: Place,
    pub id: i64,
    pub blob: i64,
    pub path: String,
    pub born: i64,
    pub died: i64,
}

pub(super) const ALIVE: i64 = SnapshotId::NEVER.0;

impl World {
    pub(super) async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settings = match std::env::var("QUARRY_TEST_POSTGRES_URL") {
            Ok(server) => new_postgres(&server).await,
            Err(_) => DatabaseSettings::Sqlite {
                path: folder.path().join("quarry.db"),
            },
        };
        let database = Database::open(&settings).await.unwrap();
        Migrator::up(database.writer(), None).await.unwrap();
        Self {
            _folder: folder,
            database,
        }
    }

    fn db(&self) -> &DatabaseConnection {
        self.database.writer()
    }

    pub(super) async fn run(&self, sql: &str, values: impl IntoIterator<Item = Value>) {
        let backend = self.db().get_database_backend();
        let statement = Statement::from_sql_and_values(backend, sql, values);
        self.db().execute_raw(statement).await.unwrap();
    }

    /// The column `hits` of the only row.
    pub(super) async fn count(&self, sql: &str) -> i64 {
        let statement = Statement::from_string(self.db().get_database_backend(), sql);
        let row = self.db().query_one_raw(statement).await.unwrap().unwrap();
        row.try_get("", "hits").unwrap()
    }

    pub(super) async fn organization(&self) -> OrganizationId {
        let id = OrganizationId::generate();
        organization::ActiveModel {
            id: Set(id.0),
            name: Set(id.to_string()),
            slug: Set(id.to_string()),
            created_at: Set(Utc::now()),
            deleting_at: Set(None),
        }
        .insert(self.db())
        .await
        .unwrap();
        id
    }

    pub(super) async fn project(&self, organization: OrganizationId) -> ProjectId {
        let id = ProjectId::generate();
        project::ActiveModel {
            id: Set(id.0),
            organization_id: Set(organization.0),
            name: Set(id.to_string()),
            slug: Set(id.to_string()),
            created_at: Set(Utc::now()),
            visibility: Set("organization".to_owned()),
            deleting_at: Set(None),
        }
        .insert(self.db())
        .await
        .unwrap();
        id
    }

    /// A repository with a branch on which snapshot `published` is published.
    pub(super) async fn repository(
        &self,
        organization: OrganizationId,
        project: ProjectId,
        name: &str,
        published: i64,
    ) -> Place {
        let place = Place {
            organization,
            project,
            repository: Uuid::now_v7(),
            branch: Uuid::now_v7(),
        };
        repository::ActiveModel {
            id: Set(place.repository),
            organization_id: Set(organization.0),
            project_id: Set(project.0),
            name: Set(name.to_owned()),
            source_kind: Set("local".to_owned()),
            location: Set(name.to_owned()),
            location_key: Set(name.to_owned()),
            tracked_branches: Set("[]".to_owned()),
            state: Set("ready".to_owned()),
            lease_token: Set(0),
            created_at: Set(Utc::now()),
            ..Default::default()
        }
        .insert(self.db())
        .await
        .unwrap();
        branch::ActiveModel {
            id: Set(place.branch),
            organization_id: Set(organization.0),
            project_id: Set(project.0),
            repository_id: Set(place.repository),
            name: Set("main".to_owned()),
            is_default: Set(true),
            published_snapshot_id: Set(Some(published)),
            created_at: Set(Utc::now()),
        }
        .insert(self.db())
        .await
        .unwrap();
        self.snapshot(place, published, SnapshotState::Published)
            .await;
        place
    }

    /// One organization, project and repository, at snapshot 1.
    pub(super) async fn single(&self) -> Place {
        self.single_at(1).await
    }

    /// The same at another snapshot, whose ids are unique in the database.
    pub(super) async fn single_at(&self, snapshot: i64) -> Place {
        let organization = self.organization().await;
        let project = self.project(organization).await;
        self.repository(organization, project, "one", snapshot)
            .await
    }

    pub(super) async fn snapshot(&self, place: Place, id: i64, state: SnapshotState) {
        snapshot::ActiveModel {
            id: Set(id),
            organization_id: Set(place.organization.0),
            project_id: Set(place.project.0),
            repository_id: Set(place.repository),
            branch_id: Set(place.branch),
            commit: Set(format!("{id:040x}")),
            state: Set(state.as_str().to_owned()),
            format: Set("1".to_owned()),
            created_at: Set(Utc::now()),
            ..Default::default()
        }
        .insert(self.db())
        .await
        .unwrap();
    }

    pub(super) async fn file(&self, place: Place, path: &str, text: &str) -> Written {
        self.file_between(place, path, text, (1, ALIVE)).await
    }

    pub(super) async fn file_between(
        &self,
        place: Place,
        path: &str,
        text: &str,
        (born, died): (i64, i64),
    ) -> Written {
        let bytes = i64::try_from(text.len()).unwrap();
        let blob = blob::ActiveModel {
            organization_id: Set(place.organization.0),
            oid: Set(Uuid::now_v7().to_string()),
            text: Set(text.to_owned()),
            bytes: Set(bytes),
            lines: Set(1),
            ..Default::default()
        }
        .insert(self.db())
        .await
        .unwrap();
        if self.database.is_sqlite() {
            let sql = "INSERT INTO blob_trigrams (rowid, text) VALUES ($1, $2)";
            self.run(sql, [blob.id.into(), text.into()]).await;
        }
        let is_test = path.starts_with("tests/");
        let class = if is_test {
            FileClass::Test
        } else {
            FileClass::Source
        };
        let language = path
            .rsplit('.')
            .next()
            .filter(|extension| *extension != path);
        let row = file::ActiveModel {
            organization_id: Set(place.organization.0),
            project_id: Set(place.project.0),
            repository_id: Set(place.repository),
            branch_id: Set(place.branch),
            path: Set(path.to_owned()),
            oid: Set(blob.oid),
            blob_id: Set(Some(blob.id)),
            status: Set(FileStatus::Indexed.as_str().to_owned()),
            language: Set(language.map(str::to_owned)),
            class: Set(class.as_str().to_owned()),
            bytes: Set(bytes),
            lines: Set(Some(1)),
            chunks: Set(0),
            born: Set(born),
            died: Set(died),
            ..Default::default()
        }
        .insert(self.db())
        .await
        .unwrap();
        Written {
            place,
            id: row.id,
            blob: blob.id,
            path: path.to_owned(),
            born,
            died,
        }
    }

    pub(super) async fn chunk(
        &self,
        file: &Written,
        kind: ChunkKind,
        (start, end): (i64, i64),
    ) -> ChunkId {
        let id = ChunkId::generate();
        chunk::ActiveModel {
            id: Set(id.0),
            organization_id: Set(file.place.organization.0),
            project_id: Set(file.place.project.0),
            repository_id: Set(file.place.repository),
            branch_id: Set(file.place.branch),
            file_id: Set(file.id),
            blob_id: Set(file.blob),
            public_id: Set(id.0),
            path: Set(file.path.clone()),
            language: Set(None),
            kind: Set(kind.as_str().to_owned()),
            class: Set(FileClass::Source.as_str().to_owned()),
            defines: Set(String::new()),
            start_line: Set(start),
            end_line: Set(end),
            start_byte: Set(0),
            end_byte: Set(0),
            terms: Set(Vec::new()),
            born: Set(file.born),
            died: Set(file.died),
            ..Default::default()
        }
        .insert(self.db())
        .await
        .unwrap();
        id
    }

    pub(super) async fn symbol(
        &self,
        file: &Written,
        qualified_name: &str,
        name: &str,
        kind: SymbolKind,
    ) {
        let is_test = file.path.starts_with("tests/");
        let class = if is_test {
            FileClass::Test
        } else {
            FileClass::Source
        };
        symbol::ActiveModel {
            organization_id: Set(file.place.organization.0),
            project_id: Set(file.place.project.0),
            repository_id: Set(file.place.repository),
            branch_id: Set(file.place.branch),
            file_id: Set(file.id),
            path: Set(file.path.clone()),
            class: Set(class.as_str().to_owned()),
            name: Set(name.to_owned()),
            name_key: Set(name.to_lowercase()),
            qualified_name: Set(qualified_name.to_owned()),
            kind: Set(kind.as_str().to_owned()),
            signature: Set(format!("fn {name}()")),
            start_line: Set(3),
            end_line: Set(4),
            born: Set(file.born),
            died: Set(file.died),
            ..Default::default()
        }
        .insert(self.db())
        .await
        .unwrap();
    }
}

async fn new_postgres(server: &str) -> DatabaseSettings {
    let administration = sea_orm::Database::connect(format!("{server}/postgres"))
        .await
        .unwrap();
    let name = format!("quarry_test_{}", Uuid::now_v7().simple());
    let sql = format!("CREATE DATABASE {name}");
    administration.execute_unprepared(&sql).await.unwrap();
    DatabaseSettings::Postgres {
        url: format!("{server}/{name}").into(),
        max_connections: 4,
    }
}

/// A member's scope over these projects.
pub(super) fn scope(organization: OrganizationId, projects: &[ProjectId]) -> ReadScope {
    let role = OrganizationRole::Member;
    let grants = projects.iter().map(|project_id| ProjectGrant {
        project_id: *project_id,
        role: ProjectRole::Reader,
    });
    Grants::from_rows(UserId::generate(), organization, role, grants)
        .read_scope(Permission::ReadProject)
}

impl Place {
    pub(super) fn scope(&self) -> ReadScope {
        scope(self.organization, &[self.project])
    }
}
