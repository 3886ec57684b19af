//! The table of variables and secrets.

use std::ops::RangeInclusive;

use edgeflake::SequenceStart;
use edgeflake_workers::settings::table::{NUMBER_MAX, SETTINGS, Scope, Setting, Values};
use edgeflake_workers::settings::value::Value as Slot;
use serde_json::{Value, json};

pub(crate) fn table() -> Value {
    SETTINGS.iter().map(row).collect()
}

fn row(setting: &Setting) -> Value {
    let mut values = Values::default();
    let (allowed, default) = shown((setting.value)(&mut values));
    let scope = match setting.scope {
        Scope::Layout | Scope::Nodes => "bound",
        Scope::Sequencer => "sequencer",
        Scope::Worker => "worker",
        Scope::Secret => "secret",
    };
    let Setting { name, meaning, .. } = setting;
    json!({ "name": name, "scope": scope, "allowed": allowed, "default": default, "meaning": meaning })
}

/// The allowed values, and the default if there is one.
fn shown(value: Slot<'_>) -> (String, Option<String>) {
    let numbers = |range: RangeInclusive<u64>| match *range.end() {
        NUMBER_MAX => format!("at least {}", range.start()),
        max => format!("{} to {max}", range.start()),
    };
    match value {
        Slot::Number(value, range) => (numbers(range), Some(value.to_string())),
        Slot::OptionalNumber(value, range) => {
            (numbers(range), value.map(|value| value.to_string()))
        }
        Slot::Flag(value) => ("`true` or `false`".to_owned(), Some(value.to_string())),
        Slot::Start(SequenceStart::Zero) => {
            ("`zero`, `rotating`, or `random:` and a number".to_owned(), Some("zero".to_owned()))
        }
        Slot::Start(_) => unreachable!("the default start is zero"),
        Slot::Text(text) => ("text".to_owned(), Some(text.clone()).filter(|text| !text.is_empty())),
        Slot::Secret(_) => ("16 to 128 characters".to_owned(), None),
        Slot::Binding => ("a binding, or `none`".to_owned(), None),
    }
}
