//! The OpenAPI document: collected from the handlers, completed with what holds for all of them.

use actix_web::App;
use utoipa::{
    Modify, OpenApi,
    openapi::{
        Content, Ref, RefOr, ResponseBuilder,
        path::Operation,
        security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};
use utoipa_actix_web::AppExt;

use crate::{
    problem::{FieldError, ProblemDocument},
    routes,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Quarry",
        description = "Code search over a company's Git repositories. Lists come in pages: pass \
                       `next_cursor` as `cursor`. Errors are RFC 9457 problems with a stable \
                       `code`. An object that the caller may not see answers like a missing one."
    ),
    security(("access_token" = [])),
    components(schemas(ProblemDocument, FieldError)),
    modifiers(&Completion)
)]
struct Document;

/// The whole document.
#[must_use]
pub fn document() -> utoipa::openapi::OpenApi {
    let (_, mut document) = App::new()
        .into_utoipa_app()
        .openapi(Document::openapi())
        .configure(routes::configure)
        .split_for_parts();
    Completion.modify(&mut document);
    document
}

/// The document as it is committed and served.
#[must_use]
pub fn json() -> String {
    let mut text = document().to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
}

/// Security schemes and the error answers that every operation has.
struct Completion;

impl Modify for Completion {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        if let Some(components) = document.components.as_mut() {
            let bearer = HttpBuilder::new()
                .scheme(HttpAuthScheme::Bearer)
                .bearer_format("JWT")
                .build();
            components.add_security_scheme("access_token", SecurityScheme::Http(bearer));
            let cookie = ApiKey::Cookie(ApiKeyValue::new("quarry_refresh"));
            components.add_security_scheme("refresh_cookie", SecurityScheme::ApiKey(cookie));
        }
        for item in document.paths.paths.values_mut() {
            let operations = [
                &mut item.get,
                &mut item.post,
                &mut item.put,
                &mut item.patch,
                &mut item.delete,
            ];
            for operation in operations.into_iter().flatten() {
                describe_failures(operation);
            }
        }
    }
}

fn describe_failures(operation: &mut Operation) {
    let problem = |description: &str| {
        let content = Content::new(Some(Ref::from_schema_name("Problem")));
        RefOr::T(
            ResponseBuilder::new()
                .description(description)
                .content("application/problem+json", content)
                .build(),
        )
    };
    let answers = &mut operation.responses.responses;
    for (status, description) in [
        ("401", "Not signed in."),
        ("403", "The role does not allow it."),
        ("404", "Missing, or not for this person."),
        ("422", "The request is not valid."),
        ("default", "Any other failure."),
    ] {
        answers
            .entry(status.to_owned())
            .or_insert_with(|| problem(description));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::{collections::BTreeMap, fs, path::Path};

    /// Of two types with one name the document keeps one, without a word.
    #[test]
    fn no_two_types_have_one_name_in_the_document() {
        let routes = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/routes");
        let mut places = BTreeMap::<String, Vec<String>>::new();
        for entry in fs::read_dir(routes).unwrap() {
            let path = entry.unwrap().path();
            let source = fs::read_to_string(&path).unwrap();
            let derives = source.split("#[derive(").skip(1);
            for item in derives.filter(|item| {
                item.split(")]")
                    .next()
                    .is_some_and(|list| list.contains("ToSchema"))
            }) {
                let declaration = item
                    .lines()
                    .find(|line| line.contains("struct ") || line.contains("enum "))
                    .unwrap();
                let renamed = item
                    .split_once("#[schema(as = ")
                    .filter(|(before, _)| !before.contains("struct ") && !before.contains("enum "))
                    .and_then(|(_, after)| after.split(')').next());
                let name = renamed.unwrap_or_else(|| {
                    let mut after = declaration
                        .split(' ')
                        .skip_while(|word| !matches!(*word, "struct" | "enum"));
                    after.nth(1).unwrap()
                });
                let name = name
                    .trim_end_matches(['{', ';', '('])
                    .split(['<', '('])
                    .next();
                let file = path.file_name().unwrap().to_string_lossy().into_owned();
                places
                    .entry(name.unwrap().to_owned())
                    .or_default()
                    .push(file);
            }
        }
        assert!(places.len() > 50, "only {} types were found", places.len());
        places.retain(|_, files| files.len() > 1);
        assert!(places.is_empty(), "{places:?}");
    }

    #[test]
    fn the_committed_document_is_current() {
        let committed = include_str!("../openapi.json");
        assert!(
            committed == super::json(),
            "api/openapi.json has drifted: write it anew with `cargo run --bin quarry-api -- openapi`"
        );
    }
}
