//! Tests the layout of each preset, and which configurations presets refuse.

use edgeflake::identify::Warning;
use edgeflake::preset::{Kind, Preset};
use edgeflake::{Error, Instant, Layout, Parts, preset};

use crate::{identify, vectors};

/// For each preset: a line with its properties, its layout string, and each of the following lines
/// that is true:
///
/// - `since DAY`: the system began after its epoch.
/// - `no id is published with its date`: `tests/vectors.json` has no id of the system.
/// - `an id looks like NAME`: `identify` takes an id with a small node and sequence for an id of
///   NAME.
/// - `a new id looks like NAME`: the same, for an id that is a minute old and has a large node and
///   sequence.
const PRESETS: &str = include_str!("presets.txt");

/// Formats a preset as its lines in `PRESETS`.
fn lines(preset: &Preset) -> String {
    let day = |ms: u64| {
        let instant = Instant(ms).to_string();
        instant.split_once('T').unwrap().0.to_owned()
    };
    let layout = preset.layout;
    let mut lines = format!(
        "{} ({}): {} nodes, {} ids a tick, until {}, positive until {}\n    {layout}\n",
        preset.name,
        preset.title,
        layout.nodes(),
        layout.ids_per_tick(),
        day(layout.end_ms()),
        day(layout.signed_end_ms())
    );
    let is_published = vectors::read().iter().any(|id| id.preset.as_deref() == Some(preset.name));
    for special in [
        (preset.since_ms > layout.epoch_ms()).then(|| format!("since {}", day(preset.since_ms))),
        (!is_published).then(|| "no id is published with its date".to_owned()),
        identify::other_of_small(&layout).map(|other| format!("an id looks like {other}")),
        identify::other_of_new(&layout).map(|other| format!("a new id looks like {other}")),
    ] {
        lines.extend(special.map(|special| format!("    {special}\n")));
    }
    lines
}

#[test]
fn s6_s7_s9_s35_h1_h2_j2_j3_j5_j6_g1_q1_q7_q14_what_each_preset_gives() {
    let found: String = preset::ALL.iter().map(lines).collect();
    assert!(found == PRESETS, "tests/core/presets.txt is not:\n{found}");
    for preset in &preset::ALL {
        assert_eq!(Layout::parse(preset.name), Ok(preset.layout));
        let name = |option| option == "epoch" || option == "epoch-start";
        let has_epoch = preset.options.iter().copied().any(name);
        assert_eq!(has_epoch, preset.kind != Kind::Service, "{}", preset.name);
    }
}

#[test]
fn q2_region_type_and_machine() {
    let parts = Parts { tick: 1_000_000, node: 22 * 4 + 1, tag: 200, sequence: 0 };
    assert_eq!(preset::RESOURCE_TYPE.encode(parts), Ok(33_554_443_540_744));
}

#[test]
fn names_and_beginnings() {
    for (i, preset) in preset::ALL.iter().enumerate() {
        let name = preset.name;
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        assert!(name.bytes().all(plain), "{name}");
        assert!(preset::ALL[..i].iter().all(|other| other.name != name), "{name} twice");
        assert!(preset::ALL[..i].iter().all(|other| other.title != preset.title), "{name}");
        assert_eq!(preset::named(name), Some(preset));
        assert!(preset.layout.epoch_ms() <= preset.since_ms, "{name}");
        assert!(preset.since_ms < preset.layout.end_ms(), "{name}");
    }
    assert_eq!(preset::ALL[0].layout, preset::HAZELCAST);
    assert_eq!(preset::named(""), None);
    assert!(preset::NAMES.iter().eq(preset::ALL.iter().map(|preset| &preset.name)));
}

#[test]
fn g2_another_epoch() {
    const MINE: Layout = match preset::NODEJS_SNOWFLAKE.with_epoch(7) {
        Ok(layout) => layout,
        Err(_) => panic!("an epoch of 7 ms leaves room"),
    };
    assert_eq!(MINE.fields(), preset::NODEJS_SNOWFLAKE.fields());
    assert_eq!((MINE.epoch_ms(), MINE.tick_ms()), (7, 1));
    let ticks_ms = preset::SONYFLAKE.end_ms() - preset::SONYFLAKE.epoch_ms();
    let last_ms = Layout::INSTANT_MAX_MS - ticks_ms;
    let last = preset::SONYFLAKE.with_epoch(last_ms).unwrap();
    assert_eq!((last.end_ms(), last.tick_ms()), (Layout::INSTANT_MAX_MS, 10));
    let too_long = Error::LayoutTooLong { field: preset::TWITTER.fields()[1].name(), bits: 39 };
    assert_eq!(preset::SONYFLAKE.with_epoch(last_ms + 1), Err(too_long));
}

