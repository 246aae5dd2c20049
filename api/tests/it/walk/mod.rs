//! No way across: every place of the API's own document that takes an identifier is tried with one
//! of another organization, and answers as it does to one that never existed.
//!
//! The places come from the document, so a new route is walked without being named here. What a
//! place needs, and cannot be found, is a failure that says what to add: an identifier
//! ([`Tenant::furnish`]) or a body ([`bodies`]).

mod bodies;
mod places;
mod tenant;

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::Value;

use self::{
    places::{Operation, Place, operations},
    tenant::Tenant,
};
use crate::app::{Client, Reply, TestApp};

/// Addresses of the whole instance: its administrators may go there, whoever the person is.
const OF_INSTANCE: &[&str] = &[
    "/api/v1/users/{user_id}",
    "/api/v1/jobs/{job_id}",
    "/api/v1/deletions/{deletion_id}",
    "PUT /api/v1/organizations/{organization_id}/quotas",
];

fn is_of_instance(operation: &Operation) -> bool {
    OF_INSTANCE
        .iter()
        .any(|entry| operation.path.starts_with(entry) || operation.to_string() == *entry)
}

/// What an answer tells, with the identifier that was asked for taken out.
#[derive(Debug, PartialEq)]
struct Told {
    status: u16,
    headers: BTreeMap<String, String>,
    body: String,
}

impl Told {
    fn of(reply: &Reply, asked: &[String]) -> Self {
        let mut body = reply.body.clone();
        if let Some(fields) = body.as_object_mut() {
            for volatile in ["request_id", "took_ms"] {
                fields.remove(volatile);
            }
        }
        drop_times(&mut body);
        let mut body = body.to_string();
        for id in asked {
            body = body.replace(id.trim_matches('"'), "…");
        }
        let headers = reply
            .headers
            .iter()
            .filter(|(name, _)| {
                !matches!(
                    name.as_str(),
                    "x-request-id" | "date" | "ratelimit" | "content-length" | "connection"
                )
            })
            .map(|(name, value)| (name.to_string(), format!("{value:?}")))
            .collect();
        Self {
            status: reply.status.as_u16(),
            headers,
            body,
        }
    }
}

fn drop_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("milliseconds");
            fields.values_mut().for_each(drop_times);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_times),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_id_in_any_place_answers_like_one_that_never_existed() {
    let (app, administrator) = TestApp::start().await;
    let victim = Tenant::furnish(&app, "victim").await;
    let attacker = Tenant::furnish(&app, "attacker").await;
    let mut operations = operations();
    // Opened by browsers of people who are nobody yet: see `oidc`.
    operations.retain(|operation| !operation.path.starts_with("/api/v1/auth/oidc/"));
    // Takes a signature and no bearer: see `webhooks`.
    operations.retain(|operation| operation.id != "receive_webhook");
    let before = everything(&victim, &operations).await;

    let mut walked = 0;
    let mut faults = Vec::new();
    for operation in &operations {
        for place in &operation.places {
            let foreign = attempt(&attacker.client, operation, place, &attacker, Some(&victim));
            let missing = attempt(&attacker.client, operation, place, &attacker, None);
            let (foreign, missing) = (foreign.await, missing.await);
            walked += 1;
            if foreign != missing {
                faults.push(format!(
                    "{operation} at {place}:\n  foreign {foreign:?}\n  missing {missing:?}"
                ));
            } else if !is_refused_in(place, foreign.status) {
                faults.push(format!("{operation} at {place}: {foreign:?}"));
            }
        }
    }
    // Whoever runs the instance has no way into what belongs to others either.
    let guest = Tenant {
        client: administrator,
        ..attacker
    };
    for operation in &operations {
        if is_of_instance(operation) {
            continue;
        }
        for place in operation.places.iter().filter(|place| place.is_in_path()) {
            let foreign = attempt(&guest.client, operation, place, &guest, Some(&victim)).await;
            let missing = attempt(&guest.client, operation, place, &guest, None).await;
            walked += 1;
            if foreign != missing || !is_refused_in(place, foreign.status) {
                faults.push(format!(
                    "{operation} at {place}, by an instance administrator:\n  foreign {foreign:?}\n  missing {missing:?}"
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    println!("{} operations, {walked} walks", operations.len());
    assert!(walked >= 120, "only {walked} places were walked");

    let after = everything(&victim, &operations).await;
    for (address, told) in &before {
        assert_eq!(after.get(address), Some(told), "{address} has changed");
    }
}

/// An identifier in the path must be refused. Elsewhere it may narrow a search to nothing, but a
/// complaint about the request's form means that the place was never reached.
fn is_refused_in(place: &Place, status: u16) -> bool {
    if place.is_in_path() {
        return matches!(status, 403 | 404);
    }
    matches!(status, 200 | 403 | 404)
}

/// Asks with the attacker's own identifiers, except in one place: there stands the victim's, or one
/// that never existed.
async fn attempt(
    client: &Client,
    operation: &Operation,
    place: &Place,
    own: &Tenant,
    victim: Option<&Tenant>,
) -> Told {
    let mut asked = Vec::new();
    let mut choose = |name: &str, is_aimed: bool| -> Value {
        if !is_aimed {
            return own.id(name);
        }
        let value = match victim {
            Some(victim) => victim.id(name),
            None => tenant::missing(name),
        };
        asked.push(value.to_string());
        value
    };
    let path = operation.fill_path(place, &mut choose);
    let query = operation.fill_query(place, &mut choose);
    let body = operation.fill_body(place, bodies::of(operation, own), &mut choose);
    let address = format!("{path}{query}");
    let reply = client
        .send(operation.method.clone(), &address, body.as_ref())
        .await;
    Told::of(&reply, &asked)
}

/// All that the victim sees of its own.
async fn everything(victim: &Tenant, operations: &[Operation]) -> BTreeMap<String, Told> {
    let mut seen = BTreeMap::new();
    for operation in operations {
        let is_stream = operation.path.ends_with("/events") || operation.path.ends_with("/export");
        // Audit lists grow with what the victim itself does, and sign-ins carry their last use.
        let is_volatile = operation.path.contains("/audit") || operation.path.contains("/sessions");
        let is_list = operation.method == Method::GET
            && !is_stream
            && !is_volatile
            && !is_of_instance(operation);
        if !is_list {
            continue;
        }
        let own = |name: &str, _: bool| victim.id(name);
        let address = format!(
            "{}{}",
            operation.fill_path(&Place::Nowhere, &mut own.clone()),
            operation.fill_query(&Place::Nowhere, &mut own.clone())
        );
        let reply = victim.client.get(&address).await;
        seen.insert(address, Told::of(&reply, &[]));
    }
    assert!(seen.len() > 10, "the victim sees {}", seen.len());
    seen
}
