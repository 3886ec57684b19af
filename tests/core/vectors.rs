//! Ids that other systems published decode to what those say, and encode back.

use edgeflake::identify::Warning;
use edgeflake::{Error, Field, Layout, Parts, Role, preset};

/// Presets of which no id was published with its parts, as far as we found.
const UNPUBLISHED: [&str; 13] = [
    "sonyflake-v2",
    "datacenter-worker",
    "random-start",
    "resource-type",
    "worker-queue",
    "baidu",    // its README's id has another layout and another epoch
    "bwmarrin", // its tests print ids, but no dates
    "yitter",   // the id of its TypeScript port has that port's epoch
    "cosid",
    "cosid-js",
    "nodejs-snowflake",
    "js-safe",
    "edge",
];

#[test]
fn every_published_id_decodes_and_encodes() {
    let published = crate::published::read();
    assert_eq!(published.len(), 44);
    for vector in published {
        let (id, layout) = (vector.id, vector.layout());
        let parts = layout.unpack(id).unwrap();
        assert!(vector.says(&layout, parts), "{id} in {layout}: {parts:?}");
        assert_eq!(layout.pack(parts), Ok(id), "{layout}");

        // From what is published alone, as far as it is all.
        let tick = (vector.timestamp_ms - layout.epoch_ms()) / layout.tick_ms();
        let (node, sequence) = (vector.node.unwrap_or(0), vector.sequence);
        let sequence = sequence.unwrap_or(parts.sequence);
        assert_eq!(layout.pack(Parts { tick, node, sequence, tag: 0 }), Ok(id), "{layout}");
    }
}

#[test]
fn a_layout_given_beside_a_preset_is_that_preset() {
    let shape = |layout: &Layout| {
        let fields = layout.fields().iter().map(|field| (field.role(), field.bits()));
        (fields.collect::<Vec<_>>(), layout.epoch_ms(), layout.tick_ms())
    };
    let both = crate::published::read();
    let mut both = both.iter().filter(|vector| vector.preset.is_some() && vector.given.is_some());
    let snowcast = both.next().unwrap();
    assert_eq!(shape(&snowcast.given.unwrap()), shape(&snowcast.layout()));
    assert!(both.next().is_none());
}

#[test]
fn every_preset_has_a_published_id_or_is_known_to_have_none() {
    let published = crate::published::read();
    let has = |name| published.iter().any(|vector| vector.preset.as_deref() == Some(name));
    let without: Vec<_> =
        preset::ALL.iter().map(|preset| preset.name).filter(|name| !has(name)).collect();
    assert_eq!(without, UNPUBLISHED);
}

/// `rejects` of the file: a tweet of 2006, and worker ids that bleed into the time.
#[test]
fn what_other_systems_take_for_an_id() {
    let warnings = preset::named("twitter").unwrap().warnings(20, 1_780_000_000_000);
    assert_eq!(warnings.iter().map(Warning::code).collect::<Vec<_>>(), ["at-epoch"]);

    let field = |role, bits| Field::new(Role::word(role), role, bits).unwrap();
    let fields = [
        field(Role::Unused, 1),
        field(Role::Timestamp, 30),
        field(Role::Node, 18),
        field(Role::Sequence, 15),
    ];
    let layout = Layout::new(&fields, 0, 1_000).unwrap();
    for tick in [3_954_576, 3_954_577] {
        let wide = Parts { tick, node: 462_146, ..Parts::default() };
        let too_large = Error::TooLarge { role: Role::Node, value: 462_146, max: 262_143 };
        assert_eq!(layout.pack(wide), Err(too_large));
    }
}
