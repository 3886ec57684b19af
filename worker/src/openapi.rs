//! The description of the HTTP API as an OpenAPI file, made from the table of routes, the table of
//! codes, and the schemas of bodies and answers. No Worker has it inside.

pub(crate) mod holder;
pub(crate) mod nodes;

use std::borrow::Cow;

use edgeflake::code;
use edgeflake::text::Encoding;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::http::query::{Kind, NUMBER_MAX, Parameter, Whole};
use crate::routes::decode::{EncodingName, Texts};
use crate::routes::description::{Content, Description};
use crate::routes::route::{Body, Route, Weight};
use crate::routes::table::{DESCRIPTIONS, ROUTES};
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

/// Each status of a problem with the name of its answer, and the header that the answer has.
const PROBLEMS: [(u16, &str, Option<(&str, Header)>); 13] = [
    (400, "BadRequest", None),
    (401, "Unauthorized", Some(("WWW-Authenticate", Header::Text))),
    (403, "Forbidden", None),
    (404, "NotFound", None),
    (405, "MethodNotAllowed", Some(("Allow", Header::Text))),
    (408, "RequestTimeout", None),
    (409, "Conflict", None),
    (410, "Gone", None),
    (413, "ContentTooLarge", None),
    (422, "Unfit", None),
    (429, "TooManyRequests", Some(("Retry-After", Header::Seconds))),
    (500, "InternalError", None),
    (503, "Unavailable", Some(("Retry-After", Header::Seconds))),
];

#[derive(Clone, Copy)]
enum Header {
    /// A text, which is always there.
    Text,
    /// A number of seconds, which may be missing.
    Seconds,
}

/// The OpenAPI file.
///
/// # Panics
/// If an example in the table of routes is no JSON.
#[must_use]
pub fn openapi() -> Value {
    let mut schemas = Schemas::new();
    let mut paths = Map::new();
    for (route, description) in ROUTES.iter().zip(DESCRIPTIONS) {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.to_lowercase()] = operation(route, description, &mut schemas);
    }
    let problem = schemas.answer.subschema_for::<nodes::Problem>();
    let ids = schemas.answer.subschema_for::<nodes::Ids>();
    let problems = PROBLEMS
        .map(|(status, name, header)| (name.to_owned(), problem_answer(status, header, &problem)));
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

/// A route in a table of documents.
#[derive(serde::Serialize)]
pub struct Overview {
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    /// The least powerful secret that opens it.
    secret: Option<&'static str>,
    /// The units of the rate limit: a number, or `ids` for one per 1,000 ids.
    weight: Value,
}

/// All routes, in the order in which documents list them.
pub fn overview() -> impl Iterator<Item = Overview> {
    ROUTES.iter().zip(DESCRIPTIONS).map(|(route, description)| Overview {
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
        let mut content = json!({ "schema": (body.schema)(&mut schemas.request) });
        if !body.example.is_empty() {
            content["example"] =
                serde_json::from_str(body.example).expect("an example in the table is JSON");
        }
        operation["requestBody"] =
            json!({ "required": body.is_required, "content": { "application/json": content } });
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
            Content::Metrics => {
                json!({ "text/plain; version=0.0.4; charset=utf-8": { "schema": { "type": "string" } } })
            }
        };
        let answer = json!({ "description": success.text, "content": media });
        responses.insert(success.status.to_string(), answer);
    }
    for (status, name, _) in PROBLEMS {
        if can_fail(status, route) && !description.never.contains(&status) {
            responses.insert(status.to_string(), reference("responses", name));
        }
    }
    operation["responses"] = responses.into();
    operation
}

/// Whether a request may be answered with this status, by what its route requires and takes.
fn can_fail(status: u16, route: &Route) -> bool {
    match status {
        401 => route.role.is_some(),
        // The lowest role includes every token.
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

/// The secrets that open a route, the least powerful first.
fn security(role: Option<Role>) -> Value {
    let Some(lowest) = role else { return json!([]) };
    let public = lowest.public().map(|_| json!({}));
    let roles = Role::ALL.into_iter().filter(|role| *role >= lowest);
    public.into_iter().chain(roles.map(|role| json!({ scheme_name(role): [] }))).collect()
}

fn scheme_name(role: Role) -> String {
    role.secret().to_lowercase()
}

fn scheme(role: Role) -> (String, Value) {
    let mut text = format!("The secret `{}`", role.secret());
    if let Some(lower) = Role::ALL.into_iter().filter(|lower| *lower < role).last() {
        text += &format!("; includes `{}`", lower.secret());
    }
    text.push('.');
    if let Some(variable) = role.public() {
        text += &format!(
            " You need no secret if the variable `{variable}` is \"true\" and the secret is not set."
        );
    }
    (scheme_name(role), json!({ "type": "http", "scheme": "bearer", "description": text }))
}

/// The parameter of a path.
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
            parameter["examples"] = Map::from_iter(examples).into();
        }
    }
    parameter
}

