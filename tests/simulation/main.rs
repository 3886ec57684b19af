//! No id twice, whatever happens: the real authorities, holders and generators in worlds that are
//! drawn from seeds, and worse than any network and platform.
//!
//! Several sequencers with their shards; isolates with clocks that are wrong, drift, step and
//! freeze; messages that are lost, doubled, late by an age, or of other versions; clients that
//! leave; isolates that are reset, or go on late, or with a lease that was written down; objects
//! that are evicted, crash before and after they write, and run twice with only the storage between
//! them; storages and witnesses that are put back to an older copy or emptied, unless both forget
//! the same; deploys with other variables; sequencers that are destroyed and created again with
//! other shards; callers that take no care; in a quarter of the worlds, what seldom happens by
//! itself happens often; at the end, a shard's clock that stands a year ahead for a moment.
//!
//! Checked throughout, by a ledger that only looks on: no id twice within a sequencer; granted
//! spans of a node are disjoint; ids of a holder ascend; at most one row is written for an
//! operation. After each storm, when what it left behind has passed, every request gets its ids
//! within 5 s. A world that goes on without end fails, and a run in which a kind of event was seldom
//! or never met. A failure names its seed and tells what happened before it.
//!
//! `npm run simulate -- --seeds 20000 --from 7`; see `--help`.

mod climate;
mod clock;
mod isolate;
mod ledger;
mod network;
mod object;
mod options;
mod random;
mod static_nodes;
mod tally;
mod transit;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{panic, thread};

use options::Options;
use random::Random;
use tally::{Rare, Tally};
use world::World;

/// How many of the last lines of a trace are printed.
const TRACE_LINES: usize = 60;

/// A world in which nothing of a kind happens shows nothing; in so many, all of it does, at least
/// as often as [`tally`] says.
const TELLING_SEEDS: u64 = 1_000;

fn main() -> ExitCode {
    let options = match Options::parse() {
        Ok(Some(options)) => options,
        Ok(None) => return ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}; see --help");
            return ExitCode::FAILURE;
        }
    };
    // What failed is printed with its trace.
    panic::set_hook(Box::new(|_| {}));
    let run = Run {
        options,
        next: AtomicU64::new(options.from),
        started: Instant::now(),
        total: Mutex::default(),
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| run.work());
        }
    });
    run.report()
}

struct Run {
    options: Options,
    next: AtomicU64,
    started: Instant,
    total: Mutex<Total>,
}

#[derive(Default)]
struct Total {
    seeds: u64,
    tally: Tally,
    failures: Vec<(u64, String)>,
    /// When progress was printed last.
    printed: Duration,
}

impl Run {
    fn work(&self) {
        let Options { from, seeds, is_large, failures, seconds, .. } = self.options;
        loop {
            let seed = self.next.fetch_add(1, Ordering::Relaxed);
            let elapsed = self.started.elapsed();
            if seed >= from.saturating_add(seeds)
                || seconds.is_some_and(|seconds| elapsed.as_secs() >= seconds)
            {
                return;
            }
            let (tally, outcome) = simulate(seed, is_large, None);
            let mut total = self.total.lock().unwrap();
            total.seeds += 1;
            total.tally += tally;
            if let Err(failure) = outcome {
                if total.failures.len() as u64 >= failures {
                    return;
                }
                total.failures.push((seed, failure));
            }
            if total.failures.len() as u64 >= failures {
                return;
            }
            if elapsed >= total.printed + Duration::from_secs(10) {
                total.printed = elapsed;
                eprintln!("{} seeds in {} s", total.seeds, elapsed.as_secs());
            }
        }
    }

    fn report(self) -> ExitCode {
        let Self { options, total, .. } = self;
        let Total { seeds, tally, mut failures, .. } = total.into_inner().unwrap();
        failures.sort();
        println!("{tally}");
        println!("{seeds:>14}  seeds from {}, {} failed", options.from, failures.len());
        if let Some((seed, failure)) = failures.first() {
            for (seed, failure) in &failures {
                println!("seed {seed}: {failure}");
            }
            // The same again, this time with notes.
            let mut lines = Vec::new();
            let _ = simulate(*seed, options.is_large, Some(&mut lines));
            let skipped = if options.trace { 0 } else { lines.len().saturating_sub(TRACE_LINES) };
            println!("\nthe last of {} lines of seed {seed}:", lines.len());
            println!("{}\n{failure}", lines[skipped..].join("\n"));
            let large = if options.is_large { " --large" } else { "" };
            println!("\nagain: npm run simulate -- --seeds 1 --from {seed}{large} --trace");
            return ExitCode::FAILURE;
        }
        if options.trace {
            let mut lines = Vec::new();
            let _ = simulate(options.from, options.is_large, Some(&mut lines));
            println!("{}", lines.join("\n"));
        }
        match tally.rarest(seeds / TELLING_SEEDS) {
            Some(Rare { name, count, least }) => {
                println!("error: found {count} {name}; in so many worlds there must be {least}");
                ExitCode::FAILURE
            }
            None => ExitCode::SUCCESS,
        }
    }
}

/// Runs the world of a seed, and says what failed in it.
fn simulate(
    seed: u64,
    is_large: bool,
    trace: Option<&mut Vec<String>>,
) -> (Tally, Result<(), String>) {
    let mut world = World::new(seed, is_large);
    world.trace = trace.is_some().then(Vec::new);
    let run = catch_unwind(AssertUnwindSafe(|| {
        world.run();
        static_nodes::run(&mut Random::of_seed(!seed), &mut world.tally);
        static_nodes::be_told(&mut Random::of_seed(!seed >> 1), &mut world.tally);
    }));
    if let (Some(lines), Some(noted)) = (trace, world.trace.take()) {
        *lines = noted;
    }
    let outcome = run.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
            .unwrap_or_else(|| "a panic without a message".to_owned())
    });
    (world.tally, outcome)
}
