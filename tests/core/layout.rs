//! Tests which layouts can be built, how they pack ids, what they report, and the smallest and
//! largest id of a time window.

use edgeflake::{Error, Field, Instant, Layout, Name, Parts, Role, preset};

fn name(text: &str) -> Name {
    field(text, Role::Unused, 1).name()
}

fn field(text: &str, role: Role, bits: u8) -> Field {
    Field::new(text, role, bits).unwrap()
}

#[test]
fn j14_every_single_bit_belongs_to_its_field() {
    let layout: Layout =
        "unused:1 sequence.s1:3 timestamp:40 node.n1:5 unused.b:2 sequence.s2:4 node.n2:8 @0"
            .parse()
            .unwrap();
    assert_eq!(layout.bits(), 63);
    for bit in 0..64 {
        let id = 1 << bit;
        match (bit, layout.decode(id)) {
            (12 | 13 | 62 | 63, unpacked) => {
                assert_eq!(unpacked, Err(Error::UnusedBits { bits: id }));
            }
            (_, unpacked) => {
                let parts = unpacked.unwrap();
                let [expected] = [match bit {
                    0..8 => Parts { node: 1 << bit, ..Parts::default() },
                    8..12 => Parts { sequence: 1 << (bit - 8), ..Parts::default() },
                    14..19 => Parts { node: 1 << (bit - 14 + 8), ..Parts::default() },
                    19..59 => Parts { tick: 1 << (bit - 19), ..Parts::default() },
                    _ => Parts { sequence: 1 << (bit - 59 + 4), ..Parts::default() },
                }];
                assert_eq!(parts, expected, "bit {bit}");
                assert_eq!(layout.encode(parts), Ok(id));
            }
        }
    }
}

#[test]
fn a_layout_ends_within_the_range_of_dates() {
    let at = |epoch_ms, tick_ms| {
        Layout::new(&[field("timestamp", Role::Timestamp, 52)], epoch_ms, tick_ms)
    };
    let last_epoch_ms = Layout::INSTANT_MAX_MS - (1 << 52);
    assert_eq!(at(last_epoch_ms, 1).map(|layout| layout.end_ms()), Ok(Layout::INSTANT_MAX_MS));
    let too_long = Err(Error::LayoutTooLong { field: name("timestamp"), bits: 52 });
    assert_eq!(at(last_epoch_ms + 1, 1), too_long);
    assert_eq!(at(0, 2), too_long);
    assert_eq!(at(u64::MAX, u64::MAX), too_long);
}

#[test]
fn ticks_and_instants() {
    let layout: Layout = "timestamp:4 sequence:2 @1000 tick=10ms".parse().unwrap();
    assert_eq!((layout.ticks(), layout.end_ms()), (16, 1_160));
    assert_eq!((layout.nodes(), layout.ids_per_tick()), (1, 4));
    assert_eq!(layout.tick(999), Err(Error::BeforeEpoch { now_ms: 999, epoch_ms: 1_000 }));
    for (now_ms, tick) in [(1_000, 0), (1_009, 0), (1_010, 1), (1_159, 15)] {
        assert_eq!(layout.tick(now_ms), Ok(tick));
    }
    assert_eq!(layout.tick(1_160), Err(Error::LayoutEnded { now_ms: 1_160, end_ms: 1_160 }));
    assert_eq!(layout.tick(u64::MAX).map_err(|error| error.code()), Err("layout-ended"));
    for (tick, ms) in [(0, 1_000), (15, 1_150), (16, 1_160), (u64::MAX, 1_160)] {
        assert_eq!(layout.start_ms(tick), ms);
    }
}

