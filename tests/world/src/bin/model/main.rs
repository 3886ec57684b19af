//! Visits all states of a few holders and the authority that they share, with stateright.
//!
//! The simulation draws faults at random. The model tries every possible fault instead, in small
//! worlds (see `states/setting.rs`). It runs the core's own `Authority` and `Holder` with their
//! generators and batches. `--cfg model` makes these types copyable and hashable.
//!
//! - **Clocks** have no state: each reading may be any tick of the clock, whatever the reading
//!   before it was. This covers skew, steps, and clocks that stand still. A request may or may not
//!   have waited for a timer. A timer is at least as long as any pause, so the length of a pause
//!   does not matter. Only the time for which a holder uses batches depends on the clock alone:
//!   that time may or may not end before the holder's next step. Batches never expire.
//! - **Messages** arrive in any order and at any time, or never: only a delivery removes a message
//!   from the mail. The number of calls, including retries and releases, is limited.
//! - **Faults** are limited too: a message arrives twice, a holder is told that its call is lost, a
//!   holder disappears and a new one takes its place, or an authority disappears and is loaded
//!   again from the rows. (A crash between a write and its reply is the same as a reply that never
//!   arrives.) A run has at most two faults, so a holder and an authority can both disappear in it.
//!   Some settings have two authorities on one storage, each with its own table of rows.
//! - **A database** takes the place of the authority in one setting. The standby of the database
//!   has the newest state or an earlier one, and is promoted at most once.
//! - **The sequencer** exists from the start and is never destroyed, because the simulation covers
//!   its creation and destruction.
//!
//! In every state no counter has two owners: spans in use do not overlap, and no ids were issued
//! from their ticks under an ended lease. Every id is new, and comes from its holder's span or
//! batch. A state that breaks one of these rules ends the run and prints the actions that led
//! there. A setting also fails if the events for which it was made never occur, such as a renewal,
//! a swap, or a token with two spans.
//!
//! Two states count as equal if they differ only in the order of isolates, instances or messages,
//! or in the numbers of calls. The `Hash` implementations, here and in the core, document what they
//! leave out.

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
