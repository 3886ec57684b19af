//! Each fuzz target checks what must hold for every input, and returns the outcome for its input.
//! libFuzzer runs the targets through `main.rs`. `cargo test` runs the targets on the inputs in
//! `inputs/`: `tests/core/fuzz.rs` includes this file.

use std::fmt::Debug;

pub mod layout;
pub mod messages;
pub mod record;

/// Runs a target on a text and returns the outcome.
pub type Check = fn(&str) -> String;

pub const TARGETS: [(&str, Check); 3] =
    [("layout", layout::check), ("messages", messages::check), ("record", record::check)];

/// Returns the name of a value's variant without its fields. For a lease error that wraps another
/// error, returns the name of the inner error.
fn variant(value: &impl Debug) -> String {
    let mut text = format!("{value:?}").replace("Generator(", "");
    text.truncate(text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len()));
    text
}
