//! The authority: which node it grants, for which ticks, and what it refuses.

use edgeflake::lease::{
    Acquire, Authority, BoundConfig, Error, Refusal, Release, Renew, Reply, Request, Row,
    Sequencer, Settings, Status, Terms, Token,
};
use edgeflake::{Layout, SequenceStart};

use super::shell::{self, ask, granted, prefetch};

const LEASE_MS: u64 = 100;
const INCARNATION: u64 = 3;

/// Its ticks of 1 ms start at 0, so that a tick is a time.
fn layout() -> Layout {
    "timestamp:20 node:4 sequence:2 @0".parse().unwrap()
}

fn settings() -> Settings {
    let terms = Terms { lease_ms: LEASE_MS, allowed_future_ms: 40, ..Terms::default() };
    Settings { terms, clock_disagreement_max_ms: 10, ..Settings::default() }
}

/// A sequencer that grants `node_count` nodes from 4 on; node 3 is that of batches.
fn sequencer(node_count: u64) -> Sequencer {
    let config = BoundConfig::new(layout(), 3, node_count + 1, 1).unwrap();
    Sequencer { incarnation: INCARNATION, ..Sequencer::new(config) }
}

fn load(node_count: u64, rows: &[(u64, Row)]) -> Result<Authority, Error> {
    Authority::load(0, Some(sequencer(node_count)), settings(), rows.iter().copied())
}

fn authority(node_count: u64) -> Authority {
    load(node_count, &[]).unwrap()
}

fn token(bits: u128) -> Token {
    Token::from_random(bits)
}

fn acquire(authority: &mut Authority, now_ms: u64, bits: u128) -> Result<(u64, u64, u64), Refusal> {
    granted(ask(authority, now_ms, Request::Acquire(shell::acquire(bits, now_ms))))
}

/// Returns `Ok` with the new end, or `Err` if the span has ended.
fn renew(
    authority: &mut Authority,
    now_ms: u64,
    bits: u128,
    node: u64,
    tick: u64,
) -> Result<u64, ()> {
    let renew = Renew { now_ms, ..shell::renew(bits, INCARNATION, node, tick) };
    match ask(authority, now_ms, Request::Renew(renew)) {
        Reply::Renewed(renewal) => Ok(renewal.until_tick),
        Reply::Ended { .. } => Err(()),
        other => panic!("{other:?}"),
    }
}

