//! The page's account of each broken clock, from the running authority, holders and generators.

use edgeflake::lease::State;

use super::{PROCESSES, World};

const A: usize = 0;
const HOUR_MS: i64 = 3_600_000;

fn world() -> World {
    let mut world = World::new(1);
    pass(&mut world, 5_000);
    world
}

fn pass(world: &mut World, ms: u64) {
    for _ in 0..ms {
        world.pass();
    }
    assert_eq!(world.leased.duplicates, 0);
    assert_eq!(world.shard.ledger.violation(), None);
}

fn issued(world: &World) -> [u64; PROCESSES] {
    world.processes.each_ref().map(|process| process.issued)
}

#[test]
fn with_right_clocks_each_process_has_a_node_and_no_request_fails() {
    let mut world = world();
    pass(&mut world, 60_000);
    let nodes = world.processes.each_ref().map(|process| process.holder.span().unwrap().node());
    assert_eq!(nodes, [1, 2, 3]);
    assert_eq!((world.leased.failed, world.leased.late), (0, 0));
    assert_eq!((world.classic.failed, world.classic.duplicates), (0, 0));
    assert_eq!(world.leased.issued, world.classic.issued);
    assert!(world.leased.issued > 10_000, "{}", world.leased.issued);
}

#[test]
fn a_clock_5_s_back_makes_classic_duplicates_and_delays_nobody_with_a_lease() {
    let mut world = world();
    let longest_ms = world.leased.longest_ms;
    world.processes[A].clock.shift(-5_000);
    pass(&mut world, 6_000);
    assert!(world.classic.duplicates > 5, "{}", world.classic.duplicates);
    assert_eq!((world.leased.failed, world.leased.longest_ms), (0, longest_ms));
    // Its ids go on from the newest one, so they are ahead of its clock.
    assert_eq!(world.processes[A].holder.state(), State::Attached);
}

#[test]
fn a_clock_an_hour_ahead_or_behind_gets_no_lease_and_costs_its_ids() {
    for by_ms in [HOUR_MS, -HOUR_MS] {
        let mut world = world();
        let before = issued(&world);
        world.processes[A].clock.shift(by_ms);
        pass(&mut world, 20_000);
        let after = issued(&world);
        let refusal = world.processes[A].refusal.unwrap();
        assert_eq!(refusal.code(), "clock-disagreement", "{by_ms}");
        assert!(after[A] - before[A] <= 1, "{by_ms}: {} to {}", before[A], after[A]);
        assert!(after[1] - before[1] > 1_000, "{by_ms}: the others go on");
        assert!(world.leased.failed > 500, "{by_ms}: {}", world.leased.failed);
        // The process goes on once its clock is right.
        world.processes[A].clock.shift(-by_ms);
        pass(&mut world, 10_000);
        assert!(issued(&world)[A] - after[A] > 400, "{by_ms}");
        assert_eq!(world.processes[A].refusal, None);
    }
}

#[test]
fn a_frozen_clock_issues_from_its_rectangle_long_after_that() {
    let mut world = world();
    let true_ms = world.true_ms;
    let span = world.processes[A].holder.span();
    world.processes[A].clock.freeze(true_ms);
    pass(&mut world, 90_000);
    assert_eq!(world.processes[A].holder.span(), span);
    assert_eq!(world.leased.failed, 0);
    assert!(world.leased.latest_ms > 80_000, "{}", world.leased.latest_ms);
    // The classic generator would spin after 1,024 ids.
    assert!(world.classic.failed > 1_000, "{}", world.classic.failed);
    // When its clock goes on it is 90 s behind, and the process still issues.
    let true_ms = world.true_ms;
    world.processes[A].clock.thaw(true_ms);
    let before = issued(&world);
    pass(&mut world, 5_000);
    assert!(issued(&world)[A] > before[A] + 200);
}

#[test]
fn two_processes_with_one_node_number_make_classic_duplicates_on_right_clocks() {
    let mut world = world();
    world.shares_node = true;
    pass(&mut world, 20_000);
    assert!(world.classic.duplicates > 10, "{}", world.classic.duplicates);
}
