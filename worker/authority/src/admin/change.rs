//! The change to a running sequencer, from the body of a `PATCH` or the options of `admin.shrink`.

use edgeflake::lease::{CallFailed, Reply};
use edgeflake_wire::Object;
use wasm_bindgen::JsValue;

use crate::admin::described::Described;
use crate::admin::registry::described;
use crate::admin::wanted::check_keys;
use crate::problem::Problem;

/// How many nodes a sequencer keeps. It gives up the nodes after them for good.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// How many nodes it keeps; at most as many as it has.
    pub node_count: u64,
}

impl Change {
    /// The names of what can change.
    pub const NAMES: [&str; 1] = ["node_count"];

    /// Reads an object. An error calls the object `what`.
    ///
    /// # Errors
    /// A problem that names an unknown key, or says what cannot be read.
    pub fn read(what: &str, given: &JsValue) -> Result<Self, Problem> {
        check_keys(what, given, &Self::NAMES)?;
        let node_count = Object(given).number("node_count");
        let node_count = node_count.map_err(|error| Problem::unreadable(what, given, error))?;
        Ok(Self { node_count })
    }

    /// The changed sequencer as JSON.
    ///
    /// # Errors
    /// A problem if the registry refuses or does not answer, or the sequencer has fewer nodes.
    pub fn made(self, name: &str, reply: &Result<Reply, CallFailed>) -> Result<String, Problem> {
        let sequencer = described(reply)?.ok_or_else(Problem::unreachable)?;
        let (wanted, found) = (self.node_count, sequencer.config.node_count());
        if wanted > found {
            let allowed = format_args!("at most {found} is allowed");
            return Err(Problem::body(format!("node_count is {wanted}: {allowed}")));
        }
        Ok(Described::new(name, &sequencer).json())
    }
}