fn release(authority: &mut Authority, bits: u128, node: u64, until_tick: u64) -> Result<(), ()> {
    let release = shell::release(bits, INCARNATION, node, until_tick);
    let release = Release { issued: Some(until_tick), ..release };
    match ask(authority, 0, Request::Release(release)) {
        Reply::Released { .. } => Ok(()),
        Reply::Ended { .. } => Err(()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_grant_carries_all_that_a_holder_needs() {
    let mut authority = authority(2);
    let request = Request::Acquire(shell::acquire(1, 1_000));
    let Reply::Granted(grant) = ask(&mut authority, 1_000, request) else { panic!("not granted") };
    assert_eq!(grant.token, token(1));
    assert_eq!(grant.incarnation, INCARNATION);
    assert_eq!(grant.config, sequencer(2).config);
    assert_eq!(grant.terms, settings().terms);
    let span = grant.span;
    assert_eq!((span.node(), span.from_tick(), span.until_tick()), (4, 1_000, 1_100));
}

#[test]
fn h10_h14_q10_nodes_never_used_come_first_then_those_free_longest() {
    let mut authority = authority(3);
    assert_eq!(acquire(&mut authority, 1_000, 1), Ok((4, 1_000, 1_100)));
    assert_eq!(acquire(&mut authority, 1_001, 2), Ok((5, 1_001, 1_101)));
    // Node 4 is free, but not yet for a whole lease time.
    assert_eq!(acquire(&mut authority, 1_199, 3), Ok((6, 1_199, 1_299)));
    assert_eq!(acquire(&mut authority, 1_199, 4), Ok((4, 1_199, 1_299)));
    assert_eq!(acquire(&mut authority, 1_199, 5), Ok((5, 1_199, 1_299)));
    assert_eq!(acquire(&mut authority, 1_200, 6), Err(Refusal::NoNodeFree { retry_in_ms: 99 }));
    assert_eq!(acquire(&mut authority, 1_299, 6), Ok((4, 1_299, 1_399)));
}

#[test]
fn s8_s32_a_holder_that_acquires_again_gets_another_node() {
    let mut authority = authority(2);
    assert_eq!(acquire(&mut authority, 1_000, 1), Ok((4, 1_000, 1_100)));
    assert_eq!(release(&mut authority, 1, 4, 1_010), Ok(()));
    assert_eq!(acquire(&mut authority, 1_020, 2), Ok((5, 1_020, 1_120)));
}

#[test]
fn a_node_that_rested_for_a_lease_time_comes_before_one_never_used() {
    let mut authority = authority(3);
    assert_eq!(acquire(&mut authority, 1_000, 1), Ok((4, 1_000, 1_100)));
    assert_eq!(acquire(&mut authority, 1_199, 2), Ok((5, 1_199, 1_299)));
    assert_eq!(acquire(&mut authority, 1_200, 3), Ok((4, 1_200, 1_300)));
}

#[test]
fn s8_h12_a_node_is_granted_from_the_end_of_its_newest_span_whatever_the_clock_says() {
    let mut authority = authority(1);
    assert_eq!(acquire(&mut authority, 1_000, 1), Ok((4, 1_000, 1_100)));
    // The authority's clock is an hour back, so the node looks held.
    assert_eq!(acquire(&mut authority, 10, 2), Err(Refusal::NoNodeFree { retry_in_ms: 1_090 }));
    assert_eq!(acquire(&mut authority, 1_099, 2), Err(Refusal::NoNodeFree { retry_in_ms: 1 }));
    assert_eq!(acquire(&mut authority, 1_100, 2), Ok((4, 1_100, 1_200)));
    // The clock is a day ahead.
    assert_eq!(acquire(&mut authority, 87_400, 3), Ok((4, 87_400, 87_500)));
}

#[test]
fn a_released_node_is_free_when_its_end_is_within_the_allowed_future() {
    let released = Row { from_tick: 1_000, until_tick: 1_090, ..Row::default() };
    let held = Row { until_tick: 1_060, token: Some(token(9)), ..released };
    let rows = [(4, released), (5, held)];
    let refused = |retry_in_ms| Err(Refusal::NoNodeFree { retry_in_ms });
    // The holder of that node could issue nothing yet, and would ask for no batch.
    assert_eq!(acquire(&mut load(1, &rows[..1]).unwrap(), 1_010, 1), refused(40));
    assert_eq!(acquire(&mut load(1, &rows[..1]).unwrap(), 1_049, 1), refused(1));
    assert_eq!(acquire(&mut load(1, &rows[..1]).unwrap(), 1_050, 1), Ok((4, 1_090, 1_150)));
    // The node that is free first is granted.
    assert_eq!(acquire(&mut load(2, &rows).unwrap(), 1_010, 1), refused(40));
    let rows = [(4, released), (5, Row { until_tick: 1_049, ..held })];
    assert_eq!(acquire(&mut load(2, &rows).unwrap(), 1_010, 1), refused(39));
    // At the end of the layout there is no free node.
    let last = Row { until_tick: layout().ticks(), ..released };
    assert!(acquire(&mut load(1, &[(4, last)]).unwrap(), layout().end_ms(), 1).is_err());
}

#[test]
fn a_retry_gets_the_same_answer_while_half_of_the_span_is_left() {
    let mut authority = authority(2);
    assert_eq!(acquire(&mut authority, 1_000, 1), Ok((4, 1_000, 1_100)));
    assert_eq!(acquire(&mut authority, 1_050, 1), Ok((4, 1_000, 1_100)));
    assert_eq!(acquire(&mut authority, 1_051, 1), Ok((5, 1_051, 1_151)));
    assert_eq!(acquire(&mut authority, 1_052, 1), Ok((5, 1_051, 1_151)));
    // The holder can renew whichever of the two it adopted.
    assert_eq!(renew(&mut authority, 1_060, 1, 4, 1_060), Ok(1_160));
    assert_eq!(renew(&mut authority, 1_060, 1, 5, 1_060), Ok(1_160));
}

#[test]
fn an_excluded_node_is_not_granted() {
    let mut authority = authority(2);
    let released = |until_tick| Row { from_tick: 1, until_tick, ..Row::default() };
    let mut both = load(2, &[(4, released(10)), (5, released(20))]).unwrap();
    let request = |excluded_node| {
        let incarnation = Some(INCARNATION);
        Request::Acquire(Acquire { incarnation, excluded_node, ..shell::acquire(1, 1_000) })
    };
    assert_eq!(granted(ask(&mut both, 1_000, request(Some(4)))), Ok((5, 1_000, 1_100)));
    assert_eq!(granted(ask(&mut authority, 1_000, request(Some(5)))), Ok((4, 1_000, 1_100)));
    let mut unused = self::authority(2);
    assert_eq!(granted(ask(&mut unused, 1_000, request(Some(4)))), Ok((5, 1_000, 1_100)));
    // A restart leaves rows with unused nodes between them.
    let mut apart = load(3, &[(5, released(2_000))]).unwrap();
    assert_eq!(granted(ask(&mut apart, 1_000, request(Some(4)))), Ok((6, 1_000, 1_100)));
}

#[test]
fn clocks_that_disagree_are_refused_at_a_grant_only() {
    let mut authority = authority(2);
    let request = |holder_ms| Request::Acquire(shell::acquire(1, holder_ms));
    for holder_ms in [989, 1_011] {
        let refusal = Refusal::ClockDisagreement { authority_ms: 1_000, holder_ms, max_ms: 10 };
        assert_eq!(granted(ask(&mut authority, 1_000, request(holder_ms))), Err(refusal));
    }
    assert_eq!(authority.row(4), None);
    for holder_ms in [990, 1_010] {
        let reply = ask(&mut authority, 1_000, request(holder_ms));
        assert_eq!(granted(reply), Ok((4, 1_000, 1_100)));
    }
    let renew = Renew { now_ms: 1, ..shell::renew(1, INCARNATION, 4, 1_000) };
    let reply = ask(&mut authority, 1_050, Request::Renew(renew));
    assert!(matches!(reply, Reply::Renewed(renewal) if renewal.until_tick == 1_150));
}

#[test]
fn a_renewal_comes_at_most_one_lease_late() {
    let mut first = authority(1);
    assert_eq!(acquire(&mut first, 1_000, 1), Ok((4, 1_000, 1_100)));
    assert_eq!(renew(&mut first, 1_200, 1, 4, 1_200), Ok(1_200));
    let mut second = authority(1);
    assert_eq!(acquire(&mut second, 1_000, 1), Ok((4, 1_000, 1_100)));
    assert_eq!(renew(&mut second, 1_201, 1, 4, 1_201), Err(()));
}

#[test]
fn settings_must_suit_the_layout_of_the_rows() {
    let config = BoundConfig::new("timestamp:20 @0 tick=1000ms".parse().unwrap(), 0, 1, 1).unwrap();
    let load = |lease_ms| {
        let terms = Terms { lease_ms, allowed_future_ms: 0, ..Terms::default() };
        let settings = Settings { terms, ..Settings::default() };
        Authority::load(0, Some(Sequencer::new(config)), settings, [])
    };
    assert!(load(1_000).is_ok());
    assert_eq!(
        load(999).map(|_| ()),
        Err(Error::Lease { lease_ms: 999, min_ms: 1_000, max_ms: 86_400_000 })
    );
}

#[test]
fn starts_and_gaps_must_suit_the_layout() {
    let check = |sequence_start, gap_max| {
        let terms = Terms {
            lease_ms: LEASE_MS,
            allowed_future_ms: 40,
            sequence_start,
            gap_max,
            ..Terms::default()
        };
        Settings { terms, ..Settings::default() }.check(&layout()).is_ok()
    };
    let random = |max| SequenceStart::Random { max };
    assert!(check(random(3), 3));
    assert!(!check(random(4), 3));
    assert!(!check(random(3), 4));
}

#[test]
fn tokens_differ_in_either_half() {
    let mut authority = authority(3);
    let tokens = [1, 1 << 64 | 1, 1 << 64];
    for (node, bits) in (4..).zip(tokens) {
        assert_eq!(acquire(&mut authority, 1_000, bits), Ok((node, 1_000, 1_100)));
    }
    for (node, bits) in (4..).zip(tokens) {
        assert_eq!(acquire(&mut authority, 1_001, bits), Ok((node, 1_000, 1_100)), "a retry");
    }
}

#[test]
fn the_last_lease_is_cut_at_the_end_of_the_layout() {
    let end = layout().ticks();
    let mut authority = authority(2);
    assert_eq!(acquire(&mut authority, end - 30, 1), Ok((4, end - 30, end)));
    assert_eq!(renew(&mut authority, end - 1, 1, 4, end - 1), Ok(end));
    for now_ms in [end, u64::MAX] {
        assert_eq!(
            acquire(&mut authority, now_ms, 2),
            Err(Refusal::OutsideLayout { now_ms, epoch_ms: 0, end_ms: end })
        );
    }
}

#[test]
fn rows_that_this_shard_cannot_have_written_are_refused() {
    let row = |from_tick, until_tick| Row { from_tick, until_tick, ..Row::default() };
    assert!(load(2, &[(4, row(5, 5)), (5, row(0, layout().ticks()))]).is_ok());
    for (node, row) in
        [(2, row(1, 2)), (6, row(1, 2)), (4, row(2, 1)), (4, row(1, layout().ticks() + 1))]
    {
        assert_eq!(load(2, &[(node, row)]).map(|_| ()), Err(Error::StoredRow { node }));
    }
}

/// During an upgrade two clusters have such sequencers, and one takes over from the other.
#[test]
fn s2_h23_shards_and_sequencers_of_disjoint_nodes_share_a_layout() {
    let mut nodes = Vec::new();
    for first_node in [0, 8] {
        let sequencer = Sequencer::new(BoundConfig::new(layout(), first_node, 8, 2).unwrap());
        for shard in 0..2 {
            let mut authority = Authority::load(shard, Some(sequencer), settings(), []).unwrap();
            // The first node of each is that of batches.
            match ask(&mut authority, 1_000, prefetch(None, 1_000)) {
                Reply::Batched(batch) => nodes.push(batch.node),
                other => panic!("{other:?}"),
            }
            let granted = (0..9).map_while(|bits| acquire(&mut authority, 1_000, bits).ok());
            nodes.extend(granted.map(|(node, ..)| node));
        }
    }
    assert_eq!(nodes, (0..16).collect::<Vec<_>>());
}

#[test]
fn reports_count_once_and_add_up() {
    let mut authority = authority(1);
    let report = |authority: &mut Authority, bits, now_ms, issued| {
        let renew = Renew { issued, ..shell::renew(bits, INCARNATION, 4, now_ms) };
        ask(authority, now_ms, Request::Renew(renew));
        authority.row(4).unwrap().issued
    };
    assert_eq!(acquire(&mut authority, 1_000, 1), Ok((4, 1_000, 1_100)));
    assert_eq!(report(&mut authority, 1, 1_050, Some(70)), 70);
    assert_eq!(report(&mut authority, 1, 1_050, Some(70)), 70);
    // This report is older. The next call reports nothing.
    assert_eq!(report(&mut authority, 1, 1_050, Some(60)), 70);
    assert_eq!(report(&mut authority, 1, 1_050, None), 70);
    assert_eq!(report(&mut authority, 1, 1_060, Some(90)), 90);
    assert_eq!(release(&mut authority, 1, 4, 1_100), Ok(())); // this release reports 1,100
    assert_eq!(acquire(&mut authority, 1_100, 2), Ok((4, 1_100, 1_200)));
    assert_eq!(report(&mut authority, 2, 1_150, Some(5)), 1_105);
    assert_eq!(report(&mut authority, 2, 1_150, Some(u64::MAX)), (1 << 53) - 1);
}

#[test]
fn what_a_shard_issued_stops_where_numbers_are_exact() {
    let row = |issued| Row { issued, ..Row::default() };
    for (issued, sum) in [
        ([1, 2], 3),
        ([Row::ISSUED_MAX - 1, 1], Row::ISSUED_MAX),
        ([Row::ISSUED_MAX, 1], Row::ISSUED_MAX),
        ([u64::MAX, u64::MAX], Row::ISSUED_MAX),
    ] {
        let authority = load(2, &[(4, row(issued[0])), (5, row(issued[1]))]).unwrap();
        let status = authority.status(1_000);
        assert_eq!(status.issued, sum);
        assert_eq!(status.with(&status).issued, Row::ISSUED_MAX.min(sum * 2));
    }
}

#[test]
fn what_a_shard_says_of_its_nodes() {
    let row = |until_tick| Row { until_tick, ..Row::default() };
    // The first is the node of batches. Of the others two have ended, one ends now, and one has
    // not.
    let rows = [(3, row(1_001)), (4, row(999)), (5, row(1_000)), (6, row(1_001)), (7, row(998))];
    let status = load(9, &rows).unwrap().status(1_000);
    assert_eq!(status, Status { nodes: 9, used: 4, held: 1, issued: 0 });
    assert_eq!(status.free(), 8);
    let other = Status { nodes: 5, used: 4, held: 2, issued: 7 };
    assert_eq!(status.with(&other), Status { nodes: 14, used: 8, held: 3, issued: 7 });
}
