//! Layouts: what can be built, what is packed, what is refused, and what a layout reports of
//! itself.

use edgeflake::{Error, Field, Instant, Layout, Name, Parts, Role};

fn name(text: &str) -> Name {
    field(text, Role::Unused, 1).name()
}

fn field(text: &str, role: Role, bits: u8) -> Field {
    Field::new(text, role, bits).unwrap()
}

#[test]
fn a_name_is_shown_as_it_is() {
    let name = name("sequence");
    assert_eq!(format!("{name}|{name:?}"), "sequence|\"sequence\"");
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

#[test]
fn a_layout_in_a_debugger() {
    let layout: Layout = "timestamp:41 node:5 @7 tick=10ms".parse().unwrap();
    assert_eq!(format!("{layout:?}"), "Layout(timestamp:41 node:5 @7 tick=10ms)");
}

/// The values of an id's node fields give its node, even with other fields between them.
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

/// Twitter's bits, and those that some services choose instead.
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
        // The ids have all 64 bits, bit 63 unused, or 53 and 54 bits.
        ("timestamp:8 node:56 @5 tick=2ms", max, [256, 0, 512], false),
        ("unused:1 timestamp:8 node:55 @5 tick=2ms", max >> 1, [512, 0, 512], false),
        ("timestamp:8 node:46 @5 tick=2ms", (1 << 54) - 1, [512, 256, 512], false),
        ("timestamp:8 node:45 @5 tick=2ms", (1 << 53) - 1, [512, 512, 512], true),
        // Another field is on top.
        ("sequence:1 timestamp:8 node:55 @5 tick=2ms", max, [0, 0, 512], false),
        ("unused:2 tag:1 timestamp:8 node:53 @5 tick=2ms", max >> 2, [512, 0, 512], false),
        // Unused bits are within.
        ("timestamp:8 unused:50 node:6 @5 tick=2ms", 0xff00_0000_0000_003f, [256, 2, 512], false),
        ("unused:60 timestamp:4 @5 tick=2ms", 15, [32, 32, 32], true),
        // The timestamp begins at bit 52, begins at bit 53, or ends at bit 63.
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
