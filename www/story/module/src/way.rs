use std::collections::BTreeMap;

/// The ids that all computers have issued in one way, classic or leased.
#[derive(Debug, Default)]
pub(crate) struct Way {
    pub(crate) issued: Vec<IssuedId>,
    copies: BTreeMap<u64, u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IssuedId {
    pub(crate) computer: usize,
    pub(crate) id: u64,
    /// How many times the same id was issued before.
    pub(crate) before: u32,
}

impl Way {
    pub(crate) fn note(&mut self, computer: usize, id: u64) {
        let copies = self.copies.entry(id).or_default();
        self.issued.push(IssuedId { computer, id, before: *copies });
        *copies += 1;
    }
}