/// The values of the node fields give the node, even if there are other fields between them.
#[test]
fn a_node_of_its_fields() {
    for text in ["node.a:2 timestamp:40 node.b:3 tag:1 node.c:1 @0", "timestamp:1 node:63 @0"] {
        let layout: Layout = text.parse().unwrap();
        for seed in 0..1_000_u64 {
            let id = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - layout.bits());
            let values = layout.values(id).filter(|(field, _)| field.role() == Role::Node);
            let values: Vec<_> = values.map(|(_, value)| value).collect();
            assert_eq!(layout.node_of(&values), Ok(layout.decode(id).unwrap().node), "{id}");
        }
    }
    let layout: Layout = "timestamp:40 @0".parse().unwrap();
    assert_eq!(layout.node_of(&[]), Ok(0));
    assert_eq!(layout.node_of(&[0]), Err(Error::NodeValues { values: 1, fields: 0 }));
}

/// Services changed the bits of Twitter's layout in these ways.
#[test]
fn g3_g4_g5_j4_every_field_has_as_many_bits_as_its_user_wants() {
    for (text, nodes, ids_per_tick, ends) in [
        ("timestamp:41 node:15 sequence:7 @2025-01-01", 32_768, 128, "2094-09-07T15:47:35.552Z"),
        ("timestamp:41 node:7 sequence:15 @2025-01-01", 128, 32_768, "2094-09-07T15:47:35.552Z"),
        ("timestamp:39 node:10 sequence:12 @2025-01-01", 1_024, 4_096, "2042-06-03T21:56:53.888Z"),
        ("timestamp:41 node:16 sequence:6 @2025-01-01", 65_536, 64, "2094-09-07T15:47:35.552Z"),
        (
            "timestamp:41 node.a:3 node.b:6 sequence:13 @2021-01-01",
            512,
            8_192,
            "2090-09-07T15:47:35.552Z",
        ),
    ] {
        let layout: Layout = text.parse().unwrap();
        assert_eq!((layout.nodes(), layout.ids_per_tick()), (nodes, ids_per_tick), "{text}");
        assert_eq!(Instant(layout.end_ms()).to_string(), ends, "{text}");
    }
}

#[test]
fn reports_of_a_layout() {
    let layout = |text: &str| text.parse::<Layout>().unwrap();
    let report = |layout: Layout| {
        let ends = [layout.signed_end_ms(), layout.js_number_end_ms(), layout.end_ms()];
        (
            layout.largest_id(),
            ends.map(|end_ms| end_ms - layout.epoch_ms()),
            layout.fits_js_number(),
        )
    };
    let max = u64::MAX;
    for (text, largest, ends, fits) in [
        // The ids of these four layouts have 64, 63, 54 and 53 bits.
        ("timestamp:8 node:56 @5 tick=2ms", max, [256, 0, 512], false),
        ("unused:1 timestamp:8 node:55 @5 tick=2ms", max >> 1, [512, 0, 512], false),
        ("timestamp:8 node:46 @5 tick=2ms", (1 << 54) - 1, [512, 256, 512], false),
        ("timestamp:8 node:45 @5 tick=2ms", (1 << 53) - 1, [512, 512, 512], true),
        // Here another field is above the timestamp.
        ("sequence:1 timestamp:8 node:55 @5 tick=2ms", max, [0, 0, 512], false),
        ("unused:2 tag:1 timestamp:8 node:53 @5 tick=2ms", max >> 2, [512, 0, 512], false),
        // Here unused bits are between the fields, or above them.
        ("timestamp:8 unused:50 node:6 @5 tick=2ms", 0xff00_0000_0000_003f, [256, 2, 512], false),
        ("unused:60 timestamp:4 @5 tick=2ms", 15, [32, 32, 32], true),
        // The timestamp has bits 52 to 62, or bits 53 to 62.
        ("unused:1 timestamp:11 node:52 @0", max >> 1, [2_048, 2, 2_048], false),
        ("unused:1 timestamp:10 node:53 @0", max >> 1, [1_024, 1, 1_024], false),
    ] {
        assert_eq!(report(layout(text)), (largest, ends, fits), "{text}");
    }
    let ids = layout("timestamp:8 node:56 @5 tick=2ms");
    assert_eq!(ids.encode(Parts { tick: 127, node: 1, ..Parts::default() }).unwrap() >> 63, 0);
    assert_eq!(ids.encode(Parts { tick: 128, ..Parts::default() }).unwrap() >> 63, 1);
}

