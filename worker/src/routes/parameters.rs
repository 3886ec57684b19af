//! Lists the parameters of queries, and reads their values.

use std::borrow::Cow;
use std::fmt;

use edgeflake::lease::BoundConfig;
use edgeflake::text::Encoding;
use edgeflake_workers::found::{Allowed, Quote, unknown};
use edgeflake_workers::problem::Problem;
use edgeflake_workers::value::NUMBER_MAX;
use edgeflake_workers::{Ids, value};

/// The largest number of parameters of a route.
pub(crate) const PARAMETERS_MAX: usize = 4;

/// A parameter of a route, with its description for documents.
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "only documents use the rest"))]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
    pub(crate) kind: Kind,
    pub(crate) is_required: bool,
    /// The examples, each with its name. The name of a single example is empty.
    pub(crate) examples: &'static [(&'static str, &'static str)],
}

impl Parameter {
    pub(crate) const fn new(name: &'static str, text: &'static str, kind: Kind) -> Self {
        Self { name, text, kind, is_required: false, examples: &[] }
    }
}

/// The kind of value that a parameter has.
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "only documents use the kind"))]
pub(crate) enum Kind {
    Whole(Whole),
    /// One of the listed texts; the first is the default.
    OneOf(&'static [&'static str]),
    /// The name of an encoding.
    Encoding {
        default: Option<&'static str>,
    },
    /// A text. Documents show the pattern.
    Text {
        pattern: Option<&'static str>,
    },
}

/// A whole number in a range.
#[derive(Clone, Copy)]
pub(crate) struct Whole {
    pub(crate) min: u64,
    pub(crate) max: u64,
    pub(crate) default: u64,
}

impl Whole {
    /// Returns `number` if it is in the range, and `None` otherwise.
    pub(crate) fn checked<T: TryFrom<u64>>(self, number: u64) -> Option<T> {
        Some(number).filter(|number| (self.min..=self.max).contains(number))?.try_into().ok()
    }

    /// Reads the value of the parameter `name`.
    ///
    /// # Errors
    /// A problem for a text that is no whole number in the range.
    pub(crate) fn read<T: TryFrom<u64>>(
        self,
        name: &str,
        text: Option<&str>,
    ) -> Result<T, Problem> {
        let number = text.map_or(Some(self.default), value::digits);
        let number = number.and_then(|number| self.checked(number));
        number.ok_or_else(|| refused(name, text.unwrap_or_default(), self))
    }
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {} to {}", self.min, self.max)
    }
}

/// The values of a query's parameters, in the order of their names; `None` for a missing parameter.
pub(crate) type Values<'a> = [Option<Cow<'a, str>>; PARAMETERS_MAX];

/// Reads the values of the parameters with these names, at most [`PARAMETERS_MAX`] parameters.
/// `keys` are the keys that the body may have. If an unknown parameter has the name of such a key,
/// the error says that the key belongs in the body.
///
/// # Errors
/// A problem for a parameter with another name, and for a repeated parameter.
pub(crate) fn read<'a>(
    query: &'a str,
    names: &[&str],
    keys: &[&str],
) -> Result<Values<'a>, Problem> {
    let mut values = [const { None }; PARAMETERS_MAX];
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let Some(index) = names.iter().position(|known| *known == name) else {
            let detail = if keys.contains(&&*name) {
                format!("the parameter {} is unknown: send it as a key of the body", Quote(&name))
            } else {
                unknown("parameter", &name, names)
            };
            return Err(Problem::parameter(detail));
        };
        if values[index].replace(value).is_some() {
            return Err(Problem::parameter(format!("{name} is given twice: give it once")));
        }
    }
    Ok(values)
}

/// Returns the problem for an invalid value. The problem says what was found and what is allowed.
pub(crate) fn refused(name: &str, value: &str, allowed: impl fmt::Display) -> Problem {
    Problem::parameter(format!("{name} is {}: give {allowed}", Quote(value)))
}

/// Returns the encoding that the parameter `encoding` names.
///
/// # Errors
/// A problem that lists the encodings.
pub(crate) fn encoding(name: &str) -> Result<Encoding, Problem> {
    Encoding::named(name)
        .ok_or_else(|| refused("encoding", name, Allowed(&Encoding::ALL.map(Encoding::name))))
}

/// The numbers of ids that one request can ask for.
pub(crate) const COUNTS: Whole = Whole { min: 1, max: *Ids::COUNTS.end() as u64, default: 1 };

/// The values that a tag may have. The holder later checks whether the tag fits the layout.
pub(crate) const TAGS: Whole = Whole { min: 0, max: NUMBER_MAX, default: 0 };

pub(crate) const COUNT: Parameter = Parameter::new("count", "How many ids.", Kind::Whole(COUNTS));
pub(crate) const FORMAT: Parameter = Parameter::new(
    "format",
    "`text` has one line per id. `binary` has eight bytes per id, the most significant first.",
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
    Kind::Whole(TAGS),
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
    "How the id is written. Without it, the first encoding that prints exactly this text is taken, \
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

/// The number of nodes to skip in each shard.
pub(crate) const SKIPPED: Whole = Whole { min: 0, max: BoundConfig::NODE_COUNT_MAX, default: 0 };

/// The number of nodes per shard in a page. With 64 shards, the answer has about 20 MB at most.
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
    "Which page. There are several if one request cannot ask all sequencers; \
     `edgeflake_metrics_pages` says how many.",
    Kind::Whole(Whole { min: 1, max: NUMBER_MAX, default: 1 }),
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters() {
        let read = |query| read(query, &["a", "b"], &[]).ok();
        let some = |text: &'static str| Some(Cow::from(text));
        assert_eq!(read(""), Some([None, None, None, None]));
        assert_eq!(read("b=2"), Some([None, some("2"), None, None]));
        assert_eq!(read("b=%32&a"), Some([some(""), some("2"), None, None]));
        assert_eq!(read("a=1+2&"), Some([some("1 2"), None, None, None]));
        assert_eq!(read("a=1&a=1"), None);
        assert_eq!(read("c=1"), None);
    }
}
