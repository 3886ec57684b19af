//! Checks that no id comes twice, whatever happens. The real authorities, holders and generators
//! run in worlds that are drawn from seeds. These worlds are worse than any real network or
//! platform.
//!
//! A world has several sequencers with their shards, and isolates whose clocks are wrong, drift,
//! step and freeze. Messages are lost, duplicated, very late, or of other versions. Clients leave.
//! Isolates are reset, resume late, or resume from a recorded lease. Objects are evicted, crash
//! before and after they write, and run as two instances on one storage. Storages and witnesses are
//! restored from an older copy or emptied, but never so that both lose the same grants. Deploys
//! change variables. Sequencers are destroyed, and created again with other shards. Some callers
//! are careless. In a quarter of the worlds, rare events happen often. At the end, a shard's clock
//! is a year ahead for a moment.
//!
//! A ledger observes each world from outside. It checks that no id comes twice within a sequencer,
//! that granted spans of a node are disjoint, that ids of a holder ascend, and that an operation
//! writes at most one row. After each storm, when its effects have passed, every request gets its
//! ids within 5 s. A world that never ends fails. A run fails if a kind of event was too rare. A
//! failure names its seed and prints the events before it.
//!
//! Each seed also has a second world, in which a database is the authority: see [`database`].
//!
//! Run `npm run simulate -- --seeds 20000 --from 7`; see `--help`.

mod climate;
mod database;
mod isolate;
mod message;
mod options;
mod static_nodes;
mod transit;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{panic, thread};

use edgeflake_world::{Random, Rare, Tally};
use options::Options;
use world::{FAULTS, World};

/// Number of lines that are printed from the end of a trace.
const TRACE_LINES: usize = 60;

/// A run shows nothing about events that never happen in it. A run of this many worlds must meet
/// every kind of event at least as often as [`Tally`] says.
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
    // The panic is printed later, with its trace.
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
    faults: [u64; FAULTS.len()],
    failures: Vec<(u64, String)>,
    /// When progress was last printed.
    printed: Duration,
}

impl Run {
    fn work(&self) {
        let Options { from, seeds, failures, seconds, .. } = self.options;
        loop {
            let seed = self.next.fetch_add(1, Ordering::Relaxed);
            let elapsed = self.started.elapsed();
            if seed >= from.saturating_add(seeds)
                || seconds.is_some_and(|seconds| elapsed.as_secs() >= seconds)
            {
                return;
            }
            let (tally, faults, outcome) = simulate(seed, self.options, None);
            let mut total = self.total.lock().unwrap();
            total.seeds += 1;
            total.tally += tally;
            for (count, more) in total.faults.iter_mut().zip(faults) {
                *count += more;
            }
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
        let Total { seeds, tally, faults, mut failures, .. } = total.into_inner().unwrap();
        failures.sort();
        for (fault, count) in FAULTS.iter().zip(faults) {
            println!("{count:>14}  faults: {}", fault.name);
        }
        println!("{tally}");
        println!("{seeds:>14}  seeds from {}, {} failed", options.from, failures.len());
        if let Some((seed, failure)) = failures.first() {
            for (seed, failure) in &failures {
                println!("seed {seed}: {failure}");
            }
            // Runs the world again, this time with a trace.
            let mut lines = Vec::new();
            let _ = simulate(*seed, options, Some(&mut lines));
            let skipped = if options.trace { 0 } else { lines.len().saturating_sub(TRACE_LINES) };
            println!("\nthe last of {} lines of seed {seed}:", lines.len());
            println!("{}\n{failure}", lines[skipped..].join("\n"));
            let kind = match options {
                Options { is_database: true, .. } => " --database",
                Options { is_large: true, .. } => " --large",
                _ => "",
            };
            println!("\nagain: npm run simulate -- --seeds 1 --from {seed}{kind} --trace");
            return ExitCode::FAILURE;
        }
        if options.trace {
            let mut lines = Vec::new();
            let _ = simulate(options.from, options, Some(&mut lines));
            println!("{}", lines.join("\n"));
        }
        let thousands = seeds / TELLING_SEEDS;
        let rarest = FAULTS.iter().zip(faults).find_map(|(fault, count)| {
            let least = if options.is_database { 0 } else { fault.least * thousands };
            (count < least).then_some(Rare { name: fault.name, count, least })
        });
        match rarest.or_else(|| tally.rarest(thousands, !options.is_database)) {
            Some(Rare { name, count, least }) => {
                println!("error: found {count} {name}; this many worlds must have {least}");
                ExitCode::FAILURE
            }
            None => ExitCode::SUCCESS,
        }
    }
}

/// Runs the worlds of a seed. Returns what happened in them, and the failure if there is one.
fn simulate(
    seed: u64,
    Options { is_database, is_large, .. }: Options,
    trace: Option<&mut Vec<String>>,
) -> (Tally, [u64; FAULTS.len()], Result<(), String>) {
    let mut world = World::new(seed, is_large);
    world.trace = trace.is_some().then(Vec::new);
    let mut lines = trace.is_some().then(Vec::new);
    let run = catch_unwind(AssertUnwindSafe(|| {
        if !is_database {
            world.run();
            static_nodes::run(&mut Random::of_seed(!seed), &mut world.tally);
            static_nodes::be_told(&mut Random::of_seed(!seed >> 1), &mut world.tally);
        }
        let random = Random::of_seed(seed ^ (1 << 61));
        database::run(random, &mut world.tally, lines.as_mut());
    }));
    if let (Some(trace), Some(first), Some(then)) = (trace, world.trace.take(), lines) {
        trace.extend(first.into_iter().chain(then));
    }
    let outcome = run.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
            .unwrap_or_else(|| "a panic without a message".to_owned())
    });
    (world.tally, world.faults, outcome)
}
