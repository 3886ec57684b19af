//! The smallest and largest id of a time window.

use edgeflake::{Error, Field, Layout, Role, preset};

const STEP_MS: usize = if cfg!(miri) { 11 } else { 1 };

fn layout(text: &str) -> Layout {
    text.parse().unwrap()
}

/// Returns why a window has no ids, although the layout has the node.
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

/// For every id of a small layout, every window around its life and every node: the ids between the
/// two are those whose tick is in the window, and both ends are such ids.
#[test]
fn every_window_of_small_layouts() {
    for text in [
        "unused:2 timestamp:3 sequence:1 node:2 @20 tick=3ms",
        "timestamp:3 node.n1:1 tag:1 sequence:1 node.n2:1 @20 tick=3ms",
        "unused.a:1 unused.b:1 timestamp:2 unused.c:1 node:2 sequence:1 @0 tick=4ms",
        "timestamp:4 @20",
        "timestamp:3 tag:3 @7 tick=2ms",
    ] {
        let layout = layout(text);
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
        let all = layout.id_range(0..u64::MAX, None).unwrap();
        assert_eq!(all, 0..=layout.largest_id(), "{}", preset.name);
        let life = layout.epoch_ms()..layout.end_ms();
        assert_eq!(layout.id_range(life, None), Ok(all));
        // The last tick has already begun.
        let late = why_empty(&layout, layout.end_ms() - 1, u64::MAX);
        if layout.tick_ms() > 1 {
            assert_eq!(layout.id_range(layout.end_ms() - 1..u64::MAX, None), Err(late));
        }
    }
}

#[test]
fn only_unused_bits_may_stand_above_the_timestamp() {
    for (text, above) in [
        ("unused:1 node.region:2 timestamp:8 @0", "region"),
        ("sequence:2 node:2 timestamp:8 @0", "sequence"),
        ("tag:1 timestamp:8 @0", "tag"),
    ] {
        let field = Field::new(above, Role::Unused, 1).unwrap().name();
        assert_eq!(layout(text).id_range(0..9, None), Err(Error::AboveTimestamp { field }));
    }
    assert_eq!(layout("unused.a:1 unused.b:9 timestamp:8 @0").id_range(3..9, None), Ok(3..=8));
}
