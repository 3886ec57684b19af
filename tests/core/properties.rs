//! Tests properties that hold for every layout, span, policy and clock.

use std::collections::BTreeSet;

use edgeflake::lease::{
    self, Acquire, Authority, BoundConfig, Confirm, Counter, Drain, Prefetch, Release, Renew,
    Reply, Request, Row, Sequencer, Settings, Shrink, Terms, Token, Write,
};
use edgeflake::{
    Decoder, Error, Field, Generator, Layout, Parts, Policy, Role, SequenceStart, SharedGenerator,
    Span,
};
use proptest::collection::vec;
use proptest::prelude::*;

const EPOCH_MS: u64 = 1_000_000;

/// Draws any layout of a timestamp and up to 8 more fields.
fn layouts() -> impl Strategy<Value = Layout> {
    layouts_with_timestamp_at(0_usize..9)
}

fn layouts_with_timestamp_at(place: impl Strategy<Value = usize>) -> impl Strategy<Value = Layout> {
    let roles =
        prop_oneof![Just(Role::Unused), Just(Role::Node), Just(Role::Sequence), Just(Role::Tag),];
    let fields = vec((roles, 1_u8..12), 0..9);
    (fields, 1_u8..41, place, 1_u64..1_001).prop_filter_map(
        "more than 64 bits",
        |(fields, timestamp_bits, place, tick_ms)| {
            let mut fields: Vec<_> = fields
                .into_iter()
                .enumerate()
                .map(|(i, (role, bits))| Field::new(&format!("f{i}"), role, bits))
                .collect::<Result<_, _>>()
                .ok()?;
            let timestamp = Field::new("timestamp", Role::Timestamp, timestamp_bits).ok()?;
            fields.insert(place.min(fields.len()), timestamp);
            Layout::new(&fields, EPOCH_MS, tick_ms).ok()
        },
    )
}

fn bits(layout: &Layout, role: Role) -> u32 {
    layout.fields().iter().filter(|f| f.role() == role).map(|f| u32::from(f.bits())).sum()
}

/// Cuts `value` to the width of a role's fields.
fn fit(layout: &Layout, role: Role, value: u64) -> u64 {
    value.checked_rem(1_u64.checked_shl(bits(layout, role)).unwrap_or(0)).unwrap_or(value)
}

prop_compose! {
    fn layouts_and_parts(layouts: impl Strategy<Value = Layout>)(
        layout in layouts, tick: u64, node: u64, sequence: u64, tag: u64,
    ) -> (Layout, Parts) {
        let parts = Parts {
            tick: fit(&layout, Role::Timestamp, tick),
            node: fit(&layout, Role::Node, node),
            sequence: fit(&layout, Role::Sequence, sequence),
            tag: fit(&layout, Role::Tag, tag),
        };
        (layout, parts)
    }
}

/// Draws a layout of at least 8 ticks, a span in it, a policy, and times around the span, each with
/// a number of ids to ask for.
fn runs() -> impl Strategy<Value = (Layout, Span, Policy, Vec<(u64, usize)>)> {
    let long = layouts().prop_filter("too few ticks", |layout| layout.ticks() >= 8);
    (long, any::<[u64; 8]>(), vec((any::<u64>(), 1_usize..=30), 1..20), 0_u8..3).prop_map(
        |(layout, draws, times, start)| {
            let [node, from, length, ahead, start_max, gap, tag, seed] = draws;
            let from_tick = from % (layout.ticks() - 1);
            let until_tick = from_tick + 1 + length % 6.min(layout.ticks() - from_tick);
            let until_tick = until_tick.min(layout.ticks());
            let node = fit(&layout, Role::Node, node);
            let span = Span::new(&layout, node, from_tick, until_tick).unwrap();
            let policy = Policy {
                allowed_future_ms: ahead % (4 * layout.tick_ms()),
                sequence_start: match start {
                    0 => SequenceStart::Zero,
                    1 => SequenceStart::Random { max: fit(&layout, Role::Sequence, start_max) },
                    _ => SequenceStart::Rotating,
                },
                gap_max: fit(&layout, Role::Sequence, gap) % 4,
                tag: fit(&layout, Role::Tag, tag),
                seed,
            };
            let first_ms = layout.start_ms(from_tick).saturating_sub(2 * layout.tick_ms());
            let at = |(time, count)| (first_ms + time % (10 * layout.tick_ms()), count);
            let times = times.into_iter().map(at).collect();
            (layout, span, policy, times)
        },
    )
}

