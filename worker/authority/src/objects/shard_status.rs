//! What a shard says about itself.

use edgeflake::lease::Status;
use edgeflake_wire::{Json, Object, Unreadable, Value, parse};
use wasm_bindgen::JsCast;

/// What a shard says about itself.
#[derive(Clone, Debug, Default)]
pub struct ShardStatus {
    /// How much of it is in use.
    pub status: Status,
    /// The incarnation that it knows; 0 if it knows none.
    pub incarnation: u64,
    /// Whether it has proved that it can write.
    pub is_proved: bool,
    /// How often its storage was rolled back; `None` if it has no witness.
    pub rollbacks: Option<u64>,
    /// Whether it runs with a witness.
    pub has_fence: bool,
    /// When it has written last, in s since 1970; 0 if it never has.
    pub written_s: u64,
    /// How many requests it has refused since its object started, or have failed in it, by the code
    /// that their callers got.
    pub refused: Vec<(String, u64)>,
}

impl ShardStatus {
    /// Writes it as JSON.
    #[must_use]
    pub fn write(&self) -> String {
        let Status { nodes, used, held, issued } = self.status;
        let mut json = Json::object();
        json.number("nodes", nodes);
        json.number("used", used);
        json.number("held", held);
        json.number("issued", issued);
        json.number("incarnation", self.incarnation);
        json.flag("proved", self.is_proved);
        json.flag("fence", self.has_fence);
        json.number_or_none("rollbacks", self.rollbacks);
        json.number("written_s", self.written_s);
        json.open("refused");
        for (code, count) in &self.refused {
            json.number(code, *count);
        }
        json.close();
        json.end()
    }

    /// Reads its JSON.
    ///
    /// # Errors
    /// [`Unreadable`].
    pub fn read(text: &str) -> Result<Self, Unreadable> {
        let value = parse(text)?;
        let object = Object(&value);
        let refused = value.get("refused").unwrap_or_default();
        let codes = js_sys::Object::keys(refused.unchecked_ref::<js_sys::Object>());
        let codes = codes.iter().filter_map(|code| code.as_string());
        Ok(Self {
            status: Status {
                nodes: object.number("nodes")?,
                used: object.number("used")?,
                held: object.number("held")?,
                issued: object.number("issued")?,
            },
            incarnation: object.number("incarnation")?,
            is_proved: object.flag("proved")?,
            rollbacks: object.number_or_none("rollbacks")?,
            has_fence: object.flag("fence")?,
            written_s: object.number("written_s")?,
            refused: codes
                .map(|code| {
                    let count = refused.get(&code).and_then(|count| count.number()).unwrap_or(0);
                    (code, count)
                })
                .collect(),
        })
    }
}
