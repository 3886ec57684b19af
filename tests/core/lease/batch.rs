//! Batches: consecutive counter intervals of the first node of a shard.

use edgeflake::Layout;
use edgeflake::lease::{
    Authority, Batch, BoundConfig, Counter, Drain, Error, Refusal, Renew, Reply, Request, Row,
    Sequencer, Settings, Terms, Token,
};

use super::shell::{self, ask, prefetch};

/// The node of batches. The node after it is granted.
const NODE: u64 = 3;
const NODES: u64 = 2;

/// Its ticks of 1 ms start at 0, so that a tick is a time. It has 4 ids per tick.
fn layout() -> Layout {
    "timestamp:20 node:4 sequence:2 @0".parse().unwrap()
}

fn sequencer(layout: Layout) -> Sequencer {
    Sequencer::new(BoundConfig::new(layout, NODE, NODES, 1).unwrap())
}

fn load(allowed_future_ms: u64, rows: &[(u64, Row)]) -> Authority {
    let terms = Terms { allowed_future_ms, ..Terms::default() };
    let settings = Settings { terms, ..Settings::default() };
    Authority::load(0, Some(sequencer(layout())), settings, rows.iter().copied()).unwrap()
}

const fn at(tick: u64, sequence: u64) -> Counter {
    Counter { tick, sequence }
}

fn batch(authority: &mut Authority, now_ms: u64, count: Option<u64>) -> Result<Batch, Refusal> {
    match ask(authority, now_ms, prefetch(count, now_ms)) {
        Reply::Batched(batch) => Ok(batch),
        Reply::Refused { refusal, .. } => Err(refusal),
        other => panic!("{other:?}"),
    }
}

/// Returns the first counter and the end of a batch.
fn interval(
    authority: &mut Authority,
    now_ms: u64,
    count: u64,
) -> Result<(Counter, Counter), Refusal> {
    batch(authority, now_ms, Some(count)).map(|batch| {
        assert_eq!(batch.node, NODE);
        (batch.from, batch.until)
    })
}

#[test]
fn h17_a_batch_carries_all_that_a_holder_needs() {
    let mut authority = load(15_000, &[]);
    let batch = batch(&mut authority, 1_000, None).unwrap();
    assert_eq!(batch.incarnation, 1);
    assert_eq!(batch.config, sequencer(layout()).config);
    assert_eq!(batch.terms, Terms { allowed_future_ms: 15_000, ..Terms::default() });
    // The batch has as many ids as the settings say.
    assert_eq!((batch.node, batch.from, batch.until), (NODE, at(1_000, 0), at(1_025, 0)));
}

#[test]
fn q18_batches_follow_each_other_without_a_hole() {
    let mut authority = load(15_000, &[]);
    assert_eq!(interval(&mut authority, 1_000, 1), Ok((at(1_000, 0), at(1_000, 1))));
    assert_eq!(interval(&mut authority, 1_000, 2), Ok((at(1_000, 1), at(1_000, 3))));
    assert_eq!(interval(&mut authority, 1_000, 1), Ok((at(1_000, 3), at(1_001, 0))));
    assert_eq!(interval(&mut authority, 1_000, 6), Ok((at(1_001, 0), at(1_002, 2))));
    // One clock has not reached the next counter, one has just reached it, and one is past it.
    assert_eq!(interval(&mut authority, 1_002, 1), Ok((at(1_002, 2), at(1_002, 3))));
    assert_eq!(interval(&mut authority, 1_003, 1), Ok((at(1_003, 0), at(1_003, 1))));
    assert_eq!(interval(&mut authority, 2_000, 1), Ok((at(2_000, 0), at(2_000, 1))));
    // This clock went back.
    assert_eq!(interval(&mut authority, 1_000, 5), Ok((at(2_000, 1), at(2_001, 2))));
}

#[test]
fn h17_a_batch_has_one_id_to_a_hundred_thousand() {
    for (asked, given) in
        [(0, 1), (1, 1), (100_000, 100_000), (100_001, 100_000), (u64::MAX, 100_000)]
    {
        let mut authority = load(100_000, &[]);
        let (from, until) = interval(&mut authority, 1_000, asked).unwrap();
        assert_eq!((until.tick - from.tick) * 4 + until.sequence, given, "{asked}");
    }
}

#[test]
fn no_batch_lies_further_ahead_than_ids_may() {
    for (allowed_future_ms, last_tick) in [(0, 1_000), (1, 1_001), (15_000, 16_000)] {
        let mut authority = load(allowed_future_ms, &[]);
        let all = (last_tick - 1_000 + 1) * 4;
        assert_eq!(
            interval(&mut authority, 1_000, all - 1),
            Ok((at(1_000, 0), at(last_tick, 3))),
            "{allowed_future_ms}"
        );
        // The batch has what there is, even if that is less than was asked for.
        assert_eq!(
            interval(&mut authority, 1_000, 50),
            Ok((at(last_tick, 3), at(last_tick + 1, 0)))
        );
        let refused = |retry_in_ms| Err(Refusal::BatchesExhausted { retry_in_ms });
        assert_eq!(interval(&mut authority, 1_000, 1), refused(1));
        assert_eq!(interval(&mut authority, 990, 1), refused(11));
        let next = (at(last_tick + 1, 0), at(last_tick + 2, 0));
        assert_eq!(interval(&mut authority, 1_001, 50), Ok(next));
    }
}

