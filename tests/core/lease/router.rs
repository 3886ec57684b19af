//! The router: which shards are asked, in which order, which are told what, and which answer
//! counts.

use std::fmt::Write as _;

use edgeflake::lease::{
    Acquire, Action, Authority, BoundConfig, CallFailure, Grant, Life, Refusal, Reply, Request,
    Sequencer, Settings, ShardRouter, Terms, Token,
};
use edgeflake::{Span, preset::EDGE};

use super::shell::{self, Shards, prefetch};

const NOW_MS: u64 = 1_800_000_000_000;

type Answer = Result<Reply, CallFailure>;

fn acquire(incarnation: Option<u64>) -> Request {
    Request::Acquire(Acquire { incarnation, ..shell::acquire(7, NOW_MS) })
}

fn sequencer(shards: u64) -> Sequencer {
    Sequencer::new(BoundConfig::new(EDGE, 0, 64, shards).unwrap())
}

#[expect(clippy::unnecessary_wraps, reason = "an answer as any other")]
fn granted() -> Answer {
    let (config, span) = (sequencer(4).config, Span::new(&EDGE, 1, 5, 6).unwrap());
    Ok(Reply::Granted(Grant::new(Token::from_random(7), 1, config, span, Terms::default())))
}

#[expect(clippy::unnecessary_wraps, reason = "an answer as any other")]
fn refused(refusal: Refusal) -> Answer {
    Ok(Reply::Refused { refusal, incarnation: 1 })
}

fn full(retry_in_ms: u64) -> Answer {
    refused(Refusal::NoNodeFree { retry_in_ms })
}

/// Returns the requests, each as a letter and the shard, and the answer.
fn run(mut router: ShardRouter, mut world: impl FnMut(u64, Request) -> Answer) -> (String, Answer) {
    let mut sent = String::new();
    loop {
        match router.action() {
            Action::Send { shard, request } => {
                let letter = match request {
                    Request::Acquire(_) | Request::Prefetch(_) => 'a',
                    Request::Describe => 'd',
                    Request::Follow(_) => 'f',
                    other => panic!("{other:?}"),
                };
                write!(sent, "{letter}{shard} ").unwrap();
                assert!(sent.len() < 99, "{sent}");
                router.receive(world(shard, request));
            }
            Action::Done(answer) => {
                // Nothing changes it any more.
                router.receive(granted());
                assert_eq!(router.action(), Action::Done(answer));
                return (sent.trim_end().to_owned(), answer);
            }
        }
    }
}

/// Fails unless an acquire from this place sends these requests and has this answer.
fn check(
    (place, shards): (u16, u64),
    (sent, answer): (&str, Answer),
    world: impl FnMut(u64, Request) -> Answer,
) {
    let router = ShardRouter::new(acquire(None), place, shards, 0);
    assert_eq!(run(router, world), (sent.to_owned(), answer), "{place} {shards}");
}

#[test]
fn s39_the_nearest_shard_then_its_neighbours() {
    for (place, shards, order) in [
        (0, 1, "a0"),
        (u16::MAX, 1, "a0"),
        (0, 2, "a0 a1"),
        (0x7fff, 2, "a0 a1"),
        (0x8000, 2, "a1 a0"),
        (u16::MAX, 2, "a1 a0"),
        (0, 4, "a0 a1 a3"),
        (0x3fff, 4, "a0 a1 a3"),
        (0x4000, 4, "a1 a2 a0"),
        (u16::MAX, 4, "a3 a0 a2"),
        (0, 64, "a0 a1 a63"),
        (u16::MAX, 64, "a63 a0 a62"),
        // There are more shards than it was told of.
        (u16::MAX, 0, "a0"),
    ] {
        for answer in [full(5), Err(CallFailure)] {
            check((place, shards), (order, answer), |_, _| answer);
        }
        let first = order.split(' ').next().unwrap();
        check((place, shards), (first, granted()), |_, _| granted());
    }
}

