use edgeflake::{Field, Layout, Role};

/// The layout of all ids of the story. It has only 16 bits, so that all bits fit on the screen. It
/// counts seconds, so that each id can be shown as a box with a label.
pub(crate) const LAYOUT: Layout = match Layout::new(&[TIME, NODE, NUMBER], 1_768_564_800_000, 1_000)
{
    Ok(layout) => layout,
    Err(_) => unreachable!(),
};

const TIME: Field = field("time", Role::Timestamp, 11);
const NODE: Field = field("node", Role::Node, 4);
const NUMBER: Field = field("number", Role::Sequence, 1);

const fn field(name: &str, role: Role, bits: u8) -> Field {
    match Field::new(name, role, bits) {
        Ok(field) => field,
        Err(_) => unreachable!(),
    }
}
