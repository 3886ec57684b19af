mod action;
mod check;
mod isolate;
mod object;
mod part;
mod server;
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
/// Exit code when an event for which a setting was made never occurs, or when a setting has too few
/// states.
const UNSEEN: u8 = 3;

/// Visits the states of the settings that the arguments name, or of all settings.
pub(crate) fn visit() -> ExitCode {
    let names: Vec<_> = std::env::args().skip(1).collect();
    let is_of = |name: &str, setting: &Setting| match name {
        "small" => setting.is_small,
        name => setting.name == name,
    };
    for name in &names {
        if !SETTINGS.iter().any(|setting| is_of(name, setting)) {
            let allowed: Vec<_> = SETTINGS.iter().map(|setting| setting.name).collect();
            eprintln!("error: unknown setting {name}; allowed: small, {}", allowed.join(", "));
            return ExitCode::from(UNKNOWN);
        }
    }
    let is_chosen =
        |setting: &&Setting| names.is_empty() || names.iter().any(|name| is_of(name, setting));
    let mut outcome = Ok(());
    for setting in SETTINGS.iter().filter(is_chosen) {
        setting.check();
        match check(*setting) {
            Err(WRONG) => return ExitCode::from(WRONG),
            checked => outcome = outcome.and(checked),
        }
    }
    outcome.map_or_else(ExitCode::from, |()| ExitCode::SUCCESS)
}

/// Checks each property: some must hold in every state, the others in at least one. Returns the
/// exit code if a property fails.
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
                println!("this does not hold in every state: {}", property.name);
                trace::print(path);
                return Err(WRONG);
            }
            (Expectation::Sometimes, None) => {
                println!("this holds in no state: {}", property.name);
                outcome = Err(UNSEEN);
            }
            _ => {}
        }
    }
    if checker.unique_state_count() < setting.states_min {
        println!("the setting must have at least {} states", setting.states_min);
        outcome = Err(UNSEEN);
    }
    outcome
}