#[test]
fn the_answer_that_is_worth_another_try_soonest() {
    let overloaded = |retry_in_ms| refused(Refusal::Overloaded { retry_in_ms });
    let exhausted = |retry_in_ms| refused(Refusal::BatchesExhausted { retry_in_ms });
    let best = |answers: [Answer; 3]| {
        let mut next = answers.iter();
        run(ShardRouter::new(acquire(None), 0, 4, 0), |_, _| *next.next().expect("a fourth shard"))
            .1
    };
    assert_eq!(best([full(9), full(7), full(8)]), full(7));
    assert_eq!(best([full(9), overloaded(7), full(8)]), overloaded(7));
    assert_eq!(best([exhausted(1), exhausted(2), exhausted(3)]), exhausted(1));
    // A silent shard does not count.
    assert_eq!(best([full(9), Err(CallFailure), Err(CallFailure)]), full(9));
    assert_eq!(best([Err(CallFailure), Err(CallFailure), full(u64::MAX)]), full(u64::MAX));
    assert_eq!(best([Err(CallFailure); 3]), Err(CallFailure));
    // A shard that cannot read its storage does not count either. If none can, no retry helps.
    let unreadable = refused(Refusal::Unreadable);
    assert_eq!(best([full(9), unreadable, unreadable]), full(9));
    assert_eq!(best([unreadable, unreadable, Err(CallFailure)]), Err(CallFailure));
    assert_eq!(best([unreadable; 3]), unreadable);
    // No shard is asked after one that grants something.
    assert_eq!(best([full(1), granted(), full(0)]), granted());
}

#[test]
fn what_another_shard_would_refuse_too_is_final() {
    let disagreement =
        Refusal::ClockDisagreement { authority_ms: 1, holder_ms: 99_999, max_ms: 10_000 };
    let outside = Refusal::OutsideLayout { now_ms: 1, epoch_ms: 2, end_ms: 3 };
    // A request for an old incarnation is told of the new one.
    let other = Refusal::OtherIncarnation { found: 1 };
    for refusal in [disagreement, outside, other, Refusal::InvalidConfiguration] {
        let router = ShardRouter::new(acquire(Some(1)), 0x4000, 4, 0);
        assert_eq!(run(router, |_, _| refused(refusal)), ("a1".to_owned(), refused(refusal)));
    }
}

/// One example is a shard whose variables name a layout that has not begun.
#[test]
fn what_the_registry_refuses_for_good_is_final() {
    let outside = refused(Refusal::OutsideLayout { now_ms: 1, epoch_ms: 2, end_ms: 3 });
    let unknown = refused(Refusal::UnknownSequencer);
    check((0x4000, 4), ("a1 d0", outside), |shard, _| if shard == 0 { outside } else { unknown });
}

#[test]
fn a_shard_that_is_behind_is_told_once() {
    let described = |sequencer| Ok(Reply::Described(Some(sequencer)));
    let second = Sequencer { incarnation: 2, ..sequencer(4) };
    for (incarnation, refusal) in [
        (None, Refusal::UnknownSequencer),
        (None, Refusal::SequencerDestroyed),
        (Some(2), Refusal::OtherIncarnation { found: 2 }),
    ] {
        let router = || ShardRouter::new(acquire(incarnation), 0x4000, 4, 0);
        // The shard follows, and answers.
        let mut told = None;
        let (sent, answer) = run(router(), |_, request| match request {
            Request::Describe => described(second),
            Request::Follow(sequencer) => {
                told = Some(sequencer);
                described(sequencer)
            }
            _ if told.is_some() => granted(),
            _ => refused(refusal),
        });
        assert_eq!((sent.as_str(), answer, told), ("a1 d0 f1 a1", granted(), Some(second)));
        // The shard says the same again, so its answer counts.
        let (sent, answer) = run(router(), |_, request| match request {
            Request::Describe | Request::Follow(_) => described(second),
            _ => refused(refusal),
        });
        assert_eq!((sent.as_str(), answer), ("a1 d0 f1 a1", refused(refusal)));
        // The shard is full after all: its neighbours are asked, and told.
        let mut told = [false; 4];
        let (sent, answer) = run(router(), |shard, request| match request {
            Request::Describe => described(second),
            Request::Follow(_) => {
                told[usize::try_from(shard).unwrap()] = true;
                described(second)
            }
            _ if shard == 0 || told[usize::try_from(shard).unwrap()] => full(5),
            _ => refused(refusal),
        });
        assert_eq!((sent.as_str(), answer), ("a1 d0 f1 a1 a2 d0 f2 a2 a0", full(5)));
    }
}

#[test]
fn a_neighbour_may_know_the_sequencer_whose_registry_is_unreadable() {
    check((0x4000, 4), ("a1 d0 a2", granted()), |shard, _| match shard {
        0 => refused(Refusal::Unreadable),
        1 => refused(Refusal::UnknownSequencer),
        _ => granted(),
    });
}

#[test]
fn what_the_registry_says_is_final() {
    for refusal in [Refusal::UnknownSequencer, Refusal::SequencerDestroyed] {
        check((0, 4), ("a0", refused(refusal)), |_, _| refused(refusal));
    }
    let ended = |life| Some(Sequencer { incarnation: 5, life, ..sequencer(4) });
    for (described, refusal, incarnation) in [
        (None, Refusal::UnknownSequencer, 0),
        (ended(Life::Destroying { confirmed: 1, until_tick: 9 }), Refusal::SequencerDestroyed, 5),
        (ended(Life::Destroyed { until_tick: 9 }), Refusal::SequencerDestroyed, 5),
    ] {
        let answer = Ok(Reply::Refused { refusal, incarnation });
        check((u16::MAX, 4), ("a3 d0", answer), |_, request| match request {
            Request::Describe => Ok(Reply::Described(described)),
            _ => refused(Refusal::UnknownSequencer),
        });
    }
}

