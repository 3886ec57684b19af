//! Simulates the real authorities, shard routers and holders at the scale of up to a million
//! isolates, with the queues and the distances between them.
//!
//! Each world has a steady time, a deploy that replaces all isolates, and a region that fails over
//! while its objects are out of reach. The behaviour of isolates, and the speed of objects and
//! messages, are assumptions. Each is a constant with its reason.
//!
//! Run `npm run simulate:scale -- --isolates 10000 --shards 2`; see `--help`.

mod bill;
mod calendar;
mod isolate;
mod measure;
mod options;
mod outcome;
mod region;
mod setting;
mod shard;
mod table;
mod world;

use std::process::ExitCode;

use options::Options;
use outcome::Outcome;
use world::World;

fn main() -> ExitCode {
    let options = match Options::parse() {
        Ok(Some(options)) => options,
        Ok(None) => return ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}; see --help");
            return ExitCode::FAILURE;
        }
    };
    let mut outcomes = Vec::new();
    for setting in options.settings {
        eprintln!("{setting:?}");
        let mut world = World::new(setting, options.seed);
        world.run();
        outcomes.push(Outcome::of(&world));
    }
    println!("{}", table::text(&outcomes));
    if options.is_small
        && let Some(outcome) = outcomes.iter().find(|outcome| !outcome.is_well())
    {
        eprintln!("error: it does not recover: {outcome:?}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
