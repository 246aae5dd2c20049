//! What an event is about, from its headers and its authentic body.
//!
//! Only a few top-level fields are kept, whatever the size of the rest. Of a field that comes twice
//! the last one counts.

use std::fmt;

use actix_web::http::header::{CONTENT_TYPE, HeaderMap};
use actix_web::web::Query;
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};
use serde_json::{Map, Value};

use super::{
    Provider,
    hint::{Hint, Reason, RefChange},
};

/// Fields that are looked at.
const FIELDS: &[&str] = &[
    "ref",
    "ref_type",
    "after",
    "deleted",
    "repository",
    "project",
    "push",
    "changes",
    "object_kind",
    "event_name",
];
/// More refs than these in one event are not told apart.
const MAX_CHANGES: usize = 100;
/// Longest name of an event or delivery that is kept.
const MAX_NAME_BYTES: usize = 200;

/// The headers' side of an event.
#[derive(Debug)]
pub struct Envelope {
    pub event: String,
    /// The host's id of the delivery.
    pub delivery_key: Option<String>,
    is_form: bool,
}

impl Envelope {
    #[must_use]
    pub fn of(provider: Provider, headers: &HeaderMap) -> Self {
        let first = |names: &[&str]| {
            let mut found = names.iter().filter_map(|name| headers.get(*name));
            let text = found.next()?.to_str().ok()?.trim();
            (!text.is_empty() && text.len() <= MAX_NAME_BYTES).then(|| text.to_owned())
        };
        let kind = headers
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        Self {
            event: first(provider.event_headers()).unwrap_or_default(),
            delivery_key: first(provider.delivery_headers()),
            is_form: kind.eq_ignore_ascii_case("application/x-www-form-urlencoded"),
        }
    }

    /// What the event asks to look at.
    #[must_use]
    pub fn hint(&self, provider: Provider, body: &[u8]) -> Hint {
        let found = match provider {
            Provider::GitHub | Provider::Gitea => self.of_github(body),
            Provider::GitLab => self.of_gitlab(body),
            Provider::Bitbucket => self.of_bitbucket(body),
        };
        found.unwrap_or_else(Hint::nothing)
    }

    fn of_github(&self, body: &[u8]) -> Result<Hint, Reason> {
        match self.event.as_str() {
            "ping" => Err(Reason::Ping),
            "push" => pushed(&self.fields(body)?),
            "create" | "delete" => {
                let fields = self.fields(body)?;
                let name = text(&fields, "ref").ok_or(Reason::UnreadablePayload)?;
                match text(&fields, "ref_type") {
                    Some("branch") => Ok(Hint::Refs {
                        changes: vec![RefChange {
                            branch: name.strip_prefix("refs/heads/").unwrap_or(name).to_owned(),
                            is_deleted: self.event == "delete",
                        }],
                        default_branch: default_branch(&fields),
                    }),
                    Some("tag") => Err(Reason::Tag),
                    _ => Err(Reason::UnreadablePayload),
                }
            }
            "repository" | "public" => Ok(Hint::Repository),
            _ => Err(Reason::UnknownEvent),
        }
    }

    fn of_gitlab(&self, body: &[u8]) -> Result<Hint, Reason> {
        match self.event.as_str() {
            "Push Hook" => pushed(&self.fields(body)?),
            "Tag Push Hook" => Err(Reason::Tag),
            "Project Hook" => Ok(Hint::Repository),
            "System Hook" => {
                let fields = self.fields(body)?;
                let name = text(&fields, "event_name").or_else(|| text(&fields, "object_kind"));
                match name {
                    Some("push") => pushed(&fields),
                    Some("tag_push") => Err(Reason::Tag),
                    Some(
                        "repository_update" | "project_update" | "project_rename"
                        | "project_transfer" | "project_destroy",
                    ) => Ok(Hint::Repository),
                    _ => Err(Reason::UnknownEvent),
                }
            }
            _ => Err(Reason::UnknownEvent),
        }
    }