#[test]
fn the_share_of_a_life() {
    let field = Field::new("timestamp", Role::Timestamp, 2).unwrap();
    let layout = Layout::new(&[field], 100, 10).unwrap();
    for (now_ms, used) in
        [(0, 0.0), (100, 0.0), (110, 0.25), (139, 0.975), (140, 1.0), (u64::MAX, 1.0)]
    {
        assert!((layout.life_used(now_ms) - used).abs() < 1e-12, "{now_ms}");
    }
}

const STEP_MS: usize = if cfg!(miri) { 11 } else { 1 };

/// Returns the error for a window that has no ids, although the layout has the requested node.
fn why_empty(layout: &Layout, from_ms: u64, until_ms: u64) -> Error {
    let (epoch_ms, end_ms, tick_ms) = (layout.epoch_ms(), layout.end_ms(), layout.tick_ms());
    if from_ms >= until_ms {
        Error::EmptyWindow { from_ms, until_ms }
    } else if until_ms <= epoch_ms || from_ms >= end_ms {
        Error::WindowOutsideLayout { from_ms, until_ms, epoch_ms, end_ms }
    } else {
        Error::WindowWithinTick { from_ms, until_ms, tick_ms }
    }
}

/// Checks each window, node and id of small layouts. An id of the node is in the returned range if
/// and only if its tick begins in the window. Both ends of the range are such ids.
#[test]
fn every_window_of_small_layouts() {
    for text in [
        "unused:2 timestamp:3 sequence:1 node:2 @20 tick=3ms",
        "timestamp:3 node.n1:1 tag:1 sequence:1 node.n2:1 @20 tick=3ms",
        "unused.a:1 unused.b:1 timestamp:2 unused.c:1 node:2 sequence:1 @0 tick=4ms",
        "timestamp:4 @20",
        "timestamp:3 tag:3 @7 tick=2ms",
    ] {
        let layout: Layout = text.parse().unwrap();
        let ids: Vec<_> = (0..1 << layout.bits()).filter(|id| layout.decode(*id).is_ok()).collect();
        let nodes = (0..layout.nodes()).map(Some).chain([None]);
        for (from_ms, until_ms, node) in (0..50).step_by(STEP_MS).flat_map(|from_ms| {
            (0..50).step_by(STEP_MS).flat_map({
                let nodes = nodes.clone();
                move |until_ms| nodes.clone().map(move |node| (from_ms, until_ms, node))
            })
        }) {
            let inside = |id: &&u64| {
                let parts = layout.decode(**id).unwrap();
                let start_ms = layout.start_ms(parts.tick);
                (from_ms..until_ms).contains(&start_ms) && node.is_none_or(|it| it == parts.node)
            };
            let expected: Vec<_> = ids.iter().filter(inside).copied().collect();
            match layout.id_range(from_ms..until_ms, node) {
                Ok(range) => {
                    assert_eq!(Some(range.start()), expected.first(), "{text} {from_ms}");
                    assert_eq!(Some(range.end()), expected.last(), "{text} {until_ms}");
                    let of_node = |id: &&u64| {
                        node.is_none_or(|node| layout.decode(**id).unwrap().node == node)
                    };
                    let between = ids.iter().filter(|id| range.contains(id)).filter(of_node);
                    assert_eq!(between.copied().collect::<Vec<_>>(), expected, "{text}");
                }
                Err(error) => {
                    assert!(expected.is_empty(), "{text} {from_ms} {until_ms}");
                    assert_eq!(error, why_empty(&layout, from_ms, until_ms));
                }
            }
        }
    }
}

#[test]
fn a_window_is_cut_to_the_layout() {
    for preset in &preset::ALL {
        let layout = preset.layout;
        let all = Ok(0..=layout.largest_id());
        assert_eq!(layout.id_range(0..u64::MAX, None), all, "{}", preset.name);
    }
}
