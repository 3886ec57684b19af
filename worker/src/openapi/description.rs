//! How documents describe a route.

use edgeflake_wire::Described;
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::http::query::Parameter;
use crate::openapi::schemas;

/// The description of a route.
pub(crate) struct Description {
    /// The name of the operation, which clients that are generated give their function.
    pub(crate) id: &'static str,
    pub(crate) tag: &'static str,
    pub(crate) summary: &'static str,
    /// More than the summary, or nothing.
    pub(crate) text: &'static str,
    pub(crate) parameters: &'static [Parameter],
    pub(crate) body: Option<Accepted>,
    pub(crate) answers: &'static [Success],
    /// The statuses that other routes of this role, weight and body have, and this one never has.
    pub(crate) never: &'static [u16],
}

impl Description {
    /// A description to fill in.
    pub(crate) const NONE: Self = Self {
        id: "",
        tag: "",
        summary: "",
        text: "",
        parameters: &[],
        body: None,
        answers: &[],
        never: &[],
    };

    /// A description of ids, to fill in.
    pub(crate) const ISSUED: Self =
        Self { answers: &[Success { status: 200, text: "", content: Content::Ids }], ..Self::NONE };
}

/// The body of a request.
pub(crate) struct Accepted {
    pub(crate) schema: SchemaOf,
    pub(crate) is_required: bool,
}

/// Makes the schema of a type.
pub(crate) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

impl Accepted {
    pub(crate) const fn required<T: JsonSchema>() -> Self {
        Self { schema: SchemaGenerator::subschema_for::<T>, is_required: true }
    }

    pub(crate) const fn message<T: Described>() -> Self {
        Self { schema: schemas::request::<T>, is_required: true }
    }

    pub(crate) const fn optional<T: JsonSchema>() -> Self {
        Self { schema: SchemaGenerator::subschema_for::<T>, is_required: false }
    }
}

/// An answer of a request that succeeds.
pub(crate) struct Success {
    pub(crate) status: u16,
    pub(crate) text: &'static str,
    pub(crate) content: Content,
}

impl Success {
    pub(crate) const fn json<T: JsonSchema>(status: u16, text: &'static str) -> Self {
        Self { status, text, content: Content::Json(SchemaGenerator::subschema_for::<T>) }
    }

    pub(crate) const fn reply(names: &'static [&'static str], text: &'static str) -> Self {
        Self { status: 200, text, content: Content::Reply(names) }
    }
}

/// The content of an answer.
pub(crate) enum Content {
    Json(SchemaOf),
    /// One of these replies to a holder.
    Reply(&'static [&'static str]),
    /// Ids in each format, with the headers that say where they come from.
    Ids,
    /// Metrics in the text format of Prometheus.
    Metrics,
}
