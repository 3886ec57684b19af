//! All states of a few holders and their authority, by stateright.

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

/// Exit codes beside that of success.
const FOUND: u8 = 1;
const USAGE: u8 = 2;

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
            return ExitCode::from(USAGE);
        }
    }
    if names.is_empty() {
        chosen.extend(&SETTINGS);
    }
    for setting in chosen {
        setting.check();
        if !check(*setting) {
            return ExitCode::from(FOUND);
        }
    }
    ExitCode::SUCCESS
}

/// Whether all that must hold holds in every state, and all that can happen happens in one.
fn check(setting: Setting) -> bool {
    let start = Instant::now();
    let threads = available_parallelism().map_or(1, usize::from);
    let checker = setting.checker().threads(threads).finish_when(HasDiscoveries::AnyFailures);
    if setting.is_small {
        report(&setting, &checker.spawn_bfs().join(), start)
    } else {
        report(&setting, &checker.spawn_dfs().join(), start)
    }
}

fn report(setting: &Setting, checker: &impl Checker<Setting>, start: Instant) -> bool {
    println!(
        "{}: {} states, {} ways to them, at most {} actions deep, in {:.1} s",
        setting.name,
        checker.unique_state_count(),
        checker.state_count(),
        checker.max_depth() - 1,
        start.elapsed().as_secs_f64(),
    );
    let mut discoveries = checker.discoveries();
    let mut is_right = true;
    for property in setting.properties() {
        let discovery = discoveries.remove(property.name);
        match (property.expectation, discovery) {
            (Expectation::Always, Some(path)) => {
                println!("not so: {}", property.name);
                trace::print(path);
                return false;
            }
            (Expectation::Sometimes, None) => {
                println!("never seen: {}", property.name);
                is_right = false;
            }
            _ => {}
        }
    }
    is_right
}
