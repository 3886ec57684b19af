//! Checks that the real code fulfils the premises of the proof in docs/DESIGN.md.
//!
//! `lemmas` checks the lemmas in all states of a small domain. `decisions SEED COUNT` prints random
//! decisions. `decisions.py` compares them with the transcription in `rules.py`.

mod authority;
mod decisions;
mod generator;
mod holder;
#[expect(dead_code, unreachable_pub, reason = "it is a module of tests/world, which uses more")]
#[path = "../world/src/random.rs"]
mod random;

use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["lemmas"] => {
            let checks: [(_, fn() -> u64); 3] = [
                ("lives of a sequencer", authority::check),
                ("lives of a generator", generator::check),
                ("lives of a holder", holder::check),
            ];
            for (what, check) in checks {
                let start = Instant::now();
                let count = check();
                println!("{count:>12}  {what} in {:.1} s", start.elapsed().as_secs_f64());
            }
        }
        ["decisions", seed, count] => match (seed.parse(), count.parse()) {
            (Ok(seed), Ok(count)) => decisions::print(seed, count),
            _ => return wrong(&args),
        },
        _ => return wrong(&args),
    }
    ExitCode::SUCCESS
}

fn wrong(args: &[String]) -> ExitCode {
    eprintln!("error: found {args:?}; allowed: lemmas, or decisions SEED COUNT");
    ExitCode::FAILURE
}
