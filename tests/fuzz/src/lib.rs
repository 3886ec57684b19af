//! Each fuzz target checks what must hold for every input, and returns the outcome of this one.
//! libFuzzer runs the targets by `main.rs`. `cargo test` replays the inputs in `inputs/` through
//! them, because `tests/core/fuzz.rs` includes this file.

use std::fmt::Debug;

use arbitrary::{Arbitrary, Result, Unstructured};

pub mod authority;
pub mod id_text;
pub mod instant;
pub mod layout;
pub mod messages;
pub mod record;
pub mod token;

/// Runs a target on bytes and returns the outcome, or an error if no input has these bytes.
pub type Check = fn(&[u8]) -> Result<String>;

pub const TARGETS: [(&str, Check); 7] = [
    ("authority", |bytes| Ok(authority::check(&read(bytes)?))),
    ("id_text", |bytes| Ok(id_text::check(read(bytes)?))),
    ("instant", |bytes| Ok(instant::check(read(bytes)?))),
    ("layout", |bytes| Ok(layout::check(read(bytes)?))),
    ("messages", |bytes| Ok(messages::check(read(bytes)?))),
    ("record", |bytes| Ok(record::check(read(bytes)?))),
    ("token", |bytes| Ok(token::check(read(bytes)?))),
];

/// Reads the input of a target.
fn read<'a, T: Arbitrary<'a>>(bytes: &'a [u8]) -> Result<T> {
    T::arbitrary_take_rest(Unstructured::new(bytes))
}

/// Returns the name of a value's variant without its fields. For a lease error that wraps another,
/// it is the name of the inner one.
fn variant(value: &impl Debug) -> String {
    let mut text = format!("{value:?}").replace("Generator(", "");
    text.truncate(text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len()));
    text
}
