//! Simulates the real authorities, shard routers and holders at the scale of up to a million
//! isolates, with the queues and the distances between them.
//!
//! Each world has a steady time, a deploy that replaces all isolates, and a region that fails over
//! while its objects are out of reach. The behaviour of isolates, and the speed of objects and
//! messages, are assumptions. Each is a constant with its reason.
//!
//! Run `npm run simulate:scale -- --isolates 10000 --shards 2`; see `--help`.

mod bill;
mod isolate;
mod measure;
mod outcome;
mod region;
mod setting;
mod shard;
mod table;
mod world;

use std::process::ExitCode;

use edgeflake_world::read_arguments;
use lexopt::prelude::ValueExt;
use outcome::Outcome;
use setting::{SMALL, TABLE, USUAL, help};
use world::World;

fn main() -> ExitCode {
    let (mut one, mut seed, mut isolates_max, mut is_small) = (USUAL, 0, u32::MAX, false);
    let help = format!(
        "\
Simulates isolates and authorities at scale: in a steady time, after a deploy, and while a region
fails over. Without --isolates, simulates the rows of the table, of which docs/FIGURES.md shows a
part; this takes half an hour. The options, with their usual values:
{}
  --isolates-max N
      leaves out the rows of the table with more isolates than N
  --small
      simulates the small worlds of npm test instead of the table
  --seed 0
      the seed of all random choices",
        help()
    );
    let read = read_arguments(&help, |name, parser| {
        match name {
            "isolates-max" => isolates_max = parser.value()?.parse()?,
            "seed" => seed = parser.value()?.parse()?,
            "small" => is_small = true,
            _ => return one.set(name, parser),
        }
        Ok(true)
    });
    if let Err(code) = read {
        return code;
    }
    let settings = match one.isolates {
        0 if is_small => &SMALL[..],
        0 => &TABLE,
        _ => &[one],
    };
    let mut outcomes = Vec::new();
    for setting in settings.iter().filter(|setting| setting.isolates <= isolates_max) {
        eprintln!("{setting:?}");
        let mut world = World::new(*setting, seed);
        world.run();
        outcomes.push(Outcome::of(&world));
    }
    println!("{}", table::text(&outcomes));
    if is_small && let Some(outcome) = outcomes.iter().find(|outcome| !outcome.is_well()) {
        eprintln!("error: requests fail, or an incident does not end: {outcome:?}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
