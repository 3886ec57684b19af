//! Prints tables of the Rust code as JSON, from which `npm run generate` makes documents and types.

use std::ops::RangeInclusive;

use edgeflake::SequenceStart;
use edgeflake::code::{self, Code, Http, Interface, Retry};
use edgeflake::lease::State;
use edgeflake::preset::{self, Preset};
use edgeflake::text::{self, Encoding};
use edgeflake_worker::{metrics, openapi, overview};
use edgeflake_workers::log::{Event, Level};
use edgeflake_workers::objects::call::UNREADABLE;
use edgeflake_workers::settings::table::{SETTINGS, Scope, Setting, Value as Slot, Values};
use edgeflake_workers::value::NUMBER_MAX;
use serde_json::{Value, json};

fn main() {
    let tables = json!({
        "codes": code::ALL.iter().map(code).collect::<Value>(),
        "encodings": Encoding::ALL.map(encoding),
        "events": Event::ALL.iter().copied().map(event).collect::<Value>(),
        "metrics": metrics().map(|(name, help)| json!({ "name": name, "help": help })).collect::<Value>(),
        "presets": preset::ALL.iter().map(preset).collect::<Value>(),
        "routes": overview().collect::<Vec<_>>(),
        "openapi": openapi(),
        "settings": SETTINGS.iter().map(setting).collect::<Value>(),
        "states": State::ALL.iter().copied().map(state).collect::<Value>(),
        "unreadable": UNREADABLE,
    });
    println!("{tables}");
}

fn code(code: &Code) -> Value {
    let Code { name, retry, interfaces, http, cause, remedy, alerts } = code;
    let retry = match retry {
        Retry::Later => "later",
        Retry::AfterChange => "after-change",
        Retry::Never => "never",
    };
    json!({
        "name": name,
        "retry": retry,
        "rust": interfaces.contains(&Interface::Rust),
        "npm": interfaces.contains(&Interface::Npm),
        "http": http.map(|Http { title, statuses }| json!({ "title": title, "statuses": statuses })),
        "cause": cause,
        "remedy": remedy,
        "alerts": alerts,
    })
}

fn encoding(encoding: Encoding) -> Value {
    json!({
        "name": encoding.name(),
        "digits": encoding.digits(),
        "lengths": [encoding.lengths().start(), encoding.lengths().end()],
        "others": others(encoding),
        "allowed": allowed(encoding),
        "sortable": encoding.is_sortable(),
        "sentence": encoding.sentence(),
    })
}

/// Returns the characters that an encoding reads in addition to its digits. Each character is
/// followed by the digit that the character stands for.
fn others(encoding: Encoding) -> String {
    let digits = encoding.digits();
    let others = (b'!'..=b'~').map(char::from).filter(|character| !digits.contains(*character));
    let pair = |character: char| {
        let value = text::parse(&character.to_string(), encoding).ok()?;
        let digit = digits.chars().nth(value.try_into().ok()?)?;
        Some(String::from_iter([character, digit]))
    };
    others.filter_map(pair).collect()
}

/// Returns the characters that an encoding reads, taken from its error for any other character.
fn allowed(encoding: Encoding) -> String {
    let refused = text::parse(" ", encoding).map_err(|error| error.to_string()).unwrap_err();
    let (_, allowed) = refused.split_once(": ").unwrap_or_default();
    allowed.trim_end_matches(" are allowed").to_owned()
}

fn event(event: Event) -> Value {
    let level = match event.level() {
        Level::Error => "error",
        Level::Warn => "warn",
        Level::Info => "info",
    };
    json!({ "name": event.name(), "level": level, "meaning": event.meaning().trim() })
}

fn preset(preset: &Preset) -> Value {
    let Preset { name, title, options, layout, .. } = preset;
    json!({
        "name": name,
        "title": title,
        "options": options,
        "layout": layout.to_string(),
        "epoch_ms": layout.epoch_ms(),
        "tick_ms": layout.tick_ms(),
        "nodes": layout.nodes(),
        "ids_per_tick": layout.ids_per_tick(),
        "end_ms": layout.end_ms(),
        "signed_end_ms": layout.signed_end_ms(),
    })
}

fn setting(setting: &Setting) -> Value {
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

/// Returns the allowed values of a variable, and the default value if there is one.
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

fn state(state: State) -> Value {
    json!({ "name": state.name(), "meaning": state.meaning() })
}
