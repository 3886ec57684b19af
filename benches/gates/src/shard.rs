//! Simulates a shard that has been in use for a long time, and the requests of its holders.

use std::hint::black_box;

use edgeflake::lease::{
    Acquire, Authority, BoundConfig, Grant, Release, Renew, Reply, Request, Row, Sequencer,
    Settings, Token,
};
use edgeflake::preset::HAZELCAST;

pub(crate) const NOW_MS: u64 = 1_790_000_000_000;
const LEASE_MS: u64 = 300_000;

/// Draws random numbers for spans and tokens. The numbers are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

/// An authority without storage.
pub(crate) struct Shard {
    authority: Authority,
    nodes: u64,
    random: Random,
}

impl Shard {
    /// Makes a shard whose nodes were all used: one in eight is free, and the others are held.
    pub(crate) fn new(nodes: u64) -> Self {
        let mut random = Random(1);
        let now = HAZELCAST.tick(NOW_MS).expect("after the epoch");
        let rows = (1..nodes).map(|node| {
            let is_held = node % 8 > 0;
            let from_tick = now - random.below(LEASE_MS);
            let until_tick = from_tick + LEASE_MS * u64::from(is_held);
            let token = is_held.then(|| token(node));
            (node, Row { from_tick, until_tick, token, ..Row::default() })
        });
        let rows: Vec<_> = rows.collect();
        let settings =
            Settings { operations_per_second_max: u64::from(u32::MAX), ..Settings::default() };
        let config = BoundConfig::new(HAZELCAST, 0, nodes, 1).expect("nodes of the layout");
        let authority = Authority::load(0, Some(Sequencer::new(config)), settings, rows);
        Self { authority: authority.expect("rows of the shard"), nodes, random }
    }

    pub(crate) fn answer(&mut self, request: Request) -> Reply {
        let Ok(reply) = self.authority.answer(NOW_MS, &request, |write| {
            black_box(write);
            Ok::<(), ()>(())
        }) else {
            unreachable!("this write never fails")
        };
        reply
    }

    pub(crate) fn renew(&mut self) {
        let node = self.random.below(self.nodes / 8) * 8 + 1;
        let tick = HAZELCAST.tick(NOW_MS).expect("after the epoch");
        let (token, incarnation, issued) = (token(node), 1, None);
        let renew = Renew { token, incarnation, node, tick, issued, now_ms: NOW_MS };
        assert!(matches!(self.answer(Request::Renew(renew)), Reply::Renewed(_)));
    }

    /// Grants the node that has been free for the longest time.
    pub(crate) fn acquire(&mut self) -> Grant {
        let token = Token::from_random(u128::from(self.random.next()) << u64::BITS);
        let (incarnation, excluded_node, now_ms) = (None, None, NOW_MS);
        let acquire = Acquire { token, incarnation, excluded_node, now_ms };
        let reply = self.answer(Request::Acquire(acquire));
        let Reply::Granted(grant) = reply else { panic!("no node was granted: {reply:?}") };
        grant
    }

    pub(crate) fn release(&mut self, grant: &Grant) {
        let Grant { token, incarnation, span, .. } = *grant;
        let (node, until_tick) = (span.node(), span.from_tick());
        let release = Release { token, incarnation, node, until_tick, issued: None };
        assert!(matches!(self.answer(Request::Release(release)), Reply::Released { .. }));
    }
}

fn token(node: u64) -> Token {
    Token::from_random(u128::from(Random(node).next()) << 64 | u128::from(node))
}
