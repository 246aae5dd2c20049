//! Where identifiers stand in the requests of the API's document.

use std::fmt;

use reqwest::Method;
use serde_json::{Map, Value, json};

/// One operation of the document.
pub struct Operation {
    pub id: String,
    pub method: Method,
    pub path: String,
    pub places: Vec<Place>,
    /// Query parameters that must be there.
    required: Vec<String>,
}

/// Where an identifier stands.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// In no place: everything is one's own.
    Nowhere,
    /// One identifier of the path.
    Path(String),
    /// All identifiers of the path at once.
    WholePath,
    Query(String),
    /// In the body; `0` is the first of a list.
    Body(Vec<String>),
}

impl Place {
    pub const fn is_in_path(&self) -> bool {
        matches!(self, Self::Path(_) | Self::WholePath)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nowhere => write!(formatter, "nowhere"),
            Self::Path(name) => write!(formatter, "{{{name}}}"),
            Self::WholePath => write!(formatter, "the whole path"),
            Self::Query(name) => write!(formatter, "?{name}"),
            Self::Body(steps) => write!(formatter, "body /{}", steps.join("/")),
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.method, self.path)
    }
}

/// Every operation, with its places.
pub fn operations() -> Vec<Operation> {
    let document: Value = serde_json::from_str(&quarry_api::openapi::json()).unwrap();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let method = method.to_uppercase();
            if !["GET", "POST", "PUT", "PATCH", "DELETE"].contains(&method.as_str()) {
                continue;
            }
            let mut places = Vec::new();
            let names = names_of(path);
            places.extend(names.iter().cloned().map(Place::Path));
            if names.len() > 1 {
                places.push(Place::WholePath);
            }
            let empty = Vec::new();
            let parameters = operation["parameters"].as_array().unwrap_or(&empty);
            let queries = || parameters.iter().filter(|each| each["in"] == "query");
            let name = |parameter: &Value| parameter["name"].as_str().unwrap().to_owned();
            places.extend(
                queries()
                    .map(name)
                    .filter(|name| is_identifier(name))
                    .map(Place::Query),
            );
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let mut found = Vec::new();
            look_into(&document, schema, &mut Vec::new(), &mut found);
            places.extend(found.into_iter().map(Place::Body));
            operations.push(Operation {
                id: operation["operationId"].as_str().unwrap().to_owned(),
                method: Method::from_bytes(method.as_bytes()).unwrap(),
                path: path.clone(),
                places,
                required: queries()
                    .filter(|each| each["required"] == true)
                    .map(name)
                    .collect(),
            });
        }
    }
    operations
}

fn names_of(path: &str) -> Vec<String> {
    path.split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
        .map(str::to_owned)
        .collect()
}

fn is_identifier(name: &str) -> bool {
    // An identity provider gives that one out, not Quarry.
    (name != "client_id" && name.ends_with("_id")) || name.ends_with("_ids")
}

/// The single form of a list's name.
fn single(name: &str) -> String {
    name.strip_suffix('s')
        .filter(|_| name.ends_with("_ids"))
        .unwrap_or(name)
        .to_owned()
}

fn look_into(document: &Value, schema: &Value, at: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    if at.len() > 6 {
        return;
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(reference.trim_start_matches('#')).unwrap();
        return look_into(document, target, at, found);
    }
    for kind in ["allOf", "oneOf", "anyOf"] {
        for each in schema[kind].as_array().into_iter().flatten() {
            look_into(document, each, at, found);
        }
    }
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        at.push(name.clone());
        if is_identifier(name) {
            if !found.contains(at) {
                found.push(at.clone());
            }
        } else {
            look_into(document, inner, at, found);
        }
        at.pop();
    }
    if schema["items"].is_object() {
        at.push("0".to_owned());
        look_into(document, &schema["items"], at, found);
        at.pop();
    }
}

impl Operation {
    /// The path; `choose` is asked for each identifier and told whether it is the aim.
    pub fn fill_path(&self, place: &Place, choose: &mut impl FnMut(&str, bool) -> Value) -> String {
        let mut path = self.path.clone();
        for name in names_of(&self.path) {
            let is_aimed = *place == Place::WholePath || *place == Place::Path(name.clone());
            let value = choose(&name, is_aimed);
            path = path.replace(&format!("{{{name}}}"), &plain(&value));
        }
        path
    }

    /// The query with what must be in it, and the aim.
    pub fn fill_query(
        &self,
        place: &Place,
        choose: &mut impl FnMut(&str, bool) -> Value,
    ) -> String {
        let mut pairs = Vec::new();
        for name in &self.required {
            let is_aimed = *place == Place::Query(name.clone());
            let value = match name.as_str() {
                name if is_identifier(name) => plain(&choose(&single(name), is_aimed)),
                "path" => "a.py".to_owned(),
                "email" => "nobody@example.com".to_owned(),
                "name" | "q" | "query" => "only_for_insiders".to_owned(),
                other => panic!("{self} needs `{other}` in its query: say here what to send"),
            };
            pairs.push(format!("{name}={value}"));
        }
        if let Place::Query(name) = place
            && !self.required.contains(name)
        {
            pairs.push(format!("{name}={}", plain(&choose(&single(name), true))));
        }
        if pairs.is_empty() {
            return String::new();
        }
        format!("?{}", pairs.join("&"))
    }

    /// The body with the aim put in.
    pub fn fill_body(
        &self,
        place: &Place,
        body: Option<Value>,
        choose: &mut impl FnMut(&str, bool) -> Value,
    ) -> Option<Value> {
        let Place::Body(steps) = place else {
            return body;
        };
        let mut body = body.unwrap_or_else(|| json!({}));
        let (last, above) = steps.split_last().unwrap();
        let mut inner = &mut body;
        for step in above {
            if let Ok(at) = step.parse::<usize>() {
                if !inner.is_array() {
                    *inner = json!([{}]);
                }
                inner = &mut inner[at];
            } else {
                if !inner.is_object() {
                    *inner = Value::Object(Map::new());
                }
                inner = &mut inner[step.as_str()];
            }
        }
        let value = choose(&single(last), true);
        inner[last.as_str()] = if last.ends_with("_ids") {
            json!([value])
        } else {
            value
        };
        Some(body)
    }
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