    fn of_bitbucket(&self, body: &[u8]) -> Result<Hint, Reason> {
        match self.event.as_str() {
            "diagnostics:ping" => Err(Reason::Ping),
            "repo:push" => {
                let fields = self.fields(body)?;
                let changes = fields
                    .get("push")
                    .and_then(|push| push["changes"].as_array());
                let changes = changes.ok_or(Reason::UnreadablePayload)?;
                refs(&fields, changes, |change| {
                    let is_deleted = change["new"].is_null();
                    let at = if is_deleted { "old" } else { "new" };
                    let is_branch =
                        matches!(change[at]["type"].as_str()?, "branch" | "named_branch");
                    let branch = change[at]["name"].as_str()?.to_owned();
                    Some(is_branch.then_some(RefChange { branch, is_deleted }))
                })
            }
            "repo:refs_changed" => {
                let fields = self.fields(body)?;
                let changes = fields.get("changes").and_then(Value::as_array);
                let changes = changes.ok_or(Reason::UnreadablePayload)?;
                refs(&fields, changes, |change| {
                    let name = change["ref"]["id"].as_str()?;
                    Some(name.strip_prefix("refs/heads/").map(|branch| RefChange {
                        branch: branch.to_owned(),
                        is_deleted: change["type"] == "DELETE",
                    }))
                })
            }
            "repo:updated" | "repo:modified" | "repo:transfer" | "repo:deleted" => {
                Ok(Hint::Repository)
            }
            _ => Err(Reason::UnknownEvent),
        }
    }

    fn fields(&self, body: &[u8]) -> Result<Map<String, Value>, Reason> {
        let unreadable = |_| Reason::UnreadablePayload;
        if !self.is_form {
            return read(body).map_err(unreadable);
        }
        let form = std::str::from_utf8(body).map_err(|_| Reason::UnreadablePayload)?;
        let form = Query::<Form>::from_query(form).map_err(|_| Reason::UnreadablePayload)?;
        read(form.payload.as_bytes()).map_err(unreadable)
    }
}

#[derive(Deserialize)]
struct Form {
    payload: String,
}

/// A push of one ref, as GitHub, Gitea and GitLab tell of it.
fn pushed(fields: &Map<String, Value>) -> Result<Hint, Reason> {
    let name = text(fields, "ref").ok_or(Reason::UnreadablePayload)?;
    if name.starts_with("refs/tags/") {
        return Err(Reason::Tag);
    }
    let branch = name.strip_prefix("refs/heads/").ok_or(Reason::OtherRef)?;
    let is_gone = text(fields, "after")
        .is_some_and(|after| !after.is_empty() && after.bytes().all(|byte| byte == b'0'));
    let is_deleted = is_gone || fields.get("deleted") == Some(&Value::Bool(true));
    Ok(Hint::Refs {
        changes: vec![RefChange {
            branch: branch.to_owned(),
            is_deleted,
        }],
        default_branch: default_branch(fields),
    })
}

/// Several refs of one event. `read` yields `Some(None)` for what is no branch.
fn refs(
    fields: &Map<String, Value>,
    changes: &[Value],
    read: impl Fn(&Value) -> Option<Option<RefChange>>,
) -> Result<Hint, Reason> {
    if changes.len() > MAX_CHANGES {
        return Ok(Hint::Repository);
    }
    let read: Option<Vec<_>> = changes.iter().map(read).collect();
    let changes: Vec<_> = read
        .ok_or(Reason::UnreadablePayload)?
        .into_iter()
        .flatten()
        .collect();
    if changes.is_empty() {
        return Err(Reason::Tag);
    }
    Ok(Hint::Refs {
        changes,
        default_branch: default_branch(fields),
    })
}

fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    fields.get(name)?.as_str()
}

fn default_branch(fields: &Map<String, Value>) -> Option<String> {
    let found = ["project", "repository"].into_iter().find_map(|name| {
        let about = fields.get(name)?;
        about["default_branch"]
            .as_str()
            .or_else(|| about["mainbranch"]["name"].as_str())
    });
    found.filter(|name| !name.is_empty()).map(str::to_owned)
}

fn read(body: &[u8]) -> Result<Map<String, Value>, serde_json::Error> {
    struct Fields(Map<String, Value>);
    struct Picker;

    impl<'de> Visitor<'de> for Picker {
        type Value = Fields;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
            let mut fields = Map::new();
            while let Some(name) = map.next_key::<String>()? {
                if FIELDS.contains(&name.as_str()) {
                    fields.insert(name, map.next_value()?);
                } else {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            Ok(Fields(fields))
        }
    }

    impl<'de> Deserialize<'de> for Fields {
        fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
            source.deserialize_map(Picker)
        }
    }

    serde_json::from_slice::<Fields>(body).map(|fields| fields.0)
}
