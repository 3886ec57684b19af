//! Visits all states of a few holders and the authority that they share, with stateright.
//!
//! The simulation draws faults at random. Here every possible fault happens, in worlds that are
//! small enough (see [`setting`]). The model checks the core's own `Authority` and `Holder`, with
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

mod action;
mod check;
mod isolate;
mod object;
mod part;
mod setting;
mod trace;
mod world;

use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Instant;

use setting::{SETTINGS, Setting};
use stateright::{Checker, Expectation, HasDiscoveries, Model};

/// Exit code when a state breaks a property that every state must have.
const WRONG: u8 = 4;
/// Exit code when a setting is unknown.
const UNKNOWN: u8 = 2;
/// Exit code when a setting has missed an event for which it was made, or has too few states.
const UNSEEN: u8 = 3;

fn main() -> ExitCode {
    let names: Vec<_> = std::env::args().skip(1).collect();
    let mut chosen: Vec<&Setting> = Vec::new();
    for name in &names {
        let known = SETTINGS.iter().filter(|setting| match &name[..] {
            "small" => setting.is_small,
            name => setting.name == name,
        });
        let before = chosen.len();
        chosen.extend(known);
        if chosen.len() == before {
            let allowed = SETTINGS.map(|setting| setting.name).join(", ");
            eprintln!("error: found {name}; allowed: small, {allowed}");
            return ExitCode::from(UNKNOWN);
        }
    }
    if names.is_empty() {
        chosen.extend(&SETTINGS);
    }
    let mut outcome = Ok(());
    for setting in chosen {
        setting.check();
        match check(*setting) {
            Err(WRONG) => return ExitCode::from(WRONG),
            checked => outcome = outcome.and(checked),
        }
    }
    outcome.map_or_else(ExitCode::from, |()| ExitCode::SUCCESS)
}

/// Checks whether every state has the properties that all must have, and some state each of the
/// others. Otherwise it returns the exit code.
fn check(setting: Setting) -> Result<(), u8> {
    let start = Instant::now();
    let threads = available_parallelism().map_or(1, usize::from);
    let checker = setting.checker().threads(threads).finish_when(HasDiscoveries::AnyFailures);
    if setting.is_small {
        report(&setting, &checker.spawn_bfs().join(), start)
    } else {
        report(&setting, &checker.spawn_dfs().join(), start)
    }
}

fn report(setting: &Setting, checker: &impl Checker<Setting>, start: Instant) -> Result<(), u8> {
    println!(
        "{}: {} states, {} ways to them, at most {} actions deep, in {:.1} s",
        setting.name,
        checker.unique_state_count(),
        checker.state_count(),
        checker.max_depth() - 1,
        start.elapsed().as_secs_f64(),
    );
    let mut discoveries = checker.discoveries();
    let mut outcome = Ok(());
    for property in setting.properties() {
        let discovery = discoveries.remove(property.name);
        match (property.expectation, discovery) {
            (Expectation::Always, Some(path)) => {
                println!("not so: {}", property.name);
                trace::print(path);
                return Err(WRONG);
            }
            (Expectation::Sometimes, None) => {
                println!("never seen: {}", property.name);
                outcome = Err(UNSEEN);
            }
            _ => {}
        }
    }
    if checker.unique_state_count() < setting.states_min {
        println!("fewer than {} states", setting.states_min);
        outcome = Err(UNSEEN);
    }
    outcome
}
