//! What an organization may hold, what it holds, and the refusal in between.

use sea_orm::{ConnectionTrait, Value};

use super::{
    StoreError,
    sql::{execute, statement},
};
use crate::{config::QuotaSettings, domain::OrganizationId};

/// Limits of an organization's own; `None` stands for what the settings say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OwnQuotas {
    pub repositories: Option<u64>,
    pub stored_bytes: Option<u64>,
    pub chunks: Option<u64>,
    pub questions_per_day: Option<u64>,
}

/// Something that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    Repositories,
    StoredBytes,
    Chunks,
    QuestionsPerDay,
}

impl Counted {
    const fn noun(self) -> &'static str {
        match self {
            Self::Repositories => "repositories",
            Self::StoredBytes => "bytes of stored text",
            Self::Chunks => "chunks",
            Self::QuestionsPerDay => "questions a day",
        }
    }
}

/// What an organization holds now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    pub repositories: u64,
    pub stored_bytes: u64,
    pub chunks: u64,
}

/// What one snapshot holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Holding {
    pub bytes: u64,
    pub chunks: u64,
}

impl OwnQuotas {
    /// The limit that holds; `None` is no limit.
    #[must_use]
    pub fn limit(&self, counted: Counted, settings: &QuotaSettings) -> Option<u64> {
        let (own, default) = match counted {
            Counted::Repositories => (self.repositories, settings.repositories),
            Counted::StoredBytes => (self.stored_bytes, settings.stored_bytes),
            Counted::Chunks => (self.chunks, settings.chunks),
            Counted::QuestionsPerDay => (self.questions_per_day, settings.questions_per_day),
        };
        own.or((default > 0).then_some(default))
    }
}

/// The organization's own limits.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn load(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
) -> Result<OwnQuotas, StoreError> {
    let text = "SELECT repositories, stored_bytes, chunks, questions_per_day \
                FROM organization_quotas WHERE organization_id = $1";
    let row = database
        .query_one_raw(statement(database, text, [organization.0.into()]))
        .await?;
    let Some(row) = row else {
        return Ok(OwnQuotas::default());
    };
    let read = |name: &str| -> Result<Option<u64>, StoreError> {
        let value: Option<i64> = row.try_get("", name)?;
        Ok(value.and_then(|value| u64::try_from(value).ok()))
    };
    Ok(OwnQuotas {
        repositories: read("repositories")?,
        stored_bytes: read("stored_bytes")?,
        chunks: read("chunks")?,
        questions_per_day: read("questions_per_day")?,
    })
}

/// Replaces the organization's own limits.
///
/// # Errors
/// [`StoreError::NotFound`] when there is no such organization.
pub async fn save(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
    quotas: &OwnQuotas,
) -> Result<(), StoreError> {
    let write = |value: Option<u64>| -> Value {
        value.map(|v| i64::try_from(v).unwrap_or(i64::MAX)).into()
    };
    let text = "INSERT INTO organization_quotas (organization_id, repositories, stored_bytes, \
                chunks, questions_per_day, updated_at) \
                SELECT id, $2, $3, $4, $5, $6 FROM organizations WHERE id = $1 \
                ON CONFLICT (organization_id) DO UPDATE SET repositories = excluded.repositories, \
                stored_bytes = excluded.stored_bytes, chunks = excluded.chunks, \
                questions_per_day = excluded.questions_per_day, updated_at = excluded.updated_at";
    let values = [
        organization.0.into(),
        write(quotas.repositories),
        write(quotas.stored_bytes),
        write(quotas.chunks),
        write(quotas.questions_per_day),
        chrono::Utc::now().into(),
    ];
    match execute(database, text, values).await? {
        0 => Err(StoreError::NotFound("organization")),
        _ => Ok(()),
    }
}

/// What the organization holds.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn usage(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
) -> Result<Usage, StoreError> {
    // Sums are cast: PostgreSQL answers them as decimals.
    let text = "SELECT \
        (SELECT COUNT(*) FROM repositories WHERE organization_id = $1 AND state <> 'deleting') \
            AS repositories, \
        (SELECT CAST(COALESCE(SUM(s.bytes), 0) AS BIGINT) FROM branches b \
            JOIN snapshots s ON s.id = b.published_snapshot_id WHERE s.organization_id = $1) \
            AS stored_bytes, \
        (SELECT CAST(COALESCE(SUM(s.chunks), 0) AS BIGINT) FROM branches b \
            JOIN snapshots s ON s.id = b.published_snapshot_id WHERE s.organization_id = $1) \
            AS chunks";
    let row = database
        .query_one_raw(statement(database, text, [organization.0.into()]))
        .await?
        .ok_or(StoreError::Corrupt("usage"))?;
    let read = |name: &str| -> Result<u64, StoreError> {
        let value: i64 = row.try_get("", name)?;
        Ok(u64::try_from(value).unwrap_or(0))
    };
    Ok(Usage {
        repositories: read("repositories")?,
        stored_bytes: read("stored_bytes")?,
        chunks: read("chunks")?,
    })
}

/// Refuses what would go beyond a limit.
///
/// # Errors
/// [`StoreError::Conflict`] with code `quota_exceeded`, which says which limit and how much.
pub fn admit(counted: Counted, limit: Option<u64>, would_be: u64) -> Result<(), StoreError> {
    let Some(limit) = limit.filter(|limit| would_be > *limit) else {
        return Ok(());
    };
    let noun = counted.noun();
    Err(StoreError::Conflict {
        code: "quota_exceeded",
        detail: format!("the organization may have {limit} {noun}; this would make {would_be}"),
    })
}

/// Refuses a snapshot that would make the organization hold too much, given what the branch's
/// published one holds. A snapshot that is smaller than the one before always passes.
///
/// # Errors
/// As [`admit`].
pub async fn admit_snapshot(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
    settings: &QuotaSettings,
    before: Holding,
    after: Holding,
) -> Result<(), StoreError> {
    let own = load(database, organization).await?;
    let held = usage(database, organization).await?;
    for (counted, held, before, after) in [
        (
            Counted::StoredBytes,
            held.stored_bytes,
            before.bytes,
            after.bytes,
        ),
        (Counted::Chunks, held.chunks, before.chunks, after.chunks),
    ] {
        if after > before {
            let would_be = held.saturating_sub(before).saturating_add(after);
            admit(counted, own.limit(counted, settings), would_be)?;
        }
    }
    Ok(())
}

/// Refuses another repository beyond the limit.
///
/// # Errors
/// As [`admit`].
pub async fn admit_repository(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
    settings: &QuotaSettings,
) -> Result<(), StoreError> {
    let limit = load(database, organization)
        .await?
        .limit(Counted::Repositories, settings);
    if limit.is_none() {
        return Ok(());
    }
    let held = usage(database, organization).await?.repositories;
    admit(Counted::Repositories, limit, held + 1)
}
