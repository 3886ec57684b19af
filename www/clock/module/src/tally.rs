use std::collections::BTreeSet;

use serde::Serialize;

/// Counts of the ids of all processes, in the order in which they were issued.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tally {
    #[serde(skip)]
    ids: BTreeSet<u64>,
    pub(crate) issued: u64,
    /// The number of ids that had been issued before.
    pub(crate) duplicates: u64,
    /// The number of ids whose time is before that of an id which was issued before them.
    pub(crate) late: u64,
    /// The largest such difference of times, in ms.
    pub(crate) latest_ms: u64,
    /// The latest time of an id so far, in Unix ms.
    #[serde(skip)]
    newest_ms: u64,
    /// The number of requests that ended without an id.
    pub(crate) failed: u64,
    /// The longest wait of a request for its id, in ms.
    pub(crate) longest_ms: u64,
}

impl Tally {
    /// Takes an id of a time in Unix ms. Returns whether it was there before.
    pub(crate) fn note(&mut self, id: u64, id_ms: u64) -> bool {
        let is_duplicate = !self.ids.insert(id);
        self.issued += 1;
        self.duplicates += u64::from(is_duplicate);
        self.late += u64::from(id_ms < self.newest_ms);
        self.latest_ms = self.latest_ms.max(self.newest_ms.saturating_sub(id_ms));
        self.newest_ms = self.newest_ms.max(id_ms);
        is_duplicate
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn it_counts_over_all_ids_of_the_run() {
        let mut tally = Tally::default();
        assert!(![(7, 100), (8, 110), (9, 90)].map(|(id, ms)| tally.note(id, ms)).contains(&true));
        assert!(tally.note(7, 100));
        assert!(tally.note(7, 100));
        assert_eq!((tally.issued, tally.duplicates), (5, 2));
        assert_eq!((tally.late, tally.latest_ms), (3, 20));
    }
}
