use edgeflake::lease::BoundConfig;
use edgeflake_workers::Ids;

use crate::http::query::{Kind, NUMBER_MAX, Parameter, Whole};

pub(crate) const COUNT: Parameter = Parameter::new(
    "count",
    "How many ids.",
    Kind::Whole(Whole { min: 1, max: *Ids::COUNTS.end() as u64, default: 1 }),
);
pub(crate) const FORMAT: Parameter = Parameter::new(
    "format",
    "`text` is a line each, `binary` eight bytes each, the most significant first.",
    Kind::OneOf(&["json", "text", "binary"]),
);
pub(crate) const ENCODING: Parameter = Parameter::new(
    "encoding",
    "How each id is written, in json and text.",
    Kind::Encoding { default: Some("decimal") },
);
pub(crate) const TAG: Parameter = Parameter::new(
    "tag",
    "The value of the layout's tag fields, such as a resource type. If it does not fit into them, \
     the answer is a 422.",
    Kind::Whole(Whole { min: 0, max: NUMBER_MAX, default: 0 }),
);
pub(crate) const LAYOUT: Parameter = Parameter {
    examples: &[
        ("preset", "twitter"),
        ("text", "unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms"),
    ],
    ..Parameter::new(
        "layout",
        "A preset's name, such as `twitter`, or a layout string.",
        Kind::Text { pattern: None },
    )
};
pub(crate) const WINDOW_LAYOUT: Parameter = Parameter {
    text: "A preset's name, such as `twitter`, or a layout string. Without it, the Worker's own \
           layout.",
    ..LAYOUT
};
pub(crate) const READ_ENCODING: Parameter = Parameter::new(
    "encoding",
    "How the id is written. Without it, the first encoding is taken that prints the id just so, \
     or else the first that can read it.",
    Kind::Encoding { default: None },
);
pub(crate) const FROM: Parameter = Parameter {
    is_required: true,
    examples: &[("", "2026-01-16")],
    ..Parameter::new(
        "from",
        "The first moment of the window, in Unix ms or as an RFC 3339 date. Write `+` as `%2B`.",
        Kind::Text { pattern: Some("^([0-9]{1,16}|[0-9]{4,6}-[0-9]{2}-[0-9]{2}(T.+)?)$") },
    )
};
pub(crate) const UNTIL: Parameter = Parameter {
    name: "until",
    text: "The end of the window, in Unix ms or as an RFC 3339 date. Write `+` as `%2B`.",
    examples: &[("", "2026-01-17T00:00:00Z")],
    ..FROM
};
pub(crate) const NODE: Parameter = Parameter {
    examples: &[("number", "7"), ("fields", "datacenter=3,worker=5")],
    ..Parameter::new(
        "node",
        "Only ids of this node: its number, or the values of its fields in their order.",
        Kind::Text { pattern: Some("^([0-9]+|[0-9A-Za-z_-]+=[0-9]+(,[0-9A-Za-z_-]+=[0-9]+)*)$") },
    )
};

/// The number of nodes of each shard to skip.
pub(crate) const SKIPPED: Whole = Whole { min: 0, max: BoundConfig::NODE_COUNT_MAX, default: 0 };

/// The number of nodes of each shard in a page. With 64 shards, the answer has about 20 MB at most.
pub(crate) const PAGE: Whole = Whole { min: 1, max: 10_000, default: 1_000 };

pub(crate) const CURSOR: Parameter = Parameter::new(
    "cursor",
    "How many nodes of each shard to skip, counted from the shard's first one: `next` of the page \
     before.",
    Kind::Whole(SKIPPED),
);
pub(crate) const LIMIT: Parameter = Parameter::new(
    "limit",
    "How many nodes of each shard the page is about, used or not.",
    Kind::Whole(PAGE),
);
pub(crate) const METRICS_PAGE: Parameter = Parameter::new(
    "page",
    "Which page, if there are more sequencers than one request asks. `edgeflake_metrics_pages` \
     says how many pages there are.",
    Kind::Whole(Whole { min: 1, max: NUMBER_MAX, default: 1 }),
);
