//! # Why a shard that was restored repeats no span
//!
//! A storage that was put back to an older copy looks as it did then, so nothing in it says that
//! spans were granted since. A second object, the witness, knows, because a reply of a shard leaves
//! only when the witness has stored the shard's stamp of the newest write. A shard that is loaded
//! with an older stamp starts every node where all spans that it may have forgotten have ended.
//!
//! An older copy may also have writes that no holder was told of, in a history that the shard has
//! left. So writes are numbered within sessions, and the witness opens a new session each time the
//! object is loaded. An abandoned history ended when the object was next loaded, so its writes are
//! of an earlier session than all writes that were confirmed from then on.

use super::decision::{Row, Write};
use crate::lease::message::Sequencer;

/// The version of a write. A write of a later session is newer. Within a session, the write with
/// the larger number is newer.
///
/// ```
/// use edgeflake::lease::Version;
///
/// let abandoned = Version { session: 5, write: 110 };
/// assert!(Version { session: 6, write: 106 } > abandoned);
/// assert!(Version { session: 5, write: 109 } < abandoned);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The session; 0 before the first one. The shard stores the session's number before its first
    /// write in that session, and writes only while that number is the stored one.
    pub session: u64,
    /// Number of the write. It goes up with each write, and is stored with the row.
    pub write: u64,
}

/// How far a shard has got.
///
/// ```
/// use edgeflake::lease::{Acquire, Authority, BoundConfig, Error, Request, Sequencer, Settings};
/// use edgeflake::lease::{Token, Version};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1)?);
/// let mut authority = Authority::load(0, Some(sequencer), Settings::default(), [])?;
/// let mut stamp = authority.stamp(Version { session: 1, write: 8 });
/// assert_eq!((stamp.sequencer, stamp.until_tick), (Some(sequencer), 0));
///
/// let (token, now_ms) = (Token::from_random(7), EDGE.start_ms(5_000));
/// let acquire = Acquire { token, incarnation: None, excluded_node: None, now_ms };
/// authority.answer(now_ms, &Request::Acquire(acquire), |write| {
///     stamp.wrote(write);
///     Ok::<(), Error>(())
/// })?;
/// assert_eq!((stamp.version.write, stamp.until_tick), (9, 305_000));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// The version of the newest write.
    pub version: Version,
    /// The sequencer, if the shard knows it.
    pub sequencer: Option<Sequencer>,
    /// No span and no batch of the shard ends after this tick.
    pub until_tick: u64,
}

impl Stamp {
    /// Updates the stamp by a write that has been stored, whose version follows the stamp's.
    pub fn wrote(&mut self, write: &Write) {
        self.version.write += 1;
        match write {
            Write::Node { after, .. } => self.until_tick = self.until_tick.max(after.end()),
            Write::Sequencer { before, after, .. } => {
                if after.drops_rows_of(before.as_ref()) {
                    self.until_tick = after.from_tick;
                }
                self.sequencer = Some(*after);
            }
        }
    }
}

/// What the witness of a shard stores.
///
/// ```
/// use edgeflake::lease::{Authority, BoundConfig, Error, Sequencer, Settings, Stamp, Version};
/// use edgeflake::lease::{Witness, Write};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Some(Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1)?));
/// let mut witness = Witness::default();
///
/// // A shard is loaded, and writes.
/// let opened = witness.open(&Stamp { sequencer, ..Stamp::default() });
/// assert_eq!((opened.session, opened.newer), (1, None));
/// let version = Version { session: 1, write: 1 };
/// let stamp = Stamp { version, sequencer, until_tick: 305_000 };
/// assert!(witness.confirm(&stamp));
///
/// // Its storage is emptied, and it is loaded again.
/// let mut authority = Authority::load(0, None, Settings::default(), [])?;
/// let opened = witness.open(&authority.stamp(Version::default()));
/// assert_eq!((opened.session, opened.newer, opened.rollbacks), (2, Some(stamp), 1));
/// let restart = authority.restart(&stamp).unwrap();
/// authority.apply(&restart);
/// assert_eq!(authority.sequencer().unwrap().from_tick, 305_000);
///
/// // No stamp of the earlier session is confirmed any more.
/// assert!(!witness.confirm(&stamp));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Witness {
    /// The newest session.
    pub session: u64,
    /// The newest stamp of the shard.
    pub stamp: Stamp,
    /// How often the shard has restarted because its storage was rolled back.
    pub rollbacks: u64,
    /// The first of the sessions that were opened for a restart since the shard's last stamp, and
    /// 0 if there is none. Several are open if the shard's object was run twice, or a call was
    /// late. The shard begins at most one of them.
    pub restarting: u64,
}

/// The session that a witness opened for a shard that was loaded.
///
/// ```
/// use edgeflake::lease::{Stamp, Witness};
///
/// let opened = Witness::default().open(&Stamp::default());
/// assert_eq!((opened.session, opened.newer), (1, None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Opened {
    /// Number of the session.
    pub session: u64,
    /// The stamp that the shard had before its storage was rolled back; `None` if it was not.
    pub newer: Option<Stamp>,
    /// How often the shard was rolled back, this time included.
    pub rollbacks: u64,
}

impl Witness {
    /// Opens a session of a shard that was loaded with this stamp. The session is the answer to a
    /// call of the very object that was loaded, so it never belongs to an earlier run of the
    /// object.
    #[must_use = "a shard that was rolled back has to restart"]
    pub fn open(&mut self, loaded: &Stamp) -> Opened {
        self.heard_of(loaded.version.session);
        // A witness that was itself restored may have opened fewer sessions than the shard has seen.
        self.session = self.session.max(loaded.version.session) + 1;
        let newer = (loaded.version < self.stamp.version).then_some(self.stamp);
        if newer.is_none() {
            self.stamp = *loaded;
            self.restarting = 0;
        } else if self.restarting == 0 {
            self.restarting = self.session;
        }
        let rollbacks = self.rollbacks + u64::from(newer.is_some());
        Opened { session: self.session, newer, rollbacks }
    }

    /// Counts a rollback if the shard has begun a session that was opened for a restart.
    fn heard_of(&mut self, session: u64) {
        if self.restarting > 0 && (self.restarting..=self.session).contains(&session) {
            self.rollbacks += 1;
            self.restarting = 0;
        }
    }

    /// Stores the stamp of a write if it is newer. The stamp covers all writes before it. Returns
    /// whether these are confirmed, which they are unless a later session was opened. The shard
    /// must tell no holder of a write that is not confirmed.
    #[must_use = "what is not confirmed must not be told"]
    pub fn confirm(&mut self, stamp: &Stamp) -> bool {
        let is_newest = stamp.version.session == self.session;
        self.heard_of(stamp.version.session);
        if is_newest && stamp.version > self.stamp.version {
            self.stamp = *stamp;
        }
        is_newest
    }
}

impl Row {
    /// The first tick after the span, or after the newest batch.
    pub(super) const fn end(&self) -> u64 {
        self.until_tick + if self.until_sequence > 0 { 1 } else { 0 }
    }
}
