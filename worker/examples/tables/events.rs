//! The table of log events.

use edgeflake_workers::event::{Event, Level};
use serde_json::{Value, json};

pub(crate) fn table() -> Value {
    Event::ALL.iter().map(|event| row(*event)).collect()
}

fn row(event: Event) -> Value {
    let level = match event.level() {
        Level::Error => "error",
        Level::Warn => "warn",
        Level::Info => "info",
    };
    json!({ "name": event.name(), "level": level, "meaning": event.meaning().trim() })
}
