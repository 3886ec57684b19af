use super::Authority;
use super::decision::Write;
use super::witness::{Stamp, Version};
use crate::lease::message::Sequencer;

/// No layout has a larger tick.
const TICK_MAX: u64 = (1 << 53) - 1;

impl Authority {
    /// Returns how far the shard has got. `version` is that of the storage from which it was
    /// loaded.
    #[must_use]
    pub fn stamp(&self, version: Version) -> Stamp {
        let sequencer = self.sequencer;
        let until_tick = sequencer.map_or(0, |sequencer| self.latest_end(&sequencer));
        Stamp { version, sequencer, until_tick }
    }

    /// Returns the first write of a shard whose storage was rolled back from this stamp. The write
    /// lets every node start where all spans have ended, both those that the shard knows and those
    /// that it may have forgotten. It deletes all rows, so nothing that was granted before is
    /// renewed. Store it in one transaction with the opened session. Otherwise the older copy would
    /// have a session of its own, and pass for the newer one at the next load. Returns `None` if
    /// the shard had written nothing.
    ///
    /// ```
    /// use edgeflake::lease::{Authority, BoundConfig, Error, Row, Sequencer, Settings, Stamp};
    /// use edgeflake::lease::{Version, Write};
    /// use edgeflake::preset::EDGE;
    ///
    /// let sequencer = Some(Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1)?));
    /// let rows = [(1, Row { from_tick: 1_000, until_tick: 9_000, ..Row::default() })];
    /// let mut authority = Authority::load(0, sequencer, Settings::default(), rows)?;
    /// let version = Version { session: 1, write: 2 };
    /// let restart = authority.restart(&Stamp { version, sequencer, until_tick: 305_000 }).unwrap();
    /// authority.apply(&restart);
    /// assert_eq!(authority.row(1), None);
    /// assert_eq!(authority.sequencer().unwrap().from_tick, 305_000);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn restart(&self, newer: &Stamp) -> Option<Write> {
        let sequencer = newer.sequencer?;
        // The older copy may have granted more spans while there was no witness.
        let layout = sequencer.config.layout();
        let own = self.sequencer.filter(|own| own.config.layout().has_timestamp_of(layout));
        let own_end = own.map_or(0, |own| self.latest_end(&own));
        let from_tick = newer.until_tick.max(sequencer.from_tick).max(own_end);
        let after = Sequencer { from_tick, ..sequencer };
        Some(Write::Sequencer { ended_by: TICK_MAX, before: self.sequencer, after })
    }
}
