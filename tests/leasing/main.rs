//! Many holders, the shards of one sequencer that is destroyed and created again, and a world that
//! loses, doubles and delays what they say, steps their clocks, forgets holders, restarts objects
//! from their rows and runs some of them twice. No id comes twice, the spans of a node never
//! overlap, and nothing is used from where an incarnation has ended. A failure names its seed.

mod ledger;
mod mail;
mod objects;
mod random;
mod weather;
mod world;

use ledger::Counts;
use world::World;

const SEEDS: u64 = if cfg!(miri) { 3 } else { 1_000 };
const STEPS: u64 = if cfg!(miri) { 400 } else { 1_500 };

/// More of them for a change of the protocol: `LEASING_SEEDS=20000`.
fn seeds() -> u64 {
    std::env::var("LEASING_SEEDS").map_or(SEEDS, |seeds| seeds.parse().unwrap())
}

#[test]
fn no_id_twice() {
    let (mut ids, mut total) = (0, Counts::default());
    for seed in 0..seeds() {
        let mut world = World::new(seed);
        let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.run(STEPS)));
        if let Err(panic) = run {
            eprintln!("seed {seed}");
            std::panic::resume_unwind(panic);
        }
        ids += world.ledger.ids.len() as u64;
        total.add(&world.ledger.counts);
    }
    // A world in which nothing happens would show nothing.
    let Counts { spans, batches, releases, renewals, incarnations } = total;
    let fewest = spans.min(batches).min(releases).min(renewals).min(incarnations);
    let enough = if cfg!(miri) { spans } else { fewest / 3 };
    assert!(ids > seeds() * STEPS / 4 && enough >= seeds(), "{ids} ids: {total:?}");
}
