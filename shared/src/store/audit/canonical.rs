//! What an event's hash is taken of.

use sha2::{Digest, Sha256};

use super::Row;

/// Changes when the form does, so that no text is the form of two different events.
const VERSION: &str = "quarry-audit-1\n";

/// The bytes whose SHA-256 is the event's hash.
///
/// The line `quarry-audit-1`, then these fields in this order, each as a netstring
/// (`length:bytes,` with the length in bytes, in decimal) or, when it is absent, as `-,`:
/// previous hash, chain id, sequence, time, actor kind, actor user id, actor name, credential kind,
/// credential id, address, action, object kind, object id, object name, outcome, request id,
/// details. Ids are lower-case UUIDs with hyphens (the instance's chain is the nil UUID), hashes
/// lower-case hexadecimal, the time is `2026-12-01T03:04:05.000006Z`, details are compact JSON.
#[must_use]
pub fn canonical_form(row: &Row) -> Vec<u8> {
    let time = time_of(row);
    let sequence = row.sequence.to_string();
    let chain = row.chain_id.to_string();
    let user = row.actor_user_id.map(|id| id.to_string());
    let credential = row.credential_id.map(|id| id.to_string());
    let fields: [Option<&str>; 17] = [
        Some(&row.previous_hash),
        Some(&chain),
        Some(&sequence),
        Some(&time),
        Some(&row.actor_kind),
        user.as_deref(),
        row.actor_name.as_deref(),
        Some(&row.credential_kind),
        credential.as_deref(),
        row.address.as_deref(),
        Some(&row.action),
        Some(&row.object_kind),
        row.object_id.as_deref(),
        row.object_name.as_deref(),
        Some(&row.outcome),
        row.request_id.as_deref(),
        Some(&row.details),
    ];
    let mut form = Vec::from(VERSION);
    for field in fields {
        if let Some(text) = field {
            form.extend_from_slice(text.len().to_string().as_bytes());
            form.push(b':');
            form.extend_from_slice(text.as_bytes());
        } else {
            form.push(b'-');
        }
        form.push(b',');
    }
    form
}

/// The hash that belongs to the event.
pub(super) fn hash_of(row: &Row) -> String {
    Sha256::digest(canonical_form(row))
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The event's time as it is hashed and exported.
pub(super) fn time_of(row: &Row) -> String {
    row.recorded_at
        .to_rfc3339_opts(chrono::SecondsFormat::Micros, true)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use chrono::DateTime;
    use uuid::Uuid;

    use super::{canonical_form, hash_of};
    use crate::store::audit::{Row, ZERO_HASH};

    fn row() -> Row {
        Row {
            chain_id: Uuid::nil(),
            sequence: 1,
            recorded_at: DateTime::from_timestamp_micros(1_796_095_845_000_006).unwrap(),
            actor_kind: "person".to_owned(),
            actor_user_id: Some(Uuid::from_u128(7)),
            actor_name: Some("é@example.invalid".to_owned()),
            credential_kind: "session".to_owned(),
            credential_id: None,
            address: Some("::1".to_owned()),
            action: "project.create".to_owned(),
            object_kind: "project".to_owned(),
            object_id: None,
            object_name: Some(String::new()),
            outcome: "succeeded".to_owned(),
            request_id: None,
            details: "{}".to_owned(),
            previous_hash: ZERO_HASH.to_owned(),
            hash: String::new(),
        }
    }

    #[test]
    fn the_form_is_the_documented_one() {
        let expected = format!(
            "quarry-audit-1\n64:{ZERO_HASH},36:00000000-0000-0000-0000-000000000000,1:1,\
             27:2026-12-01T03:30:45.000006Z,6:person,36:00000000-0000-0000-0000-000000000007,\
             18:é@example.invalid,7:session,-,3:::1,14:project.create,7:project,-,0:,9:succeeded,\
             -,2:{{}},"
        );
        assert_eq!(String::from_utf8(canonical_form(&row())).unwrap(), expected);
    }

    #[test]
    fn every_field_counts_and_absent_is_not_empty() {
        let changes: &[fn(&mut Row)] = &[
            |row| row.chain_id = Uuid::from_u128(1),
            |row| row.sequence = 2,
            |row| row.recorded_at += chrono::Duration::microseconds(1),
            |row| row.actor_kind = "service".to_owned(),
            |row| row.actor_user_id = None,
            |row| row.actor_name = None,
            |row| row.credential_kind = "token".to_owned(),
            |row| row.credential_id = Some(Uuid::nil()),
            |row| row.address = None,
            |row| row.action = "project.creat".to_owned(),
            |row| row.object_kind = "eproject".to_owned(),
            |row| row.object_id = Some(String::new()),
            |row| row.object_name = None,
            |row| row.outcome = "denied".to_owned(),
            |row| row.request_id = Some("-".to_owned()),
            |row| row.details = "{ }".to_owned(),
            |row| row.previous_hash = ZERO_HASH.replace('0', "1"),
        ];
        let mut seen = vec![hash_of(&row())];
        for change in changes {
            let mut changed = row();
            change(&mut changed);
            let hash = hash_of(&changed);
            assert!(!seen.contains(&hash), "{changed:?}");
            seen.push(hash);
        }
    }
}
