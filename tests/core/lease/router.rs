//! Tests which shards the router asks and in which order, what it tells them, and which answer
//! counts.
//!
//! `route 16384 4` routes an acquire from this place of the circle to one of four shards. Each
//! answer is followed by the next request or the outcome: `a1` asks shard 1, `d0` asks the registry
//! to describe the sequencer, and `f2` tells shard 2 to follow. `lost` means that no answer comes,
//! and `search` loses all answers.

use std::fmt::Write as _;

use edgeflake::lease::{
    Acquire, Action, BoundConfig, CallFailure, Grant, Life, Reply, Request, Sequencer, ShardRouter,
    Terms, Token,
};
use edgeflake::{Span, preset::EDGE};

use super::{acquire, prefetch};
use crate::transcript::{Player, Words, transcripts};

const NOW_MS: u64 = 1_800_000_000_000;

fn sequencer(shards: u64) -> Sequencer {
    Sequencer::new(BoundConfig::new(EDGE, 0, 64, shards).unwrap())
}

/// One request on its way.
struct Route(ShardRouter);

impl Default for Route {
    fn default() -> Self {
        Self(ShardRouter::new(prefetch(None, NOW_MS), 0, 1, 0))
    }
}

impl Player for Route {
    fn play(&mut self, words: &Words) -> String {
        let incarnation = words.option("i");
        let reply = match words.get(0).unwrap() {
            "route" | "search" => {
                let place = words.number(1).try_into().unwrap();
                let (shards, tries) = (words.number(2), words.option("tries").unwrap_or_default());
                let request = Request::Acquire(Acquire { incarnation, ..acquire(7, NOW_MS) });
                self.0 = ShardRouter::new(request, place, shards, tries);
                let mut asked = String::new();
                while words.get(0) == Some("search")
                    && let Action::Send { shard, .. } = self.0.action()
                {
                    write!(asked, "{shard} ").unwrap();
                    self.0.receive(Err(CallFailure));
                }
                return if asked.is_empty() { self.action() } else { asked + &self.action() };
            }
            "granted" => {
                let (config, span) = (sequencer(4).config, Span::new(&EDGE, 1, 5, 6).unwrap());
                let token = Token::from_random(7);
                Ok(Reply::Granted(Grant::new(token, 1, config, span, Terms::default())))
            }
            "lost" => Err(CallFailure),
            "none" => Ok(Reply::Described(None)),
            "described" => {
                let sequencer = sequencer(words.option("shards").unwrap_or(4));
                let life = match words.get(1) {
                    Some("destroying") => Life::Destroying { confirmed: 1, until_tick: 9 },
                    Some("ended") => Life::Destroyed { until_tick: 9 },
                    _ => Life::Active,
                };
                let incarnation = incarnation.unwrap_or(1);
                Ok(Reply::Described(Some(Sequencer { incarnation, life, ..sequencer })))
            }
            refusal => {
                let refusal = words.refusal(refusal);
                Ok(Reply::Refused { refusal, incarnation: 1 })
            }
        };
        self.0.receive(reply);
        self.action()
    }
}

