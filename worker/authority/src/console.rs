//! The log. Each line is JSON; `docs/MONITORING.md` lists the events and the fields.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(module = "/src/console.js")]
extern "C" {
    fn line(
        level: &str,
        event: &str,
        message: &str,
        sequencer: Option<&str>,
        incarnation: Option<f64>,
        role: Option<&str>,
        outcome: Option<&str>,
        ray: Option<&str>,
        count: Option<u32>,
    );
}

/// Writes an error into the log.
pub fn error(event: &str, message: &str) {
    line("error", event, message, None, None, None, None, None, None);
}

/// Writes a warning into the log.
pub fn warn(event: &str, message: &str) {
    line("warn", event, message, None, None, None, None, None, None);
}

/// A log line about a caller's request that matters to the operator.
#[derive(Debug, Default)]
pub struct Audit<'a> {
    /// The name of the event.
    pub event: &'a str,
    /// A sentence that says what happened.
    pub message: &'a str,
    /// The name of the sequencer.
    pub sequencer: Option<&'a str>,
    /// Its incarnation, below 2^53.
    pub incarnation: Option<u64>,
    /// The role of the token, or the one that was needed.
    pub role: Option<&'a str>,
    /// `ok`, or the name of a problem.
    pub outcome: Option<&'a str>,
    /// The header `CF-Ray` of the request.
    pub ray: Option<&'a str>,
    /// How often this event has happened since its last line.
    pub count: Option<u32>,
}

impl Audit<'_> {
    /// Writes the line into the log.
    #[expect(clippy::cast_precision_loss, reason = "an incarnation is below 2^53")]
    pub fn write(&self) {
        let Self { event, message, sequencer, incarnation, role, outcome, ray, count } = *self;
        let incarnation = incarnation.map(|incarnation| incarnation as f64);
        line("info", event, message, sequencer, incarnation, role, outcome, ray, count);
    }
}
