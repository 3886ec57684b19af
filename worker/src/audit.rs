//! Logs which role has changed something, and which tokens were refused.

use std::cell::Cell;

use edgeflake_workers::admin::outcome::Outcome;
use edgeflake_workers::admin::shell::audit;
use edgeflake_workers::log::{Audit, Event};
use edgeflake_workers::platform::now_ms;
use edgeflake_workers::problem::Problem;
use worker::web_sys::Request;

use crate::http::request::{HeaderName, header};
use crate::settings::access::Role;

/// The shortest time between two lines about refused tokens, in ms, so that a flood of requests does
/// not flood the log.
const SAMPLED_MS: u64 = 1_000;

thread_local! {
    /// The time of the last line, in Unix ms, and the number of refused tokens since then.
    static REFUSED: Cell<(u64, u32)> = const { Cell::new((0, 0)) };
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
    let ((last_ms, count), now_ms) = (REFUSED.get(), now_ms());
    if now_ms.abs_diff(last_ms) < SAMPLED_MS {
        REFUSED.set((last_ms, count.saturating_add(1)));
        return;
    }
    REFUSED.set((now_ms, 0));
    Audit {
        message: &problem.detail,
        role: Some(needed.secret()),
        outcome: Some(problem.name),
        ray: header(request, HeaderName::Ray).as_deref(),
        count: Some(count + 1),
        ..Audit::of(Event::TokenRefused)
    }
    .write();
}
