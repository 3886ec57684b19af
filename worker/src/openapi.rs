//! Generates the `OpenAPI` file of the HTTP API from the table of routes, the table of codes, and
//! the schemas of bodies and answers. The deployed Worker does not contain this code.
#![cfg(not(target_family = "wasm"))]

pub(crate) mod description;
pub(crate) mod schemas;

use edgeflake::code;
use edgeflake_workers::settings::table::PUBLIC;
use edgeflake_workers::value::NUMBER_MAX;
use schemars::Schema;
use serde_json::{Map, Value, json};

use self::description::{Content, Description};
use self::schemas::Schemas;
use crate::routes::decode::EncodingName;
use crate::routes::parameters::{Kind, Parameter, Whole};
use crate::routes::route::{Body, Route, Weight};
use crate::routes::{DESCRIPTIONS, ENDPOINTS, Endpoint};
use crate::settings::access::Role;

const INTRODUCTION: &str = "Ids, and every number that may be 2^53 or more, are strings in JSON. \
    The header `Accept` is not read: `format` says what comes back. Parameters, keys of a \
    configuration and bodies that are not listed are refused. `HEAD` is answered as `GET`, and \
    `OPTIONS` with the methods of a path. `x-edgeflake-weight` says how many units of the rate \
    limit a request counts as; `ids` is one per 1,000 ids.";

const TAGS: [(&str, &str); 5] = [
    ("Ids", "Issuing ids."),
    ("Reading", "What ids say."),
    ("Operation", "For those who run it."),
    ("Sequencers", "Named configurations, each with an authority of its own."),
    ("Leases", "For holders of any kind, anywhere."),
];

/// The HTTP statuses of problems, each with the name of its response in the `OpenAPI` file.
const PROBLEMS: [(u16, &str); 13] = [
    (400, "BadRequest"),
    (401, "Unauthorized"),
    (403, "Forbidden"),
    (404, "NotFound"),
    (405, "MethodNotAllowed"),
    (408, "RequestTimeout"),
    (409, "Conflict"),
    (410, "Gone"),
    (413, "ContentTooLarge"),
    (422, "Unfit"),
    (429, "TooManyRequests"),
    (500, "InternalError"),
    (503, "Unavailable"),
];

/// Returns the `OpenAPI` file.
#[must_use]
pub fn openapi() -> Value {
    let mut schemas = Schemas::new();
    let mut paths = Map::new();
    for (Endpoint { route, .. }, description) in ENDPOINTS.iter().zip(DESCRIPTIONS) {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.to_lowercase()] = operation(route, description, &mut schemas);
    }
    let problem = schemas.answer.subschema_for::<schemas::Problem>();
    let ids = schemas.answer.subschema_for::<schemas::Ids>();
    let problems =
        PROBLEMS.map(|(status, name)| (name.to_owned(), problem_answer(status, &problem)));
    let mut responses = Map::from_iter([("Issued".to_owned(), issued(&ids))]);
    responses.extend(problems);
    let tags = TAGS.map(|(name, description)| json!({ "name": name, "description": description }));
    json!({
        "openapi": "3.1.1",
        "info": {
            "title": "edgeflake",
            "version": "1",
            "summary": "64-bit, time-sorted, unique ids, issued at the edge.",
            "description": INTRODUCTION,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "tags": tags,
        "paths": paths,
        "components": {
            "securitySchemes": Map::from_iter(Role::ALL.map(scheme)),
            "headers": Map::from_iter(ORIGIN.map(origin)),
            "responses": responses,
            "schemas": schemas.definitions(),
        },
    })
}

/// A row of the documents' table of routes.
#[derive(serde::Serialize)]
pub struct Overview {
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    /// The secret of the lowest role that may use the route.
    secret: Option<&'static str>,
    /// The number of units that a request counts against the rate limit; `ids` means one per 1,000
    /// ids.
    weight: Value,
}

/// Returns all routes, in the order of the documents.
pub fn overview() -> impl Iterator<Item = Overview> {
    ENDPOINTS.iter().zip(DESCRIPTIONS).map(|(Endpoint { route, .. }, description)| Overview {
        method: route.method,
        path: route.path,
        summary: description.summary,
        secret: route.role.map(Role::secret),
        weight: weight(route),
    })
}

fn weight(route: &Route) -> Value {
    match route.weight {
        Weight::Free => Value::Null,
        Weight::Units(units) => units.into(),
        Weight::Ids => "ids".into(),
    }
}