impl Route {
    fn action(&mut self) -> String {
        match self.0.action() {
            Action::Send { shard, request } => match request {
                Request::Acquire(_) | Request::Prefetch(_) => format!("a{shard}"),
                Request::Describe => format!("d{shard}"),
                Request::Follow(told) => format!("f{shard} i{}", told.incarnation),
                other => panic!("{other:?}"),
            },
            Action::Done(answer) => {
                // After the answer, nothing changes the router any more.
                self.0.receive(Ok(Reply::Described(None)));
                assert_eq!(self.0.action(), Action::Done(answer));
                match answer {
                    Ok(Reply::Granted(_)) => "granted".to_owned(),
                    Ok(Reply::Refused { refusal, incarnation }) => {
                        let ms = refusal.retry_in_ms().map(|ms| format!(" {ms}"));
                        format!("{}{} i{incarnation}", refusal.code(), ms.unwrap_or_default())
                    }
                    Err(CallFailure) => "silence".to_owned(),
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}

transcripts! { Route:
    #[test]
    fn s39_the_nearest_shard_then_its_neighbours() "
        search 0 1 -> 0 silence; search 65535 1 -> 0 silence; search 0 2 -> 0 1 silence
        search 32767 2 -> 0 1 silence; search 32768 2 -> 1 0 silence; search 65535 2 -> 1 0 silence
        search 0 4 -> 0 1 3 silence; search 16383 4 -> 0 1 3 silence
        search 16384 4 -> 1 2 0 silence; search 65535 4 -> 3 0 2 silence
        search 0 64 -> 0 1 63 silence; search 65535 64 -> 63 0 62 silence
        // If the router is told of 0 shards, it asks shard 0.
        search 65535 0 -> 0 silence
        // A granted span ends the search.
        route 16384 4 -> a1; granted -> granted
        route 16384 4 -> a1; full ms=5 -> a2; granted -> granted
    "

    /// A silent shard may mean a silent region, so each try begins a quarter of the circle further.
    #[test]
    fn a_retry_begins_elsewhere() "
        search 32768 1 tries=18446744073709551615 -> 0 silence
        search 32768 2 tries=1 -> 0 1 silence; search 32768 2 tries=2 -> 1 0 silence
        search 32768 4 -> 2 3 1 silence; search 32768 4 tries=1 -> 3 0 2 silence
        search 32768 4 tries=2 -> 0 1 3 silence; search 32768 4 tries=3 -> 1 2 0 silence
        search 32768 4 tries=4 -> 2 3 1 silence; search 32768 64 -> 32 33 31 silence
        search 32768 64 tries=1 -> 48 49 47 silence
        search 32768 64 tries=18446744073709551615 -> 16 17 15 silence
    "

    #[test]
    fn the_answer_that_is_worth_another_try_soonest() "
        route 0 4 -> a0; full ms=9 -> a1; full ms=7 -> a3; full ms=8 -> no-node-free 7 i1
        route 0 4 -> a0; full ms=9 -> a1; overloaded ms=7 -> a3; full ms=8 -> overloaded 7 i1
        route 0 4 -> a0; exhausted ms=1 -> a1; exhausted ms=2 -> a3
        exhausted ms=3 -> batches-exhausted 1 i1
        // A silent shard does not count.
        route 0 4 -> a0; full ms=9 -> a1; lost -> a3; lost -> no-node-free 9 i1
        route 0 4 -> a0; lost -> a1; lost -> a3
        full ms=18446744073709551615 -> no-node-free 18446744073709551615 i1
        // An answer of a shard that cannot read its storage does not count either. If no shard can,
        // a retry does not help.
        route 0 4 -> a0; full ms=9 -> a1; unreadable -> a3; unreadable -> no-node-free 9 i1
        route 0 4 -> a0; unreadable -> a1; unreadable -> a3; lost -> silence
        route 0 4 -> a0; unreadable -> a1; unreadable -> a3; unreadable -> authority-unreadable i1
    "

    #[test]
    fn what_another_shard_would_refuse_too_is_final() "
        route 16384 4 i=1 -> a1; disagreement -> clock-disagreement i1
        route 16384 4 i=1 -> a1; outside ms=1 -> before-epoch i1
        route 16384 4 i=1 -> a1; misconfigured -> invalid-configuration i1
        // The request names an old incarnation, so the shard is not behind.
        route 16384 4 i=1 -> a1; other found=1 -> other-incarnation i1
        // The registry refuses, for example because its variables name a layout that has not begun.
        route 16384 4 -> a1; unknown -> d0; outside ms=1 -> before-epoch i1
    "

    #[test]
    fn a_shard_that_is_behind_is_told_once() "
        // The shard follows the registry, and answers.
        route 16384 4 -> a1; unknown -> d0; described i=2 -> f1 i2; described i=2 -> a1
        granted -> granted
        route 16384 4 -> a1; destroyed -> d0; described i=2 -> f1 i2; described i=2 -> a1
        granted -> granted
        route 16384 4 i=2 -> a1; other found=2 -> d0; described i=2 -> f1 i2; described i=2 -> a1
        granted -> granted
        // The shard still says the same, so its answer counts.
        route 16384 4 -> a1; unknown -> d0; described i=2 -> f1 i2; described i=2 -> a1
        unknown -> unknown-sequencer i1
        // The shard has no free node, so its neighbours are asked and told.
        route 16384 4 -> a1; unknown -> d0; described i=2 -> f1 i2; described i=2 -> a1
        full ms=5 -> a2; unknown -> d0; described i=2 -> f2 i2; described i=2 -> a2; full ms=5 -> a0
        full ms=5 -> no-node-free 5 i1
    "

    #[test]
    fn what_the_registry_says_is_final() "
        route 0 4 -> a0; unknown -> unknown-sequencer i1
        route 0 4 -> a0; destroyed -> sequencer-destroyed i1
        route 65535 4 -> a3; unknown -> d0; none -> unknown-sequencer i0
        route 65535 4 -> a3; unknown -> d0; described destroying i=5 -> sequencer-destroyed i5
        route 65535 4 -> a3; unknown -> d0; described ended i=5 -> sequencer-destroyed i5
        // If the registry cannot be read, a neighbour may still know the sequencer.
        route 16384 4 -> a1; unknown -> d0; unreadable -> a2; granted -> granted
    "

    /// Here the router expects more shards than there are or, in the last case, fewer.
    #[test]
    fn a_shard_that_there_is_not_is_not_told() "
        route 65535 64 -> a63; unknown -> d0; described -> a3; granted -> granted
        route 32768 64 -> a32; unknown -> d0; described shards=2 -> a1; granted -> granted
        route 32768 4 -> a2; unknown -> d0; described shards=1 -> a0; granted -> granted
        route 4096 64 -> a4; unknown -> d0; described -> a0; granted -> granted
        route 4095 64 -> a3; granted -> granted
        route 65535 2 -> a1; granted -> granted
    "

    /// At most three shards are asked, even if none of them can be told what the registry says.
    #[test]
    fn an_unreachable_registry_does_not_stop_the_search() "
        route 16384 4 -> a1; unknown -> d0; lost -> a2; granted -> granted
        route 32768 64 -> a32; unknown -> d0; lost -> a33; unknown -> d0; lost -> a31; unknown -> d0
        lost -> silence
        // A shard that does not follow is not asked again.
        route 16384 4 -> a1; unknown -> d0; described -> f1 i1; destroyed -> a2; unknown -> d0
        described -> f2 i1; destroyed -> a0; unknown -> unknown-sequencer i1
    "
}
