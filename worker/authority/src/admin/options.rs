//! What a caller may give in the body of a `PATCH`, or as the options of `admin.shrink`.

use edgeflake_wire::Object;
use wasm_bindgen::JsValue;

use crate::admin::administration::Task;
use crate::admin::wanted::check_keys;
use crate::problem::Problem;

/// The keys of a change to a sequencer.
pub const OF_CHANGE: [&str; 1] = ["node_count"];

/// Reads a change to a sequencer. An error calls the object `what`.
///
/// # Errors
/// A problem that names an unknown key, or says what cannot be read.
pub fn change(what: &str, given: &JsValue) -> Result<Task, Problem> {
    check_keys(what, given, &OF_CHANGE)?;
    let node_count = Object(given).number("node_count");
    let node_count = node_count.map_err(|error| Problem::unreadable(what, given, error))?;
    Ok(Task::Shrink { node_count })
}