/// When a tick is longer than the allowed future, a batch gets only the current tick.
#[test]
fn a_long_tick_is_used_to_its_end() {
    let layout = "timestamp:20 node:4 sequence:2 @0 tick=1000ms".parse().unwrap();
    let terms = Terms { allowed_future_ms: 10, ..Terms::default() };
    let settings = Settings { terms, ..Settings::default() };
    let mut authority = Authority::load(0, Some(sequencer(layout)), settings, []).unwrap();
    assert_eq!(interval(&mut authority, 5_400, 9), Ok((at(5, 0), at(6, 0))));
    let refused = |retry_in_ms| Err(Refusal::BatchesExhausted { retry_in_ms });
    assert_eq!(interval(&mut authority, 5_400, 1), refused(590));
    assert_eq!(interval(&mut authority, 5_989, 1), refused(1));
    assert_eq!(interval(&mut authority, 5_990, 1), Ok((at(6, 0), at(6, 1))));
}

#[test]
fn the_last_batch_ends_with_the_layout() {
    let end = layout().ticks();
    let mut authority = load(15_000, &[]);
    assert_eq!(interval(&mut authority, end - 1, 3), Ok((at(end - 1, 0), at(end - 1, 3))));
    assert_eq!(interval(&mut authority, end - 1, 9), Ok((at(end - 1, 3), at(end, 0))));
    assert!(matches!(interval(&mut authority, end - 1, 1), Err(Refusal::BatchesExhausted { .. })));
    for now_ms in [end, u64::MAX] {
        assert_eq!(
            interval(&mut authority, now_ms, 1),
            Err(Refusal::OutsideLayout { now_ms, epoch_ms: 0, end_ms: end })
        );
    }
    // The stored row can be loaded.
    let row = authority.row(NODE).unwrap();
    assert_eq!((row.until_tick, row.until_sequence), (end, 0));
    load(15_000, &[(NODE, row)]);
}

/// When timestamp and sequence fill 64 bits, the last two counters are never issued.
#[test]
fn the_last_batch_of_64_bits() {
    let layout: Layout = "timestamp:52 sequence:12 @0".parse().unwrap();
    let sequencer = Sequencer::new(BoundConfig::new(layout, 0, 1, 1).unwrap());
    let mut authority = Authority::load(0, Some(sequencer), Settings::default(), []).unwrap();
    let last = layout.ticks() - 1;
    let asked = prefetch(Some(9_999), last);
    let Reply::Batched(batch) = ask(&mut authority, last, asked) else { panic!("no batch") };
    assert_eq!((batch.from, batch.until), (at(last, 0), at(last, 4_094)));
    assert_eq!(Drain::new(&layout, 0, batch.from, batch.until).unwrap().last(), Some(u64::MAX - 2));
    let Reply::Refused { refusal, .. } = ask(&mut authority, last, asked) else { panic!("again") };
    assert!(matches!(refusal, Refusal::BatchesExhausted { .. }));
    let Reply::Described(Some(_)) = ask(&mut authority, last, Request::Destroy) else {
        panic!("not destroyed")
    };
}

#[test]
fn clocks_that_disagree_are_refused() {
    let authority = load(15_000, &[]);
    for (holder_ms, refused) in [(9_999, true), (10_000, false), (30_000, false), (30_001, true)] {
        let decision = authority.decide(20_000, &prefetch(None, holder_ms));
        let refusal =
            Refusal::ClockDisagreement { authority_ms: 20_000, holder_ms, max_ms: 10_000 };
        let expected = Reply::Refused { refusal, incarnation: 1 };
        assert_eq!(decision.reply == expected, refused, "{holder_ms}");
        assert_eq!(decision.write.is_none(), refused, "{holder_ms}");
    }
}

fn acquire(bits: u128, now_ms: u64) -> Request {
    Request::Acquire(shell::acquire(bits, now_ms))
}

#[test]
fn the_node_of_batches_is_never_granted() {
    let mut authority = load(15_000, &[]);
    let granted = |authority: &mut Authority, bits, now_ms| match ask(
        authority,
        now_ms,
        acquire(bits, now_ms),
    ) {
        Reply::Granted(grant) => Some(grant.span.node()),
        _ => None,
    };
    assert_eq!(granted(&mut authority, 1, 1_000), Some(NODE + 1));
    assert_eq!(granted(&mut authority, 2, 1_000), None);
    batch(&mut authority, 1_000, None).unwrap();
    assert_eq!(granted(&mut authority, 2, 1_000), None);
    // This is long after everything has ended.
    assert_eq!(granted(&mut authority, 2, 900_000), Some(NODE + 1));
    assert_eq!(granted(&mut authority, 3, 900_000), None);
}

