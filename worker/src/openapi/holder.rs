//! The schemas of the messages between holders and authorities, which `edgeflake-wire` reads and
//! writes.
#![expect(dead_code, reason = "they are never made")]

use schemars::JsonSchema;

/// A request of a holder for a lease.
#[derive(JsonSchema)]
pub(crate) struct Acquire {
    /// 128 random bits, drawn for this attempt and the same in its retries.
    #[schemars(regex(pattern = "^[0-9a-f]{32}$"))]
    token: String,
    /// The incarnation, if it is known.
    incarnation: Option<u64>,
    /// The node that a swap gives up.
    excluded_node: Option<u64>,
    /// How often this was sent before without an answer. A retry begins at another shard.
    tries: Option<u64>,
    /// The holder's clock, in Unix ms.
    now_ms: u64,
}

/// A grant.
#[derive(JsonSchema)]
pub(crate) struct Granted {
    granted: Grant,
}

#[derive(JsonSchema)]
#[schemars(inline)]
struct Grant {
    #[schemars(regex(pattern = "^[0-9a-f]{32}$"))]
    token: String,
    incarnation: u64,
    #[serde(flatten)]
    config: BoundConfig,
    node: u64,
    from_tick: u64,
    /// The first tick after the span.
    until_tick: u64,
    #[serde(flatten)]
    limits: Limits,
    /// The shard that renews the lease.
    shard: u64,
}

#[derive(JsonSchema)]
struct BoundConfig {
    layout: String,
    first_node: u64,
    node_count: u64,
    shards: u64,
    /// How many of the last nodes were given up for good.
    #[serde(skip_serializing_if = "Option::is_none")]
    withdrawn: Option<u64>,
}

#[derive(JsonSchema)]
struct Limits {
    lease_ms: u64,
    allowed_future_ms: u64,
    terms: Terms,
}

/// How the holder issues.
#[derive(JsonSchema)]
struct Terms {
    sequence_start: SequenceStart,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence_start_max: Option<u64>,
    gap_max: u64,
    prefetch_count: u64,
    prefetch_validity_ms: u64,
    statistics: bool,
}

#[derive(JsonSchema)]
#[schemars(inline, rename_all = "lowercase")]
enum SequenceStart {
    Zero,
    Random,
    Rotating,
}

/// A request of a holder to renew a lease.
#[derive(JsonSchema)]
pub(crate) struct Renew {
    #[schemars(regex(pattern = "^[0-9a-f]{32}$"))]
    token: String,
    incarnation: u64,
    node: u64,
    /// The tick of the holder's next counter.
    tick: u64,
    /// How many ids of the span were issued so far.
    issued: Option<u64>,
    now_ms: u64,
    /// The shard that the grant named; 0 without it.
    #[schemars(range(max = 63))]
    shard: Option<u64>,
}

/// The answer to a renewal.
#[derive(JsonSchema)]
#[serde(untagged)]
pub(crate) enum Renewed {
    Renewed { renewed: Renewal },
    Ended(Ended),
}

#[derive(JsonSchema)]
#[schemars(inline)]
pub(crate) struct Renewal {
    #[schemars(regex(pattern = "^[0-9a-f]{32}$"))]
    token: String,
    incarnation: u64,
    until_tick: u64,
    #[serde(flatten)]
    limits: Limits,
}

/// A lease that has ended.
#[derive(JsonSchema)]
pub(crate) struct Ended {
    ended: EndedLease,
}

#[derive(JsonSchema)]
#[schemars(inline)]
pub(crate) struct EndedLease {
    #[schemars(regex(pattern = "^[0-9a-f]{32}$"))]
    token: String,
    incarnation: u64,
}

/// A request of a holder to release a lease.
#[derive(JsonSchema)]
pub(crate) struct Release {
    #[schemars(regex(pattern = "^[0-9a-f]{32}$"))]
    token: String,
    incarnation: u64,
    node: u64,
    /// The first tick that was not used.
    until_tick: u64,
    /// How many ids of the span were issued.
    issued: Option<u64>,
    /// The shard that the grant named; 0 without it.
    #[schemars(range(max = 63))]
    shard: Option<u64>,
}

/// The answer to a release.
#[derive(JsonSchema)]
#[serde(untagged)]
pub(crate) enum Released {
    Released { released: EndedLease },
    Ended(Ended),
}

/// A request of a holder for a batch.
#[derive(JsonSchema)]
pub(crate) struct Prefetch {
    /// The incarnation, if it is known.
    incarnation: Option<u64>,
    /// How many ids; without it, the number that the terms say.
    #[schemars(range(min = 1, max = 100_000))]
    count: Option<u64>,
    /// How often this was sent before without an answer. A retry begins at another shard.
    tries: Option<u64>,
    now_ms: u64,
}

/// A batch.
#[derive(JsonSchema)]
pub(crate) struct Batched {
    batched: Batch,
}

#[derive(JsonSchema)]
#[schemars(inline)]
struct Batch {
    incarnation: u64,
    #[serde(flatten)]
    config: BoundConfig,
    node: u64,
    from_tick: u64,
    from_sequence: u64,
    /// With `until_sequence`, the counter after the last.
    until_tick: u64,
    until_sequence: u64,
    #[serde(flatten)]
    limits: Limits,
}
