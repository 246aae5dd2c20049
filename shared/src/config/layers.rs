//! Merging file and environment, field by field, so that every problem is found in one go.

use std::{fmt, path::Path};

use config::{Config, File, FileFormat};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use thiserror::Error;

/// Prefix of the variables that are read as settings.
const PREFIX: &str = "QUARRY_";
/// Names the settings file; not itself a setting.
const CONFIGURATION_VARIABLE: &str = "QUARRY_CONFIG";

/// All problems of one configuration.
#[derive(Debug, Error)]
pub struct SettingsError {
    problems: Vec<String>,
}

impl SettingsError {
    /// One sentence each, starting with the setting's name.
    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "the configuration has {} problem",
            self.problems.len()
        )?;
        formatter.write_str(if self.problems.len() == 1 { ":" } else { "s:" })?;
        for problem in &self.problems {
            write!(formatter, "\n  - {problem}")?;
        }
        Ok(())
    }
}

/// Given values by section and field, and the problems found so far.
pub(super) struct Layers {
    values: Map<String, Value>,
    problems: Vec<String>,
}

impl Layers {
    /// `defaults` tells which sections and fields exist and of what kind they are.
    pub(super) fn read(
        defaults: &impl Serialize,
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        let known = match serde_json::to_value(defaults) {
            Ok(Value::Object(known)) => known,
            _ => Map::new(),
        };
        let mut layers = Self {
            values: Map::new(),
            problems: Vec::new(),
        };
        if let Some(path) = file {
            layers.read_file(path, &known);
        }
        layers.read_environment(environment, &known);
        layers
    }

    fn read_file(&mut self, path: &Path, known: &Map<String, Value>) {
        let source = File::from(path).format(FileFormat::Toml).required(true);
        let parsed = Config::builder()
            .add_source(source)
            .build()
            .and_then(Config::try_deserialize::<Map<String, Value>>);
        match parsed {
            Ok(values) => {
                for name in values.keys().filter(|name| !known.contains_key(*name)) {
                    self.problem(name, "is not a section");
                }
                self.values = values;
            }
            Err(error) => self.problems.push(format!("{}: {error}", path.display())),
        }
    }

    fn read_environment(
        &mut self,
        environment: impl IntoIterator<Item = (String, String)>,
        known: &Map<String, Value>,
    ) {
        for (variable, text) in environment {
            if !variable.starts_with(PREFIX) || variable == CONFIGURATION_VARIABLE {
                continue;
            }
            let Some((section, field, default)) = field_of(&variable, known) else {
                // Other programs of the house have variables of their own (`QUARRY_TEST_…`).
                if names_a_section(&variable, known) {
                    self.problem(&variable, "is not a setting");
                }
                continue;
            };
            match value_like(default, &text) {
                Ok(value) => {
                    let values = self
                        .values
                        .entry(section.clone())
                        .or_insert_with(|| Value::Object(Map::new()));
                    if let Value::Object(values) = values {
                        values.insert(field.clone(), value);
                    }
                }
                Err(expected) => self.problem(&variable, &format!("must be {expected}")),
            }
        }
    }

    /// The section's settings: its defaults with every given field that can be read.
    pub(super) fn section<T: DeserializeOwned + Default>(&mut self, name: &str) -> T {
        let given = match self.values.get(name) {
            None => return T::default(),
            Some(Value::Object(given)) => given.clone(),
            Some(_) => {
                self.problem(name, "must be a section");
                return T::default();
            }
        };
        let mut readable = Map::new();
        for (field, value) in given {
            match read_alone::<T>(&field, &value) {
                Ok(value) => {
                    readable.insert(field, value);
                }
                Err(error) => self.problem(&format!("{name}.{field}"), &error.to_string()),
            }
        }
        serde_json::from_value(Value::Object(readable)).unwrap_or_else(|error| {
            self.problem(name, &error.to_string());
            T::default()
        })
    }

    /// Notes a problem of a setting.
    pub(super) fn problem(&mut self, setting: &str, detail: &str) {
        self.problems.push(format!("`{setting}` {detail}"));
    }

    pub(super) fn finish(self) -> Result<(), SettingsError> {
        if self.problems.is_empty() {
            return Ok(());
        }
        Err(SettingsError {
            problems: self.problems,
        })
    }
}

/// The value under which `T` accepts this one field. A variable of an optional number arrives as text.
fn read_alone<T: DeserializeOwned>(field: &str, value: &Value) -> Result<Value, serde_json::Error> {
    let accepts = |value: &Value| {
        let single = Map::from_iter([(field.to_owned(), value.clone())]);
        serde_json::from_value::<T>(Value::Object(single)).map(|_| value.clone())
    };
    accepts(value).or_else(|error| {
        let number = value
            .as_str()
            .and_then(|text| serde_json::from_str::<serde_json::Number>(text).ok());
        number.map_or(Err(error), |number| accepts(&Value::Number(number)))
    })
}

/// The variable of a field.
pub(super) fn variable_of(section: &str, field: &str) -> String {
    format!("{PREFIX}{section}_{field}").to_ascii_uppercase()
}

fn names_a_section(variable: &str, known: &Map<String, Value>) -> bool {
    known
        .keys()
        .any(|section| variable.starts_with(&variable_of(section, "")))
}

/// `QUARRY_SERVER__BIND` is read as `QUARRY_SERVER_BIND`.
fn field_of<'a>(
    variable: &str,
    known: &'a Map<String, Value>,
) -> Option<(&'a String, &'a String, &'a Value)> {
    let variable = variable.replace("__", "_");
    known.iter().find_map(|(section, fields)| {
        let fields = fields.as_object()?;
        let (field, default) = fields
            .iter()
            .find(|(field, _)| variable_of(section, field) == variable)?;
        Some((section, field, default))
    })
}

/// Reads a variable's text as the kind of value that the default is. A list is written with commas,
/// or as JSON.
fn value_like(default: &Value, text: &str) -> Result<Value, &'static str> {
    match default {
        Value::Bool(_) => match text {
            "true" | "1" | "yes" => Ok(Value::Bool(true)),
            "false" | "0" | "no" => Ok(Value::Bool(false)),
            _ => Err("`true` or `false`"),
        },
        Value::Number(_) => serde_json::from_str::<serde_json::Number>(text)
            .map(Value::Number)
            .map_err(|_| "a number"),
        Value::Array(_) if text.trim_start().starts_with('[') => {
            serde_json::from_str(text).map_err(|_| "a list")
        }
        Value::Array(_) => Ok(text
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .map(Value::from)
            .collect()),
        Value::Object(_) => serde_json::from_str(text).map_err(|_| "a JSON object"),
        Value::Null if text.is_empty() => Ok(Value::Null),
        Value::Null | Value::String(_) => Ok(Value::from(text)),
    }
}