fn operation(route: &Route, description: &Description, schemas: &mut Schemas) -> Value {
    let Description { id, tag, summary, text, body, .. } = description;
    let mut operation = json!({ "operationId": id, "tags": [tag], "summary": summary });
    if !text.is_empty() {
        operation["description"] = (*text).into();
    }
    operation["security"] = security(route.role);
    if route.weight != Weight::Free {
        operation["x-edgeflake-weight"] = weight(route);
    }
    let in_path = in_path(route.path);
    let in_path = in_path.iter().map(|given| ("path", given));
    let in_query = description.parameters.iter().map(|given| ("query", given));
    let parameters: Vec<_> =
        in_path.chain(in_query).map(|(place, given)| parameter(place, given, schemas)).collect();
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    if let Some(body) = body {
        let schema = (body.schema)(&mut schemas.request);
        let content = json!({ "application/json": { "schema": schema } });
        operation["requestBody"] = json!({ "required": body.is_required, "content": content });
    }
    let mut responses = Map::new();
    for success in description.answers {
        let media = match success.content {
            Content::Ids => {
                responses.insert(success.status.to_string(), reference("responses", "Issued"));
                continue;
            }
            Content::Json(schema) => {
                json!({ "application/json": { "schema": schema(&mut schemas.answer) } })
            }
            Content::Reply(names) => {
                json!({ "application/json": { "schema": schemas::answer(&mut schemas.answer, names) } })
            }
            Content::Metrics => {
                json!({ "text/plain; version=0.0.4; charset=utf-8": { "schema": { "type": "string" } } })
            }
        };
        let answer = json!({ "description": success.text, "content": media });
        responses.insert(success.status.to_string(), answer);
    }
    for (status, name) in PROBLEMS {
        if can_fail(status, route) && !description.never.contains(&status) {
            responses.insert(status.to_string(), reference("responses", name));
        }
    }
    operation["responses"] = responses.into();
    operation
}

/// Returns whether requests to a route can fail with this status, judged by the route's
/// requirements.
fn can_fail(status: u16, route: &Route) -> bool {
    match status {
        401 => route.role.is_some(),
        // The token of any role satisfies the lowest role.
        403 => route.role.is_some_and(|role| role > Role::Read),
        // Only a route that calls objects has a weight.
        404 | 410 | 429 | 503 => route.weight != Weight::Free,
        409 | 413 => route.body != Body::None,
        _ => true,
    }
}

fn reference(kind: &str, name: &str) -> Value {
    json!({ "$ref": format!("#/components/{kind}/{name}") })
}

/// Returns the secrets that open a route, the lowest role first.
fn security(role: Option<Role>) -> Value {
    let Some(lowest) = role else { return json!([]) };
    let public = PUBLIC.get(lowest as usize).map(|_| json!({}));
    let roles = Role::ALL.into_iter().filter(|role| *role >= lowest);
    public.into_iter().chain(roles.map(|role| json!({ scheme_name(role): [] }))).collect()
}

fn scheme_name(role: Role) -> String {
    role.secret().to_lowercase()
}

fn scheme(role: Role) -> (String, Value) {
    let lower = Role::ALL.into_iter().rfind(|lower| *lower < role);
    let lower = lower.map(|lower| format!("; includes `{}`", lower.secret())).unwrap_or_default();
    let public = PUBLIC.get(role as usize).map(|variable| {
        format!(
            " You need none if the variable `{variable}` is \"true\" and the secret is not set."
        )
    });
    let text = format!("The secret `{}`{lower}.{}", role.secret(), public.unwrap_or_default());
    (scheme_name(role), json!({ "type": "http", "scheme": "bearer", "description": text }))
}

/// Returns the parameter of a path.
fn in_path(path: &str) -> Option<Parameter> {
    let (name, text, pattern, example) = if path.contains("{id}") {
        ("id", "The id, in any encoding.", "^[0-9A-Za-z_-]{1,65}$", &[("", "1541815603606036480")])
    } else if path.contains("{name}") {
        ("name", "The sequencer's name.", "^[a-z0-9-]{1,63}$", &[("", "default")])
    } else {
        return None;
    };
    let kind = Kind::Text { pattern: Some(pattern) };
    Some(Parameter { is_required: true, examples: example, ..Parameter::new(name, text, kind) })
}

