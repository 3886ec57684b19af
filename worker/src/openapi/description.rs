//! Defines the descriptions of routes in documents.

use edgeflake_wire::Described;
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::openapi::schemas;
use crate::routes::parameters::Parameter;

pub(crate) struct Description {
    /// The operation's name, which generated clients use for their functions.
    pub(crate) id: &'static str,
    pub(crate) tag: &'static str,
    pub(crate) summary: &'static str,
    /// Text to add to the summary; may be empty.
    pub(crate) text: &'static str,
    pub(crate) parameters: &'static [Parameter],
    pub(crate) body: Option<Accepted>,
    pub(crate) answers: &'static [Success],
    /// HTTP statuses that follow from the route's role, weight and body, but that never occur on
    /// this route.
    pub(crate) never: &'static [u16],
}

impl Description {
    /// An empty description. Other descriptions are made from this one.
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

    /// A description of a route that returns ids. Descriptions of such routes are made from this
    /// one.
    pub(crate) const ISSUED: Self =
        Self { answers: &[Success { status: 200, text: "", content: Content::Ids }], ..Self::NONE };
}

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

/// The answer to a successful request.
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
    /// A reply to a holder, with one of these names.
    Reply(&'static [&'static str]),
    /// Ids in each format, with headers that name the ids' node, span and incarnation.
    Ids,
    /// Metrics in the text format of Prometheus.
    Metrics,
}