/// The headers that say where ids come from.
const ORIGIN: [(&str, &str); 4] = [
    ("Edgeflake-Node", "The node of the last id."),
    ("Edgeflake-Span", "From which tick on and until which the node is held: `from/until`."),
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

/// The answer with ids.
fn issued(ids: &Schema) -> Value {
    let headers = ORIGIN.map(|(name, _)| (name.to_owned(), reference("headers", name)));
    let [first, second] = ["1176318588286402561", "1176318588286468097"];
    json!({
        "description": "All of the ids, ascending. Their number is that of `count`.",
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

/// The answer with a problem of this status, which lists the codes that have it.
fn problem_answer(status: u16, header: Option<(&str, Header)>, problem: &Schema) -> Value {
    let mut codes = Vec::new();
    for code in code::ALL {
        let Some(http) = code.http else { continue };
        if http.statuses.iter().any(|(of_code, _)| *of_code == status) {
            codes.push(format!("`{}`: {}.", code.name, http.title));
        }
    }
    let mut answer = json!({ "description": codes.join(" ") });
    if let Some((name, header)) = header {
        let header = match header {
            Header::Text => json!({ "required": true, "schema": { "type": "string" } }),
            Header::Seconds => json!({
                "description": "After how many seconds to try again.",
                "schema": { "type": "integer", "minimum": 1 },
            }),
        };
        answer["headers"] = json!({ name: header });
    }
    answer["content"] = json!({ "application/problem+json": { "schema": problem } });
    answer
}

/// The schemas of bodies, whose optional values may be missing, and of answers.
struct Schemas {
    request: SchemaGenerator,
    answer: SchemaGenerator,
}

impl Schemas {
    fn new() -> Self {
        let settings = || {
            SchemaSettings::draft2020_12()
                .with(|settings| settings.definitions_path = "/components/schemas".into())
                .with_transform(JsonNumbers)
        };
        let answers = settings().for_serialize().with_transform(NoNull);
        Self {
            request: settings().for_deserialize().into_generator(),
            answer: answers.into_generator(),
        }
    }

    /// The schemas that were referred to.
    fn definitions(mut self) -> Map<String, Value> {
        let mut all = self.answer.take_definitions(true);
        all.extend(self.request.take_definitions(true));
        all
    }
}

/// Limits whole numbers to those that a JavaScript number holds exactly.
#[derive(Clone)]
struct JsonNumbers;

impl Transform for JsonNumbers {
    fn transform(&mut self, schema: &mut Schema) {
        if schema.remove("format").is_some_and(|format| format == "uint64") {
            schema.ensure_object().entry("maximum").or_insert(NUMBER_MAX.into());
        }
        transform_subschemas(self, schema);
    }
}

/// Says of a value that may be missing that it is never null, because answers leave it out.
#[derive(Clone)]
struct NoNull;

impl Transform for NoNull {
    fn transform(&mut self, schema: &mut Schema) {
        let required = schema.get("required").cloned().unwrap_or_default();
        let required = required.as_array().map_or(&[][..], Vec::as_slice);
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            let is_optional = |name: &String| !required.iter().any(|required| required == name);
            for (_, value) in properties.iter_mut().filter(|(name, _)| is_optional(name)) {
                let Some(value) = value.as_object_mut() else { continue };
                if let Some(Value::Array(types)) = value.get_mut("type") {
                    types.truncate(1);
                }
                if let Some(Value::Array(mut either)) = value.remove("anyOf")
                    && let Value::Object(schema) = either.swap_remove(0)
                {
                    value.extend(schema);
                }
            }
        }
        transform_subschemas(self, schema);
    }
}

impl JsonSchema for EncodingName {
    fn schema_name() -> Cow<'static, str> {
        "Encoding".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Encoding::ALL.map(Encoding::name) })
    }
}

impl JsonSchema for Texts {
    fn schema_name() -> Cow<'static, str> {
        "Texts".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = Encoding::ALL.map(Encoding::name);
        let texts = names.map(|name| (name.to_owned(), json!({ "type": "string" })));
        json_schema!({
            "type": "object",
            "required": names,
            "properties": Map::from_iter(texts),
        })
    }
}