fn parameter(place: &str, given: &Parameter, schemas: &mut Schemas) -> Value {
    let mut parameter = json!({ "name": given.name, "in": place, "description": given.text });
    if given.is_required {
        parameter["required"] = true.into();
    }
    parameter["schema"] = match given.kind {
        Kind::Whole(Whole { min, max, default }) => {
            json!({ "type": "integer", "minimum": min, "maximum": max, "default": default })
        }
        Kind::OneOf(words) => json!({ "type": "string", "enum": words, "default": words[0] }),
        Kind::Encoding { default } => {
            let mut schema = schemas.answer.subschema_for::<EncodingName>().to_value();
            if let Some(default) = default {
                schema["default"] = default.into();
            }
            schema
        }
        Kind::Text { pattern: None } => json!({ "type": "string" }),
        Kind::Text { pattern: Some(pattern) } => json!({ "type": "string", "pattern": pattern }),
    };
    match given.examples {
        [] => {}
        [("", example)] => parameter["example"] = (*example).into(),
        examples => {
            let examples = examples
                .iter()
                .map(|(name, value)| ((*name).to_owned(), json!({ "value": value })));
            parameter["examples"] = examples.collect::<Map<_, _>>().into();
        }
    }
    parameter
}

/// The headers that say from which node and span the ids come, and how far they are ahead.
const ORIGIN: [(&str, &str); 4] = [
    ("Edgeflake-Node", "The node of the last id."),
    ("Edgeflake-Span", "The ticks during which the node is held, as `from/until`."),
    ("Edgeflake-Incarnation", "The incarnation of the sequencer."),
    ("Edgeflake-Ahead-Millis", "How far the last id is ahead of the clock, in ms."),
];

fn origin((name, text): (&str, &str)) -> (String, Value) {
    let schema = match name {
        "Edgeflake-Span" => json!({ "type": "string", "pattern": "^[0-9]+/[0-9]+$" }),
        _ => json!({ "type": "integer", "minimum": 0, "maximum": NUMBER_MAX }),
    };
    (name.to_owned(), json!({ "required": true, "description": text, "schema": schema }))
}

/// Returns the description of an answer with ids.
fn issued(ids: &Schema) -> Value {
    let headers = ORIGIN.map(|(name, _)| (name.to_owned(), reference("headers", name)));
    let [first, second] = ["1176318588286402561", "1176318588286468097"];
    json!({
        "description": "The ids in ascending order: exactly `count` of them.",
        "headers": Map::from_iter(headers),
        "content": {
            "application/json": { "schema": ids, "example": { "ids": [first, second] } },
            "text/plain; charset=utf-8": {
                "schema": { "type": "string" },
                "example": format!("{first}\n{second}\n"),
            },
            "application/octet-stream": { "schema": { "type": "string", "format": "binary" } },
        },
    })
}

/// Returns the description of an answer with a problem of this status. The description lists all
/// codes with this status.
fn problem_answer(status: u16, problem: &Schema) -> Value {
    let mut codes = Vec::new();
    for code in code::ALL {
        let Some(http) = code.http else { continue };
        if http.statuses.iter().any(|(of_code, _)| *of_code == status) {
            codes.push(format!("`{}`: {}.", code.name, http.title));
        }
    }
    let mut answer = json!({ "description": codes.join(" ") });
    let text = json!({ "required": true, "schema": { "type": "string" } });
    match status {
        401 => answer["headers"] = json!({ "WWW-Authenticate": text }),
        405 => answer["headers"] = json!({ "Allow": text }),
        429 | 503 => {
            let header = json!({
                "description": "The number of seconds after which to try again.",
                "schema": { "type": "integer", "minimum": 1 },
            });
            answer["headers"] = json!({ "Retry-After": header });
        }
        _ => {}
    }
    answer["content"] = json!({ "application/problem+json": { "schema": problem } });
    answer
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn bodies_have_the_keys_that_are_read() {
        let openapi = openapi();
        for Endpoint { route, .. } in ENDPOINTS {
            let Body::Object(keys) = route.body else { continue };
            let operation = &openapi["paths"][route.path][route.method.to_lowercase()];
            let body = &operation["requestBody"]["content"]["application/json"]["schema"];
            let pointer = body["$ref"].as_str().unwrap().strip_prefix('#').unwrap();
            let schema = openapi.pointer(pointer).unwrap();
            let described = schema["properties"].as_object().unwrap().keys().map(String::as_str);
            let read = keys.iter().copied();
            assert_eq!(described.collect::<BTreeSet<_>>(), read.collect(), "{route:?}");
            assert_eq!(schema["additionalProperties"], false);
        }
    }
}
