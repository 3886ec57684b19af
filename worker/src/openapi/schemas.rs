//! Generates schemas from types, and from the tables of messages in `edgeflake-wire`.

use std::borrow::Cow;

use edgeflake::lease::{BoundConfig, Reply, Terms};
use edgeflake::text::Encoding;
use edgeflake_wire::{Described, Schema as Message};
use edgeflake_workers::value::NUMBER_MAX;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::routes::decode::{EncodingName, Texts};

/// The schemas of request bodies and the schemas of answers. In request bodies, optional values may
/// be missing or null.
pub(super) struct Schemas {
    pub(super) request: SchemaGenerator,
    pub(super) answer: SchemaGenerator,
}

impl Schemas {
    pub(super) fn new() -> Self {
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

    /// Returns all schemas to which a generated schema refers.
    pub(super) fn definitions(mut self) -> Map<String, Value> {
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

/// Declares that optional values are never null, because answers leave out missing values.
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

/// Returns the schema for the body of a holder's request: its message, and the fields that the
/// route itself reads.
pub(crate) fn request<T: Described>(schemas: &mut SchemaGenerator) -> Schema {
    let name = std::any::type_name::<T>().rsplit("::").next().unwrap_or_default();
    let mut schema = Message::of::<T>();
    let (own, text, max) = match name {
        "Acquire" | "Prefetch" => {
            let text = "How often this request was sent before without an answer. A retry begins \
                        at another shard.";
            ("tries", text, None)
        }
        _ => {
            let text =
                "The shard that the grant named. If there is only one shard, it may be missing.";
            ("shard", text, Some(BoundConfig::SHARDS_MAX - 1))
        }
    };
    let properties = &mut schema["properties"];
    properties[own] = json!({
        "type": ["integer", "null"], "format": "uint64", "minimum": 0, "description": text,
    });
    if let Some(max) = max {
        properties[own]["maximum"] = max.into();
    }
    if let Some(count) = properties.get_mut("count") {
        count["minimum"] = 1.into();
        count["maximum"] = Terms::PREFETCH_COUNT_MAX.into();
    }
    define(schemas, name, schema)
}

/// Returns the schema for the answer to a holder: one of these replies.
pub(crate) fn answer(schemas: &mut SchemaGenerator, replies: &[&str]) -> Schema {
    let all = Message::of::<Reply>();
    let message = |name: &&str| {
        let properties = json!({ *name: all["properties"][name] });
        json!({ "type": "object", "properties": properties, "required": [name] })
    };
    let schema = match replies {
        [reply] => message(reply),
        _ => json!({ "anyOf": replies.iter().map(message).collect::<Value>() }),
    };
    let (first, rest) = replies[0].split_at(1);
    define(schemas, &(first.to_uppercase() + rest), schema)
}

/// Adds a schema to the `OpenAPI` file under this name, and returns a reference to it.
fn define(schemas: &mut SchemaGenerator, name: &str, schema: Value) -> Schema {
    schemas.definitions_mut().insert(name.to_owned(), schema);
    Schema::new_ref(format!("#/components/schemas/{name}"))
}

/// A change to a sequencer.
#[expect(dead_code, reason = "it is never made")]
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, extend("examples" = [{ "node_count": 32_768 }]))]
pub(crate) struct Change {
    /// The number of nodes that the sequencer keeps: at most as many nodes as it has now, and
    /// enough nodes for each shard to keep its first node.
    #[schemars(range(min = 1, max = 1_048_576))]
    node_count: u64,
}

/// Ids as text.
#[expect(dead_code, reason = "it is never made")]
#[derive(JsonSchema)]
pub(crate) struct Ids {
    #[schemars(length(min = 1, max = 100_000))]
    ids: Vec<String>,
}

/// The health of an isolate, or the readiness of the authority.
#[expect(dead_code, reason = "it is never made")]
#[derive(JsonSchema)]
pub(crate) struct Health {
    status: Healthy,
}

#[expect(dead_code, reason = "it is never made")]
#[derive(JsonSchema)]
#[schemars(inline, rename_all = "lowercase")]
enum Healthy {
    Ok,
}

/// A page of a sequencer's nodes.
#[expect(dead_code, reason = "it is never made")]
#[derive(JsonSchema)]
pub(crate) struct Nodes {
    incarnation: u64,
    first_node: u64,
    node_count: u64,
    epoch_ms: u64,
    tick_ms: u64,
    ids_per_tick: u64,
    shards: Vec<ShardNodes>,
    /// The cursor of the next page, if there is a next page.
    #[schemars(range(min = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
}

/// The nodes of a shard, in columns. The same place in each column belongs to the same node.
#[expect(dead_code, reason = "it is never made")]
#[derive(JsonSchema)]
struct ShardNodes {
    shard: u64,
    /// Whether the shard has used no node after this page.
    last: bool,
    /// The shard's current tick.
    tick: u64,
    node: Vec<u64>,
    /// The first tick of each span, relative to the current tick; negative if it is in the past.
    from: Vec<i64>,
    /// The first tick after each span, relative to the current tick; negative if it is in the past.
    until: Vec<i64>,
    /// 1 if a holder has the node, otherwise 0.
    #[schemars(inner(range(max = 1)))]
    held: Vec<u64>,
}

/// An RFC 9457 problem.
#[expect(dead_code, reason = "it is never made")]
#[derive(JsonSchema)]
pub(crate) struct Problem {
    /// `/problems/` and the code of the error. The code never changes, so programs can compare it.
    #[schemars(rename = "type", regex(pattern = "^/problems/[a-z-]+$"))]
    kind: String,
    title: String,
    #[schemars(range(min = 400, max = 599))]
    status: u16,
    /// A text for people that says what was found and what is allowed.
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<Refused>,
}

/// The refusal of an authority, with the numbers of the refusal. Only the routes of leases and
/// batches send refusals.
#[expect(dead_code, reason = "it is never made")]
#[derive(JsonSchema)]
struct Refused {
    refusal: String,
    incarnation: u64,
}
