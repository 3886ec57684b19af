//! The schemas of bodies that the Worker reads or writes field by field.
#![expect(dead_code, reason = "they are never made")]

use schemars::JsonSchema;

/// The change of a sequencer.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, extend("examples" = [{ "node_count": 32_768 }]))]
pub(crate) struct Change {
    /// How many nodes it keeps: at most as many as it has, and enough that each shard keeps its
    /// first one.
    #[schemars(range(min = 1, max = 1_048_576))]
    node_count: u64,
}

/// Ids as text.
#[derive(JsonSchema)]
pub(crate) struct Ids {
    #[schemars(length(min = 1, max = 100_000))]
    ids: Vec<String>,
}

/// The health of an isolate, or the readiness of the authority.
#[derive(JsonSchema)]
pub(crate) struct Health {
    status: Healthy,
}

#[derive(JsonSchema)]
#[schemars(inline, rename_all = "lowercase")]
enum Healthy {
    Ok,
}

/// A page of a sequencer's nodes.
#[derive(JsonSchema)]
pub(crate) struct Nodes {
    incarnation: u64,
    first_node: u64,
    node_count: u64,
    epoch_ms: u64,
    tick_ms: u64,
    ids_per_tick: u64,
    shards: Vec<ShardNodes>,
    /// The cursor of the next page, if there is one.
    #[schemars(range(min = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
}

/// The nodes of a shard in columns: the same place in each is the same node.
#[derive(JsonSchema)]
struct ShardNodes {
    shard: u64,
    /// Whether the shard has used no node after this page.
    last: bool,
    /// The shard's present tick.
    tick: u64,
    node: Vec<u64>,
    /// The first tick of each span, from the present tick on; negative for the past.
    from: Vec<i64>,
    /// The first tick after each span, from the present tick on; negative for the past.
    until: Vec<i64>,
    /// 1 for a node that is held, and 0 for another.
    #[schemars(inner(range(max = 1)))]
    held: Vec<u64>,
}

/// An RFC 9457 problem.
#[derive(JsonSchema)]
pub(crate) struct Problem {
    /// `/problems/` and the code, which never changes: compare it in programs.
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

/// The refusal of an authority, with its numbers. Only the routes of leases and batches send it.
#[derive(JsonSchema)]
struct Refused {
    refusal: String,
    incarnation: u64,
}
