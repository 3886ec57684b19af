//! All states of a few holders and the authority that they share, visited by stateright.
//!
//! The simulation draws what goes wrong; here everything that can go wrong does, in worlds that are
//! small enough: [`setting`] says how small. What is checked are the `Authority` and `Holder` of the
//! core themselves, with their generators and batches, which can be copied and hashed under
//! `--cfg model`.
//!
//! - **Clocks** have no state: at every look a clock says any of its ticks, whatever it said before.
//!   So skew, steps, and clocks that stand still are all of it. A request may or may not have waited
//!   for a timer, and timers are longer than any pause: so how long a pause is does not matter. Only
//!   for how long a holder does with batches is asked of the clock alone: that is over before the
//!   holder is asked next, or lasts. Batches do not grow old.
//! - **Messages** arrive in any order and at any time, or never: nothing is ever removed from the
//!   mail but by its delivery. How many calls there are is bounded, retries and releases included.
//! - **Faults** are bounded too: a message that comes twice, a call of which the holder hears that it
//!   is lost, a holder that is gone and followed by a new one, an authority that is gone and loaded
//!   anew from the rows. (One that crashes between its write and its reply is one whose reply never
//!   arrives.) Two at most, so that a holder and an authority are gone in one run. Two authorities on
//!   one storage, each with a table of its own, are a setting.
//! - **The sequencer** is there from the start and never destroyed: the simulation does that.
//!
//! In every state no counter has two owners: spans that are held do not overlap, nor reach over a
//! tick from which a lease that is gone has issued; and every id is of its holder's span or batch,
//! and new. A state in which that is not so ends the run with the actions that led there. And each
//! setting must have seen what it is made for, such as a renewal, a swap, a token with two spans:
//! else it would show nothing.
//!
//! Two states are one where only names differ: of isolates, of instances, of calls. What is left out
//! of the hashes in the core is said there.

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

/// Exit codes beside that of success. Something is not as it must be in every state, ...
const WRONG: u8 = 4;
/// ... a setting is not known, ...
const UNKNOWN: u8 = 2;
/// ... or has not seen all that it is made for, or fewer states than it has.
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

/// Whether all that must hold does in every state, and all that must be seen is in one; else the
/// exit code.
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