#[test]
fn a_shard_that_there_is_not_is_not_told() {
    // The router expects more shards than there are, fewer, or as many.
    for (place, believed, shards, order) in [
        (u16::MAX, 64, 4, "a63 d0 a3"),
        (0x8000, 64, 2, "a32 d0 a1"),
        (0x8000, 4, 1, "a2 d0 a0"),
        (0x1000, 64, 4, "a4 d0 a0"),
        (0x0fff, 64, 4, "a3"),
        (u16::MAX, 2, 4, "a1"),
        (u16::MAX, 4, 4, "a3"),
    ] {
        check((place, believed), (order, granted()), |shard, request| match request {
            Request::Describe => Ok(Reply::Described(Some(sequencer(shards)))),
            Request::Follow(_) => panic!("shard {shard} of {shards} is told"),
            _ if shard < shards => granted(),
            _ => refused(Refusal::UnknownSequencer),
        });
    }
}

/// At most three shards are asked, even if none of them can be told.
#[test]
fn an_unreachable_registry_does_not_stop_the_search() {
    let unknown = refused(Refusal::UnknownSequencer);
    check((0x4000, 4), ("a1 d0 a2", granted()), |shard, request| match (shard, request) {
        (2, Request::Acquire(_)) => granted(),
        (_, Request::Acquire(_)) => unknown,
        _ => Err(CallFailure),
    });
    let sent = "a32 d0 a33 d0 a31 d0";
    check((0x8000, 64), (sent, Err(CallFailure)), |_, request| match request {
        Request::Acquire(_) => unknown,
        _ => Err(CallFailure),
    });
    // A shard that does not follow is not asked again.
    check((0x4000, 4), ("a1 d0 f1 a2 d0 f2 a0", unknown), |_, request| match request {
        Request::Describe => Ok(Reply::Described(Some(sequencer(4)))),
        Request::Follow(_) => refused(Refusal::SequencerDestroyed),
        _ => unknown,
    });
}

/// The authorities are real, and the nearest shard with a batch answers.
#[test]
fn batches_come_from_a_neighbour_when_the_nearest_has_none() {
    let terms = Terms { allowed_future_ms: 0, ..Terms::default() };
    let settings = Settings { terms, ..Settings::default() };
    let load = |shard| Authority::load(shard, Some(sequencer(4)), settings, []).unwrap();
    let mut shards = Shards((0..4).map(load).collect());
    let mut nodes = Vec::new();
    for _ in 0..4 {
        let router = ShardRouter::new(prefetch(Some(4), NOW_MS), 0x4000, 4, 0);
        let (_, answer) = run(router, |shard, request| Ok(shards.ask(shard, NOW_MS, request)));
        nodes.push(match answer {
            Ok(Reply::Batched(batch)) => Some(batch.node),
            Ok(Reply::Refused { refusal: Refusal::BatchesExhausted { .. }, .. }) => None,
            other => panic!("{other:?}"),
        });
    }
    // Each has one tick of 4 ids. The fourth shard is not asked.
    assert_eq!(nodes, [Some(16), Some(32), Some(0), None]);
}

/// A silent shard may mean a silent region, so each try begins a quarter of the circle further.
#[test]
fn a_retry_begins_elsewhere() {
    for (shards, tries, expected) in [
        (1, 0, &[0][..]),
        (1, u64::MAX, &[0]),
        (2, 0, &[1, 0]),
        (2, 1, &[0, 1]),
        (2, 2, &[1, 0]),
        (4, 0, &[2, 3, 1]),
        (4, 1, &[3, 0, 2]),
        (4, 2, &[0, 1, 3]),
        (4, 3, &[1, 2, 0]),
        (4, 4, &[2, 3, 1]),
        (64, 0, &[32, 33, 31]),
        (64, 1, &[48, 49, 47]),
        (64, u64::MAX, &[16, 17, 15]),
    ] {
        let mut router = ShardRouter::new(acquire(None), 0x8000, shards, tries);
        let mut found = Vec::new();
        while let Action::Send { shard, .. } = router.action() {
            found.push(shard);
            router.receive(Err(CallFailure));
        }
        assert_eq!(found, expected, "{shards} shards, {tries} tries");
    }
}
