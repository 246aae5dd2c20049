//! The reference of all settings, made from the structs themselves: names and defaults from their
//! values, sentences from their doc comments.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Settings, layers::variable_of};

/// Sources whose doc comments describe the settings.
const SOURCES: &[&str] = &[
    include_str!("mod.rs"),
    include_str!("audit.rs"),
    include_str!("embedding.rs"),
    include_str!("server.rs"),
    include_str!("tokens.rs"),
    include_str!("git.rs"),
    include_str!("indexing.rs"),
    include_str!("queue.rs"),
    include_str!("limits.rs"),
    include_str!("outbound.rs"),
    include_str!("quotas.rs"),
    include_str!("retrieval.rs"),
    include_str!("secrets.rs"),
];

/// Markdown with every section, setting, default and variable.
#[must_use]
pub fn documentation() -> String {
    let comments = comments(SOURCES);
    let defaults = match serde_json::to_value(Settings::default()) {
        Ok(Value::Object(defaults)) => defaults,
        _ => Map::new(),
    };
    let describe = |key: &str| comments.get(key).map_or("", String::as_str);
    let mut text = String::from(INTRODUCTION);
    for (section, fields) in &defaults {
        let Some(fields) = fields.as_object() else {
            continue;
        };
        let summary = describe(&format!("Settings.{section}"));
        text.push_str(&format!("\n## `[{section}]`\n\n{summary}\n\n"));
        text.push_str("| setting | default | variable | meaning |\n|---|---|---|---|\n");
        let owner = comments.get(&format!("Settings.{section}:type"));
        for (field, default) in fields {
            let owner = owner.map_or("", String::as_str);
            let meaning = describe(&format!("{owner}.{field}")).replace('|', "\\|");
            let variable = variable_of(section, field);
            let default = shown(default);
            text.push_str(&format!(
                "| `{field}` | {default} | `{variable}` | {meaning} |\n"
            ));
        }
    }
    text
}

const INTRODUCTION: &str = "# Configuration

Quarry runs without any configuration. Settings come from a TOML file (`--config FILE` or \
`QUARRY_CONFIG`) and then from the environment, which wins. All problems of a configuration are \
reported at once, and an unknown name is a problem. This page is printed by \
`quarry-api configuration`.

Lists are written with commas in a variable: `QUARRY_SERVER_ALLOWED_HOSTS=a.example,b.example`.
";

fn shown(default: &Value) -> String {
    match default {
        Value::Null => "empty".to_owned(),
        Value::Array(items) if items.is_empty() => "empty".to_owned(),
        Value::String(text) if text.is_empty() => "empty".to_owned(),
        Value::String(text) => format!("`{text}`"),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(shown).collect();
            items.join(", ")
        }
        other => format!("`{other}`"),
    }
}

/// `Struct.field` → its comment, and `Struct.field:type` → the field's type.
fn comments(sources: &[&str]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for source in sources {
        let mut owner = "";
        let mut comment = String::new();
        for line in source.lines().map(str::trim) {
            if let Some(sentence) = line.strip_prefix("///") {
                comment = format!("{comment} {}", sentence.trim()).trim().to_owned();
            } else if let Some(rest) = line.strip_prefix("pub struct ") {
                owner = rest.split([' ', '{', ';']).next().unwrap_or("");
                comment.clear();
            } else if let Some((field, kind)) = line
                .strip_prefix("pub ")
                .and_then(|rest| rest.split_once(": "))
                .filter(|_| line.ends_with(','))
            {
                let kind = kind.trim_end_matches(',').to_owned();
                found.insert(format!("{owner}.{field}:type"), kind);
                found.insert(format!("{owner}.{field}"), std::mem::take(&mut comment));
            } else if !line.starts_with("#[") {
                comment.clear();
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_committed_page_is_current() {
        let committed = include_str!("../../../docs/configuration.md");
        assert!(
            committed == super::documentation(),
            "docs/configuration.md has drifted: write it anew with `quarry-api configuration`"
        );
    }
}
