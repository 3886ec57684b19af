//! What presets are made of, in `const` context.

use super::{Kind, Preset};
use crate::layout::{Field, Layout, Role};

/// 2025-01-01, for layouts without an epoch of their own.
pub(super) const YEAR_2025_MS: u64 = 1_735_689_600_000;

pub(super) const fn unused(bits: u8) -> Field {
    field("unused", Role::Unused, bits)
}

pub(super) const fn timestamp(bits: u8) -> Field {
    field("timestamp", Role::Timestamp, bits)
}

pub(super) const fn node(name: &str, bits: u8) -> Field {
    field(name, Role::Node, bits)
}

pub(super) const fn sequence(name: &str, bits: u8) -> Field {
    field(name, Role::Sequence, bits)
}

pub(super) const fn tag(name: &str, bits: u8) -> Field {
    field(name, Role::Tag, bits)
}

const fn field(name: &str, role: Role, bits: u8) -> Field {
    match Field::new(name, role, bits) {
        Ok(field) => field,
        Err(_) => panic!("field"),
    }
}

pub(super) const fn layout(fields: &[Field], epoch_ms: u64, tick_ms: u64) -> Layout {
    match Layout::new(fields, epoch_ms, tick_ms) {
        Ok(layout) => layout,
        Err(_) => panic!("layout"),
    }
}

/// A service, whose users choose nothing.
pub(super) const fn service(
    name: &'static str,
    title: &'static str,
    layout: &Layout,
    since_ms: u64,
) -> Preset {
    Preset { name, title, kind: Kind::Service, options: &[], layout: *layout, since_ms }
}

/// Software whose users may choose the epoch, but mostly do not.
pub(super) const fn library(name: &'static str, title: &'static str, layout: &Layout) -> Preset {
    let since_ms = layout.epoch_ms();
    Preset { name, title, kind: Kind::Library, options: &["epoch"], layout: *layout, since_ms }
}

/// An article, or software whose users choose the epoch.
pub(super) const fn example(name: &'static str, title: &'static str, layout: &Layout) -> Preset {
    Preset { kind: Kind::Example, ..library(name, title, layout) }
}