/// Before there were batches, the first node was granted as the others were.
#[test]
fn batches_start_where_a_span_of_the_first_node_has_ended() {
    let token = Token::from_random(7);
    let held = Row { from_tick: 500, until_tick: 1_500, token: Some(token), ..Row::default() };
    let renew = |now_ms| {
        Request::Renew(Renew { issued: Some(u64::MAX), ..shell::renew(7, 1, NODE, now_ms) })
    };
    let release = |until_tick| Request::Release(shell::release(7, 1, NODE, until_tick));
    let from = |rows: &[(u64, Row)], requests: &[Request], now_ms| {
        let mut authority = load(15_000, rows);
        for request in requests {
            ask(&mut authority, 1_000, *request);
        }
        let from = interval(&mut authority, now_ms, 1).unwrap().0;
        // Once there is a batch, the token is void.
        let row = authority.row(NODE);
        for late in [renew(1_000), release(1_200)] {
            assert!(matches!(ask(&mut authority, 1_000, late), Reply::Ended { .. }));
        }
        assert_eq!(authority.row(NODE), row);
        // Reports count up to the largest exact JavaScript number.
        assert!(row.unwrap().issued <= Row::ISSUED_MAX);
        from
    };
    assert_eq!(from(&[], &[], 1_000), at(1_000, 0));
    assert_eq!(from(&[(NODE, held)], &[], 1_000), at(1_500, 0));
    assert_eq!(from(&[(NODE, held)], &[renew(1_000)], 290_000), at(301_000, 0));
    assert_eq!(from(&[(NODE, held)], &[release(1_200)], 1_000), at(1_200, 0));
    assert_eq!(from(&[(NODE, held)], &[release(700)], 1_000), at(1_000, 0));
    // A late retry of the acquire gets the span that it was granted, and no batch.
    let mut authority = load(15_000, &[(NODE, held)]);
    let Reply::Granted(grant) = ask(&mut authority, 900, acquire(7, 900)) else {
        panic!("unknown")
    };
    assert_eq!((grant.span.node(), grant.span.until_tick()), (NODE, 1_500));
    batch(&mut authority, 1_000, None).unwrap();
    let Reply::Granted(grant) = ask(&mut authority, 900, acquire(7, 900)) else { panic!("none") };
    assert_eq!((grant.span.node(), grant.span.from_tick()), (NODE + 1, 900));
}

/// A batch counts as issued when it is handed out.
#[test]
fn what_was_handed_out_is_counted() {
    let mut authority = load(1, &[]);
    for (now_ms, count, issued) in [(1_000, 5, 5), (1_000, 9, 8), (1_000, 9, 8), (1_002, 1, 9)] {
        let _ = batch(&mut authority, now_ms, Some(count));
        let row = authority.row(NODE).unwrap();
        assert_eq!((row.issued, row.issued_of_span, row.token), (issued, 0, None));
        assert_eq!(authority.status(now_ms).issued, issued);
        // The node is not one of those to grant.
        assert_eq!((authority.status(now_ms).used, authority.status(now_ms).free()), (0, 1));
    }
}

/// A sequencer of one node per shard only has batches, and no request waits long in vain for one.
#[test]
fn where_there_is_no_node_to_grant() {
    let sequencer = Sequencer::new(BoundConfig::new(layout(), 0, 1, 1).unwrap());
    let mut authority = Authority::load(0, Some(sequencer), Settings::default(), []).unwrap();
    let Reply::Refused { refusal, .. } = ask(&mut authority, 1_000, acquire(1, 1_000)) else {
        panic!("granted");
    };
    assert_eq!(refusal, Refusal::NoNodeFree { retry_in_ms: 300_000 });
    let reply = ask(&mut authority, 1_000, prefetch(None, 1_000));
    assert!(matches!(reply, Reply::Batched(_)));
}

#[test]
fn rows_of_batches_are_loaded() {
    let row = |until_tick, until_sequence| Row { until_tick, until_sequence, ..Row::default() };
    let load = |node, row| {
        let settings = Settings::default();
        Authority::load(0, Some(sequencer(layout())), settings, [(node, row)]).map(|_| ())
    };
    let end = layout().ticks();
    assert_eq!(load(NODE, row(1_000, 3)), Ok(()));
    assert_eq!(load(NODE, row(end, 0)), Ok(()));
    for (node, row) in [
        (NODE, row(1_000, 4)),
        (NODE, row(end, 1)),
        // A granted node may or may not have used a tick.
        (NODE + 1, row(1_000, 1)),
    ] {
        assert_eq!(load(node, row), Err(Error::StoredRow { node }));
    }
}
