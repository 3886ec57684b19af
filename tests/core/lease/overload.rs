//! Far more isolates ask than a shard can answer: renewals go before grants, and grants before
//! batches. The simulation of scale (`tests/world`) shows that a herd gets its leases back.

use edgeflake::Layout;
use edgeflake::lease::{
    Authority, BoundConfig, Refusal, Reply, Request, Sequencer, Settings, Terms,
};

use super::shell::{acquire, prefetch};

fn authority(per_second_max: u64) -> Authority {
    let layout: Layout = "timestamp:40 node:6 sequence:6 @0".parse().unwrap();
    let sequencer = Sequencer::new(BoundConfig::new(layout, 0, 61, 1).unwrap());
    let terms = Terms { lease_ms: 10_000, allowed_future_ms: 100, ..Terms::default() };
    let operations_per_second_max = per_second_max;
    let settings = Settings { terms, operations_per_second_max, ..Settings::default() };
    Authority::load(0, Some(sequencer), settings, []).unwrap()
}

#[test]
fn renewals_before_grants_before_batches() {
    // The same number of each kind is answered, whatever came before in the second.
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
    for (now_ms, retry_in_ms) in [(5_000, 2_000), (5_001, 1_999), (5_999, 1_001)] {
        let refusal = Refusal::Overloaded { retry_in_ms };
        let refused = Reply::Refused { refusal, incarnation: 1 };
        assert_eq!(authority.admit(now_ms, &prefetch(now_ms)), Some(refused));
    }
    // A new second begins: the next one, or an earlier one because the clock went back.
    for now_ms in [6_000, 4_999] {
        assert_eq!(authority.admit(now_ms, &prefetch(now_ms)), None);
        assert!(authority.admit(now_ms, &prefetch(now_ms)).is_some());
    }
}
