//! The log line about a sequencer that was created, shrunk or destroyed.

use edgeflake_wire::{Object, parse};

use crate::console::Audit;
use crate::problem::Problem;

/// The log line of a change, from the changed sequencer as JSON or from the problem that prevented
/// the change. The caller adds who asked for it.
///
/// ```no_run
/// use edgeflake_authority::admin::audit::changed;
///
/// let answered = Ok(r#"{"incarnation":2}"#.to_owned());
/// assert_eq!(changed("sequencer-created", "orders", &answered).outcome, Some("ok"));
/// ```
pub fn changed<'a>(
    event: &'a str,
    sequencer: &'a str,
    answered: &'a Result<String, Problem>,
) -> Audit<'a> {
    let (message, outcome) = match answered {
        Ok(_) => ("done", "ok"),
        Err(problem) => (problem.detail.as_str(), problem.name),
    };
    let described = answered.as_ref().ok().and_then(|json| parse(json).ok());
    let incarnation = described.and_then(|json| Object(&json).number("incarnation").ok());
    Audit {
        event,
        message,
        sequencer: Some(sequencer),
        incarnation,
        outcome: Some(outcome),
        ..Audit::default()
    }
}
