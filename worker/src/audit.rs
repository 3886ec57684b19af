//! Log lines that say who did what.

use std::cell::Cell;
use std::thread::LocalKey;

use edgeflake_workers::admin::outcome::Outcome;
use edgeflake_workers::admin::shell::audit;
use edgeflake_workers::log::{Audit, Event};
use edgeflake_workers::platform::now_ms;
use edgeflake_workers::problem::Problem;
use worker::web_sys::Request;

use crate::http::request::{HeaderName, header};
use crate::settings::access::Role;

/// The shortest time between two lines of one event, in ms, so that a flood of requests does not
/// flood the log.
const SAMPLED_MS: u64 = 1_000;

/// The time at which an event last got a line, in Unix ms, and the number of times that it has
/// happened since.
type Sample = Cell<(u64, u32)>;

thread_local! {
    static REFUSED: Sample = const { Cell::new((0, 0)) };
    static MISCONFIGURED: Sample = const { Cell::new((0, 0)) };
}

/// Counts an event. If it gets a line now, returns how often it happened since the last line.
fn sample(event: &'static LocalKey<Sample>) -> Option<u32> {
    let ((last_ms, count), now_ms) = (event.get(), now_ms());
    if now_ms.abs_diff(last_ms) < SAMPLED_MS {
        event.set((last_ms, count.saturating_add(1)));
        return None;
    }
    event.set((now_ms, 0));
    Some(count + 1)
}

/// Logs that a sequencer was created, shrunk or destroyed, or the reason why it was not.
pub(crate) fn changed(
    event: Event,
    sequencer: &str,
    role: Option<Role>,
    request: &Request,
    done: &Result<Outcome, Problem>,
) {
    Audit {
        role: role.map(Role::secret),
        ray: header(request, HeaderName::Ray).as_deref(),
        ..audit(event, Some(sequencer), done)
    }
    .write();
}

/// Logs that a token was refused.
pub(crate) fn refused(needed: Role, request: &Request, problem: &Problem) {
    let Some(count) = sample(&REFUSED) else { return };
    Audit {
        message: &problem.detail,
        role: Some(needed.secret()),
        outcome: Some(problem.name),
        ray: header(request, HeaderName::Ray).as_deref(),
        count: Some(count),
        ..Audit::of(Event::TokenRefused)
    }
    .write();
}

/// Logs that the configuration cannot be used.
pub(crate) fn misconfigured(request: &Request, problem: &Problem) {
    let Some(count) = sample(&MISCONFIGURED) else { return };
    Audit {
        message: &problem.detail,
        outcome: Some(problem.name),
        ray: header(request, HeaderName::Ray).as_deref(),
        count: Some(count),
        ..Audit::of(Event::ConfigurationRefused)
    }
    .write();
}
