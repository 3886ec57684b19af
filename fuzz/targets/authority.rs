//! Whatever rows are stored and whatever is asked: nothing panics, the spans of a node never
//! overlap, and an authority can always be loaded from what it had stored.
#![no_main]

use std::collections::BTreeMap;

use arbitrary::Arbitrary;
use edgeflake::{
    Acquire, Authority, Error, Identity, Layout, Prefetch, Release, Renew, Reply, Request, Row,
    Sequencer, Terms, Token, Tunables, Write,
};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input {
    rows: Vec<(u8, u16, u16, u8, Option<u8>)>,
    asked: Vec<(u16, Asked)>,
}

#[derive(Arbitrary, Debug)]
enum Asked {
    Acquire { token: u8, excluded_node: Option<u8>, ahead_ms: i16 },
    Renew { token: u8, node: u8, tick: u16, issued: Option<u64> },
    Release { token: u8, node: u8, until_tick: u16, issued: Option<u64> },
    Prefetch { count: Option<u64>, ahead_ms: i16 },
    Destroy,
    Create,
    Reload,
}

fn request(now_ms: u64, asked: &Asked, incarnation: u64, identity: Identity) -> Option<Request> {
    let token = |bits: &u8| Token::from_random(u128::from(*bits));
    Some(match asked {
        Asked::Acquire { token: bits, excluded_node, ahead_ms } => Request::Acquire(Acquire {
            token: token(bits),
            incarnation: None,
            excluded_node: excluded_node.map(u64::from),
            now_ms: now_ms.saturating_add_signed(i64::from(*ahead_ms)),
        }),
        Asked::Renew { token: bits, node, tick, issued } => Request::Renew(Renew {
            token: token(bits),
            incarnation,
            node: u64::from(*node),
            tick: u64::from(*tick),
            issued: *issued,
            now_ms,
        }),
        Asked::Release { token: bits, node, until_tick, issued } => Request::Release(Release {
            token: token(bits),
            incarnation,
            node: u64::from(*node),
            until_tick: u64::from(*until_tick),
            issued: *issued,
        }),
        Asked::Prefetch { count, ahead_ms } => Request::Prefetch(Prefetch {
            incarnation: None,
            count: *count,
            now_ms: now_ms.saturating_add_signed(i64::from(*ahead_ms)),
        }),
        Asked::Destroy => Request::Destroy,
        Asked::Create => Request::Create(identity),
        Asked::Reload => return None,
    })
}

fuzz_target!(|input: Input| {
    let layout: Layout = "timestamp:16 node:4 sequence:2 @0".parse().unwrap();
    let identity = Identity::new(layout, 1, 8, 1).unwrap();
    let terms = Terms { lease_ms: 300, allowed_future_ms: 20, ..Terms::default() };
    let tunables = Tunables { terms, clock_disagreement_max_ms: 100, ..Tunables::default() };
    let rows = input.rows.iter().map(|&(node, from_tick, until_tick, sequence, token)| {
        let row = Row {
            from_tick: u64::from(from_tick),
            until_tick: u64::from(until_tick),
            until_sequence: u64::from(sequence),
            token: token.map(|bits| Token::from_random(u128::from(bits))),
            ..Row::default()
        };
        (u64::from(node), row)
    });
    let mut stored: BTreeMap<u64, Row> = rows.collect();
    let mut sequencer = Some(Sequencer::new(identity));
    let load = |sequencer, stored: &BTreeMap<u64, Row>| {
        Authority::load(0, sequencer, tunables, stored.iter().map(|(node, row)| (*node, *row)))
    };
    let mut authority = match load(sequencer, &stored) {
        Ok(authority) => authority,
        Err(error) => return assert!(matches!(error, Error::StoredRow { .. }), "{error}"),
    };
    for (now_ms, asked) in &input.asked {
        let now_ms = u64::from(*now_ms);
        let incarnation = sequencer.map_or(0, |sequencer| sequencer.incarnation);
        let Some(request) = request(now_ms, asked, incarnation, identity) else {
            authority = load(sequencer, &stored).expect("its own rows");
            continue;
        };
        let decided = authority.decide(now_ms, &request);
        let reply = authority.answer(now_ms, &request, |write| {
            match *write {
                Write::Node { node, before, after, .. } => {
                    let known = stored.insert(node, after);
                    assert_eq!(known, before);
                    let (start, end) = (known.map_or(0, |row| row.until_tick), after.until_tick);
                    match decided.reply {
                        Reply::Granted(_) if before == Some(after) => {}
                        Reply::Granted(grant) => assert!(start <= grant.span.from_tick()),
                        Reply::Released { .. } => assert!(after.from_tick <= end && end <= start),
                        _ => assert!(start <= end, "{before:?} {after:?}"),
                    }
                }
                Write::Sequencer { before, after, .. } => {
                    assert_eq!(sequencer, before);
                    if before.map(|before| before.incarnation) != Some(after.incarnation) {
                        let latest = stored.values().map(|row| row.until_tick).max();
                        assert!(latest.unwrap_or(0) <= after.from_tick);
                        stored.clear();
                    }
                    sequencer = Some(after);
                }
            }
            Ok::<(), Error>(())
        });
        assert!(reply.is_ok());
    }
});
