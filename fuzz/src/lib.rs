//! What each fuzz target does with one input: it checks what must hold for every input, and returns
//! what came of this one. `targets/` runs these functions under libFuzzer, and `cargo test` replays
//! `regressions/` through them (`tests/core/fuzz.rs` includes this file).

use std::fmt::Debug;

pub mod authority;
pub mod id_text;
pub mod instant;
pub mod layout;
pub mod messages;
pub mod record;
pub mod token;

/// The name of a value's variant, without its fields; of a lease error that wraps another, the name
/// of that one.
fn variant(value: &impl Debug) -> String {
    let mut text = format!("{value:?}").replace("Generator(", "");
    text.truncate(text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len()));
    text
}
