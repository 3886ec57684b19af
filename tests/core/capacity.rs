//! What a layout reports of itself.

use edgeflake::{Field, Layout, Parts, Role};

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
        // All 64 bits; bit 63 unused; bits 53 and 54.
        ("timestamp:8 node:56 @5 tick=2ms", max, [256, 0, 512], false),
        ("unused:1 timestamp:8 node:55 @5 tick=2ms", max >> 1, [512, 0, 512], false),
        ("timestamp:8 node:46 @5 tick=2ms", (1 << 54) - 1, [512, 256, 512], false),
        ("timestamp:8 node:45 @5 tick=2ms", (1 << 53) - 1, [512, 512, 512], true),
        // Something else on top.
        ("sequence:1 timestamp:8 node:55 @5 tick=2ms", max, [0, 0, 512], false),
        ("unused:2 tag:1 timestamp:8 node:53 @5 tick=2ms", max >> 2, [512, 0, 512], false),
        // Unused bits within.
        ("timestamp:8 unused:50 node:6 @5 tick=2ms", 0xff00_0000_0000_003f, [256, 2, 512], false),
        ("unused:60 timestamp:4 @5 tick=2ms", 15, [32, 32, 32], true),
        // A timestamp that begins at bit 52, 53 and ends at bit 63.
        ("unused:1 timestamp:11 node:52 @0", max >> 1, [2_048, 2, 2_048], false),
        ("unused:1 timestamp:10 node:53 @0", max >> 1, [1_024, 1, 1_024], false),
    ] {
        assert_eq!(report(layout(text)), (largest, ends, fits), "{text}");
    }
    let ids = layout("timestamp:8 node:56 @5 tick=2ms");
    assert_eq!(ids.pack(Parts { tick: 127, node: 1, ..Parts::default() }).unwrap() >> 63, 0);
    assert_eq!(ids.pack(Parts { tick: 128, ..Parts::default() }).unwrap() >> 63, 1);
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
