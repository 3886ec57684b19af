//! Plays the scenes of the story with the real authority, holders and generators, and checks that
//! each goes wrong as the page says.

use super::World;

/// The numbers of ids and duplicates.
type Score = [usize; 2];

fn score(world: &World, is_classic: bool) -> Score {
    let ids = world.ids(is_classic);
    [ids.len() / 6, ids.chunks(6).filter(|id| id[5] > 0).count()]
}

fn after(actions: &[Action]) -> World {
    let mut world = World::new();
    for action in actions {
        match *action {
            Action::Pass(seconds) => (0..seconds).for_each(|_| world.pass()),
            Action::Turn(computer, seconds) => world.turn(computer, seconds),
            Action::Restart(computer) => world.restart(computer),
            Action::Copy => world.copy(),
        }
    }
    world
}

enum Action {
    Pass(u32),
    Turn(usize, i32),
    Restart(usize),
    Copy,
}

use Action::{Copy, Pass, Restart, Turn};

#[test]
fn each_scene_has_its_score() {
    let scenes: [(&[Action], Score, Score, u32); 5] = [
        (&[Pass(1)], [3, 0], [3, 0], 0),
        (&[Pass(6)], [18, 0], [18, 0], 0),
        (&[Pass(6), Turn(0, -4), Pass(1)], [21, 1], [20, 0], 900),
        (&[Pass(6), Turn(0, -4), Pass(2)], [24, 3], [23, 0], 1_000),
        (&[Pass(6), Turn(0, -4), Pass(4)], [30, 6], [30, 0], 1_000),
    ];
    for (at, (actions, classic, leased, longest_ms)) in scenes.into_iter().enumerate() {
        let world = after(actions);
        assert_eq!(score(&world, true), classic, "scene {at}");
        assert_eq!(score(&world, false), leased, "scene {at}");
        assert_eq!(world.longest_wait(), longest_ms, "scene {at}");
    }
}

#[test]
fn classic_repeats_ids_in_each_of_these_ways_and_edgeflake_in_none() {
    let ways: [(&[Action], bool); 7] = [
        (&[Pass(30)], false),
        (&[Pass(6), Turn(0, -4), Pass(9)], true),
        (&[Pass(6), Turn(0, -4), Pass(9), Turn(0, -4), Pass(9)], true),
        (&[Pass(6), Turn(0, 4), Pass(3), Turn(0, -4), Pass(9)], true),
        (&[Pass(6), Restart(1), Pass(9)], false),
        (&[Pass(6), Turn(1, -3), Restart(1), Pass(9)], true),
        (&[Pass(6), Copy, Pass(9)], true),
    ];
    for (at, (actions, repeats)) in ways.into_iter().enumerate() {
        let world = after(actions);
        let [issued, duplicates] = score(&world, false);
        assert_eq!((score(&world, true)[1] > 0, duplicates), (repeats, 0), "way {at}");
        assert!(issued > 20, "way {at}: {issued}");
    }
}

/// A computer's lease: node, first time, and the first time after it.
fn lease(world: &World, computer: usize) -> Vec<u32> {
    world.computers()[6 * computer + 3..6 * computer + 6].to_vec()
}

/// The page explains the edge of a lease in the second scene, so the edge must stay there until the
/// last scene.
#[test]
fn no_lease_changes_between_the_second_scene_and_the_last() {
    for actions in [&[Pass(6)] as &[Action], &[Pass(6), Turn(0, -4), Pass(4)]] {
        let world = after(actions);
        assert_eq!([lease(&world, 0), lease(&world, 1)], [[1, 8, 26], [2, 8, 26]]);
    }
}

#[test]
fn a_clock_far_behind_takes_another_lease() {
    let world = after(&[Pass(6), Turn(0, -8)]);
    assert_eq!(lease(&world, 0), [1, 8, 26]);
    let world = after(&[Pass(6), Turn(0, -8), Pass(3)]);
    assert_eq!(lease(&world, 0), [3, 16, 28]);
}

#[test]
fn a_restarted_computer_and_a_copy_take_leases_of_their_own() {
    assert_eq!(lease(&after(&[Pass(6), Restart(1)]), 1), [0, 0, 0]);
    assert_eq!(lease(&after(&[Pass(6), Restart(1), Pass(2)]), 1)[0], 3);
    let world = after(&[Pass(6), Copy, Copy, Pass(2)]);
    assert_eq!(world.computers().len(), 6 * 4);
    assert_eq!([lease(&world, 2)[0], lease(&world, 3)[0]], [3, 4]);
}

#[test]
fn a_clock_too_far_off_gets_no_lease_and_says_why() {
    let world = after(&[Pass(6), Turn(0, -12), Pass(8)]);
    assert_eq!(
        world.failure(0),
        "clocks disagree by 12000 ms: authority 2026-01-16T12:00:22.618Z, holder \
         2026-01-16T12:00:10.618Z; at most 10000 ms are allowed: correct the wrong clock"
    );
    assert_eq!(world.failure(1), "");
}
