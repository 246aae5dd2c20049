//! Sealing stored secrets anew with another key, on both databases.

use quarry_shared::{
    domain::OrganizationId,
    store::{
        credentials::{self, Credential},
        keyring::{Keyring, SecretKey},
        organizations, projects,
        sealed::{self, COLUMNS, Rotated},
        users::{self, NewUser},
    },
};
use sea_orm::{ConnectionTrait, Statement};
use secrecy::ExposeSecret;

use crate::store_database::TestDatabase;

/// More than one transaction's worth.
const SECRETS: u64 = 230;

fn key(byte: u8) -> SecretKey {
    SecretKey::new([byte; 32])
}

struct World {
    test: TestDatabase,
    organization: OrganizationId,
}

impl World {
    async fn new(test: TestDatabase) -> Self {
        let writer = test.database.writer();
        let new = NewUser {
            email: "owner@example.invalid".to_owned(),
            name: "Owner".to_owned(),
            password_hash: String::new(),
            is_instance_administrator: false,
        };
        let owner = users::create(writer, new).await.unwrap().id;
        let organization = organizations::create(writer, owner, "one")
            .await
            .unwrap()
            .id;
        Self { test, organization }
    }

    async fn fill(&self, keyring: &Keyring) {
        let writer = self.test.database.writer();
        let project = projects::create_in(writer, self.organization, "p")
            .await
            .unwrap();
        let insert = "INSERT INTO repositories (id, organization_id, project_id, name, source_kind, \
            location, location_key, credential, tracked_branches, state, created_at) \
            VALUES ($1, $2, $3, $4, 'git', 'x', $4, $5, '[]', 'ready', $6)";
        for number in 0..SECRETS {
            let credential = Credential {
                username: None,
                password: format!("secret {number}").into(),
            };
            let sealed = credentials::seal(keyring, self.organization, &credential).unwrap();
            let values = [
                uuid::Uuid::now_v7().into(),
                self.organization.0.into(),
                project.id.0.into(),
                format!("r{number}").into(),
                sealed.into(),
                chrono::Utc::now().into(),
            ];
            let backend = writer.get_database_backend();
            let statement = Statement::from_sql_and_values(backend, insert, values);
            writer.execute_raw(statement).await.unwrap();
        }
    }

    async fn envelopes(&self) -> Vec<(String, Vec<u8>)> {
        let reader = self.test.database.writer();
        let text = "SELECT name, credential FROM repositories ORDER BY name";
        let statement = Statement::from_string(reader.get_database_backend(), text);
        let rows = reader.query_all_raw(statement).await.unwrap();
        rows.iter()
            .map(|row| {
                (
                    row.try_get("", "name").unwrap(),
                    row.try_get("", "credential").unwrap(),
                )
            })
            .collect()
    }

    async fn execute(&self, text: &str) {
        self.test
            .database
            .writer()
            .execute_unprepared(text)
            .await
            .unwrap();
    }
}

async fn worlds() -> [World; 2] {
    [
        World::new(TestDatabase::sqlite().await).await,
        World::new(TestDatabase::postgres().await).await,
    ]
}

#[tokio::test]
async fn a_rotation_seals_every_secret_anew_once_and_loses_none() {
    for world in worlds().await {
        world.fill(&Keyring::new(key(1), [])).await;
        let both = Keyring::new(key(2), [key(1)]);
        let database = &world.test.database;
        let first = sealed::rotate(database, &both).await.unwrap();
        let expected = Rotated {
            resealed: SECRETS,
            ..Rotated::default()
        };
        assert_eq!(first, expected);
        let again = sealed::rotate(database, &both).await.unwrap();
        let expected = Rotated {
            current: SECRETS,
            ..Rotated::default()
        };
        assert_eq!(again, expected, "nothing is left to do");
        let only_new = Keyring::new(key(2), []);
        for (name, envelope) in world.envelopes().await {
            let opened = credentials::open(&only_new, world.organization, &envelope).unwrap();
            let expected = name.replace('r', "secret ");
            assert_eq!(opened.password.expose_secret(), expected);
        }
    }
}

#[tokio::test]
async fn a_secret_that_does_not_open_is_counted_and_left_as_it_is() {
    for world in worlds().await {
        world.fill(&Keyring::new(key(1), [])).await;
        world
            .execute("UPDATE repositories SET credential = NULL WHERE name = 'r1'")
            .await;
        let wrong = Keyring::new(key(3), []);
        let outcome = sealed::rotate(&world.test.database, &wrong).await.unwrap();
        assert_eq!(outcome.unreadable, SECRETS - 1);
        assert!(!outcome.is_complete());
        let both = Keyring::new(key(2), [key(1)]);
        let outcome = sealed::rotate(&world.test.database, &both).await.unwrap();
        assert_eq!(
            outcome.resealed,
            SECRETS - 1,
            "the failed rotation did no harm"
        );
    }
}

/// Binary columns that hold no secret.
const OPEN_COLUMNS: &[(&str, &str)] = &[
    ("snapshots", "vector_sum"),
    ("embeddings", "text_hash"),
    ("embeddings", "vector"),
    ("chunks", "terms"),
];

#[tokio::test]
async fn every_binary_column_is_known_as_sealed_or_open() {
    let test = TestDatabase::postgres().await;
    let writer = test.database.writer();
    let text = "SELECT table_name, column_name FROM information_schema.columns \
                WHERE table_schema = 'public' AND data_type = 'bytea'";
    let statement = Statement::from_string(writer.get_database_backend(), text);
    let mut unknown = Vec::new();
    for row in writer.query_all_raw(statement).await.unwrap() {
        let table: String = row.try_get("", "table_name").unwrap();
        let column: String = row.try_get("", "column_name").unwrap();
        let is_sealed = COLUMNS
            .iter()
            .any(|known| (known.table, known.column) == (table.as_str(), column.as_str()));
        if !is_sealed && !OPEN_COLUMNS.contains(&(table.as_str(), column.as_str())) {
            unknown.push((table, column));
        }
    }
    assert!(unknown.is_empty(), "sealed or open? {unknown:?}");
}