/// Tries three epochs for each preset that takes an epoch: its own, and those 1 ms before and after
/// it.
#[test]
fn a_later_epoch_of_an_ended_preset_needs_a_word() {
    let revised_ms = 1_795_651_200_000; // 2026-11-26
    for preset in preset::ALL.iter().filter(|preset| preset.kind != Kind::Service) {
        let Preset { name, layout, options, .. } = *preset;
        let has_ended = layout.end_ms() < revised_ms;
        assert_eq!(options.contains(&"overlaps-old-ids"), has_ended, "{name}");
        let own_ms = layout.epoch_ms();
        for epoch_ms in [own_ms.saturating_sub(1), own_ms, own_ms + 1] {
            let text = format!("{name} epoch={epoch_ms}");
            let overlaps = has_ended && epoch_ms > own_ms;
            let other = layout.with_epoch(epoch_ms);
            let refused = Err(Error::OverlapsOldIds {
                preset: preset.name,
                issued_ms: [preset.layout.epoch_ms(), preset.layout.end_ms()],
                epoch_ms,
            });
            assert_eq!(Layout::parse(&text), if overlaps { refused } else { other }, "{text}");
            let warning = overlaps.then_some(Warning::OverlapsOldIds { preset });
            assert_eq!(other.unwrap().overlap(), warning, "{text}");
            if has_ended {
                assert_eq!(Layout::parse(&format!("{text} overlaps-old-ids")), other);
            }
        }
    }
}

#[test]
fn s11_s12_s36_s37_snowcast_for_every_count_of_nodes() {
    let refused = |nodes| Err(Error::NodeCount { nodes, min: 128, max: 8_192 });
    assert_eq!(preset::snowcast(127, 0), refused(127));
    assert_eq!(preset::snowcast(8_193, 0), refused(8_193));
    assert_eq!(preset::snowcast(u64::MAX, 0), refused(u64::MAX));
    for nodes in 128..=8_192 {
        let layout = preset::snowcast(nodes, 5).unwrap();
        assert!(layout.nodes() >= nodes && layout.nodes() < nodes * 2);
        assert_eq!(layout.nodes() * layout.ids_per_tick(), 1 << 23);
        assert_eq!((layout.bits(), layout.epoch_ms()), (64, 5));
    }
    for (nodes, text) in [
        (128, "timestamp:41 node:7 sequence.counter:16 @0 tick=1ms"),
        (129, "timestamp:41 node:8 sequence.counter:15 @0 tick=1ms"),
        (4_096, "timestamp:41 node:12 sequence.counter:11 @0 tick=1ms"),
        (4_097, "timestamp:41 node:13 sequence.counter:10 @0 tick=1ms"),
    ] {
        assert_eq!(preset::snowcast(nodes, 0).unwrap().to_string(), text);
    }
    assert_eq!(
        preset::snowcast(200, u64::MAX).map_err(|error| error.code()),
        Err("invalid-layout")
    );
}

#[test]
fn h24_h25_hazelcast_for_every_configuration() {
    let text = |sequence, node| preset::hazelcast(9, sequence, node).unwrap().to_string();
    assert_eq!(text(6, 16), "unused:1 timestamp:41 sequence:6 node:16 @9 tick=1ms");
    assert_eq!(text(1, 16), "unused:1 timestamp:46 sequence:1 node:16 @9 tick=1ms");
    assert_eq!(text(16, 1), "unused:1 timestamp:46 sequence:16 node:1 @9 tick=1ms");
    assert_eq!(text(0, 16), "unused:1 timestamp:47 node:16 @9 tick=1ms");
    assert_eq!(text(22, 0), "unused:1 timestamp:41 sequence:22 @9 tick=1ms");
    assert_eq!(text(31, 31), "unused:1 timestamp:1 sequence:31 node:31 @9 tick=1ms");
    let timestamp = preset::TWITTER.fields()[1].name();
    for (sequence, node) in [(31, 32), (63, 0), (0, 255), (255, 255)] {
        let none = Error::FieldWidth { field: timestamp, bits: 0 };
        assert_eq!(preset::hazelcast(9, sequence, node), Err(none));
    }
    assert_eq!(text(5, 6), "unused:1 timestamp:52 sequence:5 node:6 @9 tick=1ms");
    let too_long = Error::LayoutTooLong { field: timestamp, bits: 53 };
    assert_eq!(preset::hazelcast(9, 5, 5), Err(too_long));
}

#[test]
fn s17_s17b_h21_h24_h25_a_text_with_options() {
    for (text, layout) in [
        ("hazelcast", preset::hazelcast(1_514_764_800_000, 6, 16)),
        ("hazelcast epoch-start=9 bits-sequence=5 bits-node-id=7", preset::hazelcast(9, 5, 7)),
        ("hazelcast epoch=2026-01-01", preset::hazelcast(1_767_225_600_000, 6, 16)),
        ("hazelcast bits-node-id=0", preset::hazelcast(1_514_764_800_000, 6, 0)),
        (
            "snowcast nodes=129 epoch=2014-02-01T00:00+01:00",
            preset::snowcast(129, 1_391_209_200_000),
        ),
        ("\tsnowcast  nodes=8192\n", Ok(preset::SNOWCAST)),
        ("snowcast epoch=7", preset::SNOWCAST.with_epoch(7)),
        ("leaf epoch=1514764800000", preset::LEAF.with_epoch(1_514_764_800_000)),
        (
            "tick=2ms timestamp:9 @5",
            Err(Error::LayoutString { position: 9, expected: "fields before epoch and tick" }),
        ),
        ("timestamp:9 node:3 @5", "timestamp:9 node:3 @5".parse()),
    ] {
        assert_eq!(Layout::parse(text), layout, "{text}");
    }
    let too_long = preset::TWITTER.with_epoch(Layout::INSTANT_MAX_MS);
    assert_eq!(Layout::parse("random-start epoch=8640000000000000"), too_long);
}
