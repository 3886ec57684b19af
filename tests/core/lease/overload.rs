//! Tests a shard that gets far more requests than it can answer. Renewals go before grants, and
//! grants before batches. The simulation of scale (`tests/world`) shows that all isolates get
//! leases again after an outage.

use edgeflake::Layout;
use edgeflake::lease::{
    Authority, BoundConfig, Refusal, Reply, Request, Sequencer, Settings, Terms,
};

use super::{acquire, prefetch};

fn authority(per_second_max: u64) -> Authority {
    let layout: Layout = "timestamp:40 node:6 sequence:6 @0".parse().unwrap();
    let sequencer = Sequencer::new(BoundConfig::new(layout, 0, 61, 1).unwrap());
    let terms = Terms { lease_ms: 10_000, allowed_future_ms: 100, ..Terms::default() };
    let operations_per_second_max = per_second_max;
    let settings = Settings { terms, operations_per_second_max, ..Settings::default() };
    Authority::load(0, Some(sequencer), settings, []).unwrap()
}

const fn refused(retry_in_ms: u64) -> Reply {
    Reply::Refused { refusal: Refusal::Overloaded { retry_in_ms }, incarnation: 1 }
}

#[test]
fn renewals_before_grants_before_batches() {
    // Per second, batches get at most half of all operations, and grants at most three quarters.
    // Both numbers are rounded up.
    for (per_second_max, prefetches, acquires) in
        [(1, 1, 1), (2, 1, 2), (3, 2, 3), (4, 2, 3), (5, 3, 4), (1_000, 500, 750)]
    {
        let admitted = |request: &dyn Fn(u128) -> Request| {
            let mut authority = authority(per_second_max);
            let requests = (0..2_000).map(request);
            requests.filter(|it| authority.admit(5_000, it).is_none()).count() as u64
        };
        assert_eq!(admitted(&|_| prefetch(None, 5_000)), prefetches, "{per_second_max}");
        let acquire = |bits| Request::Acquire(acquire(bits, 5_000));
        assert_eq!(admitted(&acquire), acquires, "{per_second_max}");
        for request in [Request::Describe, Request::Destroy] {
            assert_eq!(admitted(&|_| request), 2_000);
        }
    }
}

#[test]
fn a_refusal_names_the_rest_of_the_second_at_least() {
    let prefetch = |now_ms| prefetch(None, now_ms);
    let mut authority = authority(1);
    assert_eq!(authority.admit(5_000, &prefetch(5_000)), None);
    for (now_ms, retry_in_ms) in [(5_000, 2_000), (5_001, 2_999), (5_999, 3_001)] {
        let refused = refused(retry_in_ms);
        assert_eq!(authority.admit(now_ms, &prefetch(now_ms)), Some(refused));
    }
    // A new second begins: the next one, an earlier one because the clock went back, and the last.
    for now_ms in [6_000, 4_999, u64::MAX] {
        assert_eq!(authority.admit(now_ms, &prefetch(now_ms)), None);
        assert!(authority.admit(now_ms, &prefetch(now_ms)).is_some());
    }
}

#[test]
fn each_refusal_names_a_later_time() {
    // Batches get at most half of the operations, so two batches are admitted per second.
    let mut authority = authority(4);
    let mut retry_in_ms = |now_ms| match authority.admit(now_ms, &prefetch(None, now_ms)) {
        Some(Reply::Refused { refusal, .. }) => refusal.retry_in_ms(),
        _ => None,
    };
    let told: Vec<_> = (0..6).map(|_| retry_in_ms(5_000)).collect();
    let in_ms = [2_000, 2_500, 3_000, 3_500].map(Some);
    assert_eq!(told, [&[None; 2], in_ms.as_slice()].concat());
    // However many requests there are, no request is told to wait longer than a minute.
    let longest_ms = (0..1_000).filter_map(|_| retry_in_ms(5_000)).max();
    assert_eq!(longest_ms, Some(60_000));
    // Once all refused requests may retry, a refusal again names the next second.
    let told: Vec<_> = (0..4).map(|_| retry_in_ms(66_000)).collect();
    assert_eq!(told, [None, None, Some(2_000), Some(2_500)]);
}

#[test]
fn a_request_that_waited_in_the_kernel_is_overload() {
    let at = |holder_ms, unseen_max_ms| {
        let mut authority = authority(1_000);
        authority.set_unseen_max_ms(unseen_max_ms);
        let request = Request::Acquire(acquire(7, holder_ms));
        match authority.answer(100_000, &request, |_| Ok::<(), ()>(())) {
            Ok(Reply::Refused { refusal, .. }) => refusal.code(),
            reply => {
                assert!(matches!(reply, Ok(Reply::Granted(_))), "{reply:?}");
                "granted"
            }
        }
    };
    // Clocks may disagree by 10 s. The process stood still for up to 30 s, or not at all.
    for (holder_ms, unseen_max_ms, code) in [
        (90_000, 30_000, "granted"),
        (89_999, 30_000, "overloaded"),
        (60_000, 30_000, "overloaded"),
        (59_999, 30_000, "clock-disagreement"),
        (89_999, 0, "clock-disagreement"),
        (110_001, 30_000, "clock-disagreement"),
    ] {
        assert_eq!(at(holder_ms, unseen_max_ms), code, "{holder_ms} {unseen_max_ms}");
    }
}