/// Draws a number, often one near a bound.
fn numbers() -> impl Strategy<Value = u64> {
    let most = [1 << 20, Row::ISSUED_MAX, u64::MAX];
    prop_oneof![
        0_u64..5,
        (0..most.len(), 0_u64..3).prop_map(move |(of, less)| most[of] - less),
        900_u64..1_100,
        any::<u64>(),
    ]
}

/// Draws a request to an authority. Its token, if it has one, is one of three.
fn requests() -> impl Strategy<Value = Request> {
    (0_u8..10, 0_u128..3, any::<bool>(), [(); 4].map(|()| numbers())).prop_map(
        |(kind, bits, known, [one, two, three, now_ms])| {
            let token = Token::from_random(bits);
            let issued = known.then_some(three);
            let incarnation = 1;
            match kind {
                0..3 => {
                    let excluded_node = known.then_some(one);
                    let incarnation = None;
                    Request::Acquire(Acquire { token, incarnation, excluded_node, now_ms })
                }
                3 => {
                    let (node, tick) = (one % 9, two);
                    Request::Renew(Renew { token, incarnation, node, tick, issued, now_ms })
                }
                4 => {
                    let (node, until_tick) = (one % 9, two);
                    Request::Release(Release { token, incarnation, node, until_tick, issued })
                }
                5..7 => {
                    let (incarnation, count) = (None, issued);
                    Request::Prefetch(Prefetch { incarnation, count, now_ms })
                }
                7 => Request::Destroy,
                8 => Request::Shrink(Shrink { incarnation, node_count: one }),
                _ => Request::Confirm(Confirm { incarnation, shard: one, until_tick: two }),
            }
        },
    )
}

/// Draws any row of a node, even one that no shard can have written.
fn rows() -> impl Strategy<Value = (u64, Row)> {
    (0_u64..9, any::<Option<u8>>(), [(); 5].map(|()| numbers())).prop_map(
        |(node, bits, [from_tick, until_tick, until_sequence, issued, issued_of_span])| {
            let token = bits.map(|bits| Token::from_random(u128::from(bits % 3)));
            let until_sequence = until_sequence % 5;
            let issued = issued.min(Row::ISSUED_MAX);
            (node, Row { from_tick, until_tick, until_sequence, token, issued, issued_of_span })
        },
    )
}

