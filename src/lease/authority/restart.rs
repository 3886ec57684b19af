use alloc::vec::Vec;

use super::Authority;
use super::decision::Write;
use super::witness::{Stamp, Version};
use crate::lease::message::Sequencer;

impl Authority {
    /// Returns the stamp of a shard that was loaded from a storage with this version.
    #[must_use]
    pub fn stamp(&self, version: Version) -> Stamp {
        let sequencer = self.sequencer;
        let until_tick = sequencer.map_or(0, |sequencer| sequencer.from_tick);
        let mut stamp = Stamp { version, sequencer, until_tick, ..Stamp::default() };
        for (node, row) in self.rows() {
            stamp.cover(node, row.end());
        }
        stamp
    }

    /// Returns the first writes of a shard whose storage was rolled back; `newer` is the stamp of
    /// the storage before that. After these writes, every node starts at a tick by which all its
    /// spans have ended: the spans that the shard knows, and the spans that it may have forgotten.
    /// The writes delete all rows, so the shard renews no older grant. Otherwise it could renew a
    /// grant whose node was granted again after the older copy was made. Store the writes in one
    /// transaction with the opened session. If the session were stored without the writes, the
    /// older copy would pass for the newer copy at the next load. If the shard had written nothing,
    /// there are no writes.
    ///
    /// ```
    /// use edgeflake::lease::{Authority, BoundConfig, Error, Row, Sequencer, Settings, Stamp};
    /// use edgeflake::preset::EDGE;
    ///
    /// let sequencer = Some(Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1)?));
    /// let rows = [(1, Row { from_tick: 1_000, until_tick: 9_000, ..Row::default() })];
    /// let mut authority = Authority::load(0, sequencer, Settings::default(), rows)?;
    /// let mut newer = Stamp { sequencer, until_tick: 305_000, ..Stamp::default() };
    /// newer.cover(2, 40_000_000_000);
    /// authority.restart(&newer).iter().for_each(|write| authority.apply(write));
    /// assert_eq!(authority.sequencer().unwrap().from_tick, 305_000);
    /// assert_eq!(authority.row(1), None);
    /// assert_eq!(authority.row(2).unwrap().until_tick, 40_000_000_000);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn restart(&self, newer: &Stamp) -> Vec<Write> {
        let Some(sequencer) = newer.sequencer else { return Vec::new() };
        let layout = sequencer.config.layout();
        let (mut stamp, mut from_tick) = (*newer, sequencer.from_tick);
        // The older copy has spans that the stamp lacks if the shard ran without a witness.
        if let Some(own) = &self.sequencer
            && own.config.layout().has_timestamp_of(layout)
        {
            if own.config.layout() == layout {
                from_tick = from_tick.max(own.from_tick);
                self.rows().for_each(|(node, row)| stamp.cover(node, row.end()));
            } else {
                // In another layout, a node with another number may have issued the same ids.
                from_tick = from_tick.max(self.table.latest_end()).max(own.from_tick);
            }
        }
        let sequencer = Some(Sequencer { from_tick, ..sequencer });
        Stamp { sequencer, ..stamp }.restart(self.shard, self.sequencer)
    }
}
