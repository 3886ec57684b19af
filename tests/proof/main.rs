//! Checks that the real code fulfils the premises of the proof in docs/DESIGN.md.
//!
//! `lemmas` checks the lemmas in all states of a small domain. `decisions SEED COUNT` prints random
//! decisions. `decisions.py` compares them with the transcription in `rules.py`.

mod authority;
mod decisions;
mod generator;
mod holder;
#[expect(dead_code, unreachable_pub, reason = "the worlds draw more, from a crate of their own")]
#[path = "../world/src/random.rs"]
mod random;

use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let args: Vec<_> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["lemmas"] => {
            for (what, check) in [
                ("lives of a sequencer", authority::check as fn() -> u64),
                ("lives of a generator", generator::check),
                ("lives of a holder", holder::check),
            ] {
                let start = Instant::now();
                let count = check();
                println!("{count:>12}  {what} in {:.1} s", start.elapsed().as_secs_f64());
            }
            ExitCode::SUCCESS
        }
        ["decisions", seed, count] => {
            let (Ok(seed), Ok(count)) = (seed.parse(), count.parse()) else {
                eprintln!("error: found {seed} and {count}; allowed: two numbers");
                return ExitCode::FAILURE;
            };
            decisions::print(seed, count);
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("error: found {args:?}; allowed: lemmas, or decisions SEED COUNT");
            ExitCode::FAILURE
        }
    }
}
