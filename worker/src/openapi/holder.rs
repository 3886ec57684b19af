//! The schemas of the messages between holders and authorities, from the tables of `edgeflake-wire`.

use edgeflake::lease::{Reply, Terms};
use edgeflake_wire::{Described, Schema};
use schemars::SchemaGenerator;
use serde_json::{Value, json};

/// The body of a holder's request: its message, and what the route itself reads.
pub(crate) fn request<T: Described>(schemas: &mut SchemaGenerator) -> schemars::Schema {
    let name = std::any::type_name::<T>().rsplit("::").next().unwrap_or_default();
    let mut schema = Schema::of::<T>();
    let (own, text, max) = match name {
        "Acquire" | "Prefetch" => {
            let text = "How often this was sent before without an answer. A retry begins at \
                another shard.";
            ("tries", text, None)
        }
        _ => ("shard", "The shard that the grant named; 0 without it.", Some(63)),
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

/// The answer to a holder, which is one of these replies.
pub(crate) fn answer(schemas: &mut SchemaGenerator, replies: &[&str]) -> schemars::Schema {
    let all = Schema::of::<Reply>();
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

/// Names a schema in the `OpenAPI` file, and refers to it.
fn define(schemas: &mut SchemaGenerator, name: &str, schema: Value) -> schemars::Schema {
    schemas.definitions_mut().insert(name.to_owned(), schema);
    schemars::Schema::new_ref(format!("#/components/schemas/{name}"))
}