/// The number of cases of each property.
const CASES: u32 = if cfg!(miri) { 8 } else { 1_024 };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    /// The largest value of each part is packed, and a value one larger is refused.
    #[test]
    fn pack_and_unpack((layout, parts) in layouts_and_parts(layouts())) {
        let max = |role| u64::try_from((1_u128 << bits(&layout, role)) - 1).unwrap();
        let [tick, node, sequence, tag] =
            [Role::Timestamp, Role::Node, Role::Sequence, Role::Tag].map(max);
        for packed in [parts, Parts { tick, node, sequence, tag }] {
            let id = layout.encode(packed).unwrap();
            prop_assert_eq!(layout.decode(id), Ok(packed));
            prop_assert!(layout.bits() == 64 || id < 1 << layout.bits());
        }
        for (role, max, over) in [
            (Role::Timestamp, tick, Parts { tick: tick + 1, ..parts }),
            (Role::Node, node, Parts { node: node + 1, ..parts }),
            (Role::Sequence, sequence, Parts { sequence: sequence + 1, ..parts }),
            (Role::Tag, tag, Parts { tag: tag + 1, ..parts }),
        ] {
            let refused = Err(Error::TooLarge { role, value: max + 1, max });
            prop_assert_eq!(layout.encode(over), refused);
        }
    }

    #[test]
    fn a_decoder_unpacks_as_its_layout(layout in layouts(), id: u64) {
        let decoder = Decoder::new(&layout);
        prop_assert_eq!(decoder.decode(id), layout.decode(id));
        let used = id & layout.largest_id();
        prop_assert_eq!(decoder.decode(used), layout.decode(used));
    }

    #[test]
    fn unpack_and_pack(layout in layouts(), id: u64) {
        match layout.decode(id) {
            Ok(parts) => prop_assert_eq!(layout.encode(parts), Ok(id)),
            Err(Error::UnusedBits { bits }) => {
                prop_assert!(bits != 0 && id & bits == bits);
                prop_assert!(layout.decode(id & !bits).is_ok());
            }
            Err(other) => prop_assert!(false, "{:?}", other),
        }
    }

    #[test]
    fn a_layout_is_its_text(layout in layouts()) {
        prop_assert_eq!(layout.to_string().parse(), Ok(layout));
    }

    /// Ids of one node and tag ascend if the timestamp is the top field.
    #[test]
    fn s4_h1_ids_are_in_the_order_of_tick_and_sequence(
        (layout, one) in layouts_and_parts(layouts_with_timestamp_at(Just(0))),
        tick: u64,
        sequence: u64,
    ) {
        let other = Parts {
            tick: fit(&layout, Role::Timestamp, tick),
            sequence: fit(&layout, Role::Sequence, sequence),
            ..one
        };
        let order = (one.tick, one.sequence).cmp(&(other.tick, other.sequence));
        prop_assert_eq!(layout.encode(one).unwrap().cmp(&layout.encode(other).unwrap()), order);
    }

    /// For any clock, no id comes twice, and every id is within the span and the allowed future.
    /// `fill` gives the same ids as `next`. The statistics count each id. `close` returns a tick
    /// after all issued ids.
    #[test]
    fn s4_j1_a_generator_stays_in_its_span((layout, span, policy, times) in runs()) {
        let generator = || Generator::new(layout, span, policy).unwrap();
        let (mut one, mut many) = (generator(), generator());
        let mut seen = BTreeSet::new();
        let mut last = None;
        for (now_ms, wanted) in times {
            let mut batch = [0; 30];
            let count = many.fill(now_ms, &mut batch[..wanted]);
            for id in &batch[..count] {
                prop_assert_eq!(one.next(now_ms), Ok(*id));
                let parts = layout.decode(*id).unwrap();
                prop_assert_eq!((parts.node, parts.tag), (span.node(), policy.tag));
                prop_assert!((span.from_tick()..span.until_tick()).contains(&parts.tick));
                prop_assert!(layout.start_ms(parts.tick) <= now_ms + policy.allowed_future_ms);
                prop_assert!(seen.insert(*id), "an id came twice");
                if policy.sequence_start != SequenceStart::Rotating {
                    prop_assert!(last < Some((parts.tick, parts.sequence)));
                }
                last = Some((parts.tick, parts.sequence));
            }
            if count < wanted {
                prop_assert!(many.ready(now_ms).is_err());
                prop_assert_eq!(one.next(now_ms).map(|_| ()), many.ready(now_ms));
            }
        }
        let [by_one, by_many] = [one.statistics(), many.statistics()];
        prop_assert_eq!([by_one.issued, by_many.issued], [seen.len() as u64; 2]);
        prop_assert_eq!(by_one.ticks_borrowed, by_many.ticks_borrowed);
        prop_assert_eq!(by_one.furthest_ahead_ms, by_many.furthest_ahead_ms);
        let closed = many.close();
        prop_assert_eq!(one.close(), closed);
        prop_assert!((span.from_tick()..=span.until_tick()).contains(&closed));
        prop_assert!(last.is_none_or(|(tick, _)| tick < closed));
    }

    /// `SharedGenerator` issues the same ids as `Generator`, also after its span is extended. A
    /// closed generator issues no ids.
    #[test]
    fn shared_and_single_are_the_same((layout, span, policy, times) in runs()) {
        let policy = Policy { allowed_future_ms: policy.allowed_future_ms, ..Policy::default() };
        let mut single = Generator::new(layout, span, policy).unwrap();
        let shared = SharedGenerator::new(layout, span, policy.allowed_future_ms).unwrap();
        for (now_ms, wanted) in times {
            prop_assert_eq!(single.next(now_ms), shared.next(now_ms));
            let (mut one, mut many) = ([0; 30], [0; 30]);
            let filled = shared.fill(now_ms, &mut many[..wanted]);
            prop_assert_eq!(single.fill(now_ms, &mut one[..wanted]), filled);
            prop_assert_eq!(one, many);
            let until_tick = span.until_tick() + wanted as u64 % 4 - 1;
            prop_assert_eq!(single.extend(until_tick), shared.extend(until_tick));
            prop_assert_eq!(single.span(), shared.span());
        }
        prop_assert_eq!(shared.close(), Some(single.close()));
        prop_assert_eq!((shared.close(), shared.next(EPOCH_MS)), (None, Err(Error::Closed)));
        prop_assert_eq!(shared.fill(EPOCH_MS, &mut [0; 3]), 0);
    }

    /// An authority loads or refuses any row, answers every request at every time, and makes the
    /// same decisions after a restart. Replies that confirm a span have a write, and refusals have
    /// none. Batches follow each other, within the allowed future.
    #[test]
    fn an_authority_that_is_asked_anything(
        row in proptest::option::of(rows()),
        asked in vec((numbers(), requests()), 1..40),
    ) {
        let layout: Layout = "timestamp:20 node:3 sequence:2 @0".parse().unwrap();
        let sequencer = Sequencer::new(BoundConfig::new(layout, 2, 4, 1).unwrap());
        let terms = Terms { allowed_future_ms: 40, ..Terms::default() };
        let clock_disagreement_max_ms = u64::MAX;
        let settings = Settings { terms, clock_disagreement_max_ms, ..Settings::default() };
        let load = |sequencer, rows: Vec<_>| Authority::load(0, sequencer, settings, rows);
        let loaded = load(Some(sequencer), row.into_iter().collect());
        let Ok(mut authority) = loaded else {
            let is_stored_row = matches!(loaded, Err(lease::Error::StoredRow { .. }));
            prop_assert!(is_stored_row, "a row is refused with another error");
            return Ok(());
        };
        let mut batched = authority.row(2).map_or(Counter { tick: 0, sequence: 0 }, |row| {
            Counter { tick: row.until_tick, sequence: row.until_sequence }
        });
        for (now_ms, request) in asked {
            let decision = authority.decide(now_ms, &request);
            match &decision.reply {
                Reply::Granted(grant) => prop_assert!((2..6).contains(&grant.span.node())),
                Reply::Batched(batch) => {
                    prop_assert!(batched <= batch.from && batch.from < batch.until);
                    let ids = Drain::new(&layout, batch.node, batch.from, batch.until).unwrap();
                    let last = layout.decode(ids.last().unwrap()).unwrap();
                    prop_assert!(layout.start_ms(last.tick) <= now_ms.saturating_add(40));
                    batched = batch.until;
                }
                _ => {}
            }
            let is_written = decision.write.is_some();
            match &decision.reply {
                Reply::Ended { .. } | Reply::Refused { .. } => prop_assert!(!is_written),
                Reply::Described(_) => {}
                _ => prop_assert!(is_written),
            }
            if let Some(write) = &decision.write {
                authority.apply(write);
                if let Write::Node { after, .. } = write {
                    prop_assert!(after.issued <= Row::ISSUED_MAX);
                }
            }
            let status = authority.status(now_ms);
            prop_assert!(status.held <= status.used && status.used <= status.nodes);
            let rows: Vec<_> = authority.rows().collect();
            let loaded = load(authority.sequencer().copied(), rows);
            let again = loaded.map(|loaded| loaded.decide(now_ms, &request));
            prop_assert_eq!(again, Ok(authority.decide(now_ms, &request)));
        }
    }
}
