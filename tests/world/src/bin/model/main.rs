//! Visits all states of a few holders and the authority that they share, with stateright.
//!
//! The simulation draws faults at random. Here every possible fault happens, in worlds that are
//! small enough (see `states/setting.rs`). The model checks the core's own `Authority` and `Holder`, with
//! their generators and batches, which can be copied and hashed under `--cfg model`.
//!
//! - **Clocks** have no state: each reading may be any tick of the clock, whatever the one before
//!   was. This covers skew, steps, and clocks that stand still. A request may or may not have
//!   waited for a timer, and timers are longer than any pause, so the length of a pause does not
//!   matter. Only the time for which a holder uses batches depends on the clock alone: it ends
//!   before the next step of the holder, or lasts. Batches do not grow old.
//! - **Messages** arrive in any order and at any time, or never: only a delivery removes one from
//!   the mail. The number of calls is limited, with retries and releases included.
//! - **Faults** are limited too: a message that comes twice, a call whose holder is told that it is
//!   lost, a holder that disappears and is followed by a new one, an authority that disappears and
//!   is loaded again from the rows. (A crash between a write and its reply is the same as a reply
//!   that never arrives.) There are two at most, so that both a holder and an authority can
//!   disappear in one run. Some settings have two authorities on one storage, each with a table of
//!   its own.
//! - **A database** takes the place of the authority in some settings. Its standby has every commit or
//!   an earlier state, and is promoted once.
//! - **The sequencer** exists from the start and is never destroyed, because the simulation covers
//!   that.
//!
//! In every state no counter has two owners: spans in use do not overlap, and none contains a tick
//! from which an ended lease has issued. Every id is new, and from its holder's span or batch. A
//! state that breaks this ends the run and prints the actions that led there. Each setting must
//! also have seen the events for which it was made, such as a renewal, a swap, or a token with two
//! spans, because it would show nothing otherwise.
//!
//! Two states are equal if they differ only in the names of isolates, instances or calls. The
//! hashes of the core say what they leave out.

#[cfg(model)]
mod states;

use std::process::ExitCode;

#[cfg(model)]
fn main() -> ExitCode {
    states::visit()
}

#[cfg(not(model))]
fn main() -> ExitCode {
    eprintln!("error: built without `--cfg model`; run `npm run model`");
    ExitCode::FAILURE
}
