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
//! are careless. In a quarter of the worlds, rare events happen often. At the end of a world with
//! witnesses, a shard's clock is a year ahead for a moment.
//!
//! A ledger observes each world from outside. It checks that no id comes twice within a sequencer,
//! that granted spans of a node are disjoint, and that ids of a holder ascend. After each storm,
//! when its effects have passed, every request must get its ids within 5 s. A world that never ends
//! fails. A run fails if a kind of event was too rare. A failure names its seed and prints the
//! events before it.
//!
//! Each seed also has a second world, in which a database is the authority: see [`database`].
//!
//! Run `npm run simulate -- --seeds 20000 --from 7`; see `--help`.

mod climate;
mod database;
mod fault;
mod isolate;
mod message;
mod options;
mod static_nodes;
mod transit;
mod world;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{panic, thread};

use edgeflake_world::{Random, Tallied, Tally};
use options::Options;

/// Number of lines that are printed from the end of a trace.
const TRACE_LINES: usize = 60;

/// A run shows nothing about events that never happen in it. So per this many worlds, every kind of
/// event must happen at least as often as [`Tally`] says.
const TELLING_SEEDS: u64 = 1_000;

fn main() -> ExitCode {
    let options = match Options::parse() {
        Ok(options) => options,
        Err(code) => return code,
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
    failures: BTreeMap<u64, String>,
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
            let Outcome { tally, failure, .. } = simulate(seed, self.options, false);
            let mut total = self.total.lock().unwrap();
            total.seeds += 1;
            total.tally += tally;
            if (total.failures.len() as u64) < failures {
                total.failures.extend(failure.map(|failure| (seed, failure)));
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
        let Total { seeds, tally, failures, .. } = total.into_inner().unwrap();
        let thousands = seeds / TELLING_SEEDS;
        let faults = faults(thousands, options, &tally);
        let kinds: Vec<_> = tally.rows(thousands, options.is_database).collect();
        for Tallied { name, count, .. } in &faults {
            println!("{count:>14}  faults: {name}");
        }
        for Tallied { name, count, .. } in &kinds {
            println!("{count:>14}  {name}");
        }
        println!("{:>14}  hours simulated", tally.simulated_ms / 3_600_000);
        println!("{seeds:>14}  seeds from {}, {} failed", options.from, failures.len());
        for (seed, failure) in &failures {
            println!("seed {seed}: {failure}");
        }
        if let Some((seed, failure)) = failures.first_key_value() {
            // Runs the world again, this time with a trace.
            let lines = simulate(*seed, options, true).trace;
            let skipped = if options.trace { 0 } else { lines.len().saturating_sub(TRACE_LINES) };
            println!("\nthe last of {} lines of seed {seed}:", lines.len());
            println!("{}\n{failure}", lines[skipped..].join("\n"));
            let kind = if options.is_database { " --database" } else { "" };
            println!("\nagain: npm run simulate -- --seeds 1 --from {seed}{kind} --trace");
            return ExitCode::FAILURE;
        }
        if options.trace {
            println!("{}", simulate(options.from, options, true).trace.join("\n"));
        }
        match faults.into_iter().chain(kinds).find(|row| row.count < row.least) {
            Some(Tallied { name, count, least }) => {
                println!("error: only {count} {name}; this many worlds must have {least}");
                ExitCode::FAILURE
            }
            None => ExitCode::SUCCESS,
        }
    }
}

/// Returns the number of each fault, and the least number in this many thousands of worlds.
fn faults(thousands: u64, Options { is_database, .. }: Options, tally: &Tally) -> Vec<Tallied> {
    let least = if is_database { 0 } else { thousands };
    let of_leases = world::FAULTS.iter().map(|fault| (fault.name, fault.least * least));
    let of_database = database::FAULTS.iter().map(|fault| (fault.name, fault.least * thousands));
    let faults = of_leases.chain(of_database);
    faults.map(|(name, least)| Tallied { name, least, count: tally.faults(name) }).collect()
}

/// The events in the worlds of a seed, and the failure if there is one.
struct Outcome {
    tally: Tally,
    trace: Vec<String>,
    failure: Option<String>,
}

/// Runs the worlds of a seed.
fn simulate(seed: u64, Options { is_database, .. }: Options, traces: bool) -> Outcome {
    let mut world = world::World::new(seed);
    let mut database = database::World::new(Random::of_seed(seed ^ (1 << 61)));
    (world.trace, database.trace) = (traces.then(Vec::new), traces.then(Vec::new));
    let run = catch_unwind(AssertUnwindSafe(|| {
        if !is_database {
            world.run();
            static_nodes::run(&mut Random::of_seed(!seed), &mut world.tally);
        }
        database.run();
    }));
    let failure = run.err().map(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
            .unwrap_or_else(|| "a panic without a message".to_owned())
    });
    let trace = [world.trace, database.trace].into_iter().flatten().flatten().collect();
    world.tally += database.tally;
    Outcome { tally: world.tally, trace, failure }
}
