use edgeflake::lease::State;
use serde_json::{Value, json};

/// The table of a holder's states.
pub(crate) fn table() -> Value {
    let row = |state: &State| json!({ "name": state.name(), "meaning": state.meaning() });
    State::ALL.iter().map(row).collect()
}
