//! # Why a shard that was restored repeats no span
//!
//! A storage that was restored from an older copy looks as it did when the copy was made. So the
//! storage does not show which spans were granted after that. A second object, the witness, reveals
//! the restore: a reply of a shard leaves only when the witness has stored a stamp of the shard's
//! newest write. If a shard is loaded with an older stamp, it starts every node at a tick by which
//! all forgotten spans have ended.
//!
//! A stamp would be too large if it had an end for each node. A stamp has one end for each of the
//! few nodes whose spans end last, and one end for all other nodes. So if the clock was far ahead
//! while a few nodes were granted, the other nodes need not wait until those spans have ended.
//!
//! An older copy may also have writes that no holder was told of. These writes belong to a history
//! that the shard has abandoned. So writes are numbered within sessions, and the witness opens a
//! new session each time the object is loaded. An abandoned history ended when the object was next
//! loaded, so its writes belong to an earlier session than all writes that were confirmed
//! afterwards.
//!
//! Three simpler ways do not suffice. Holders cannot tell the shard how far the shard had got,
//! because a node may be granted again before its old holder renews, and a careless caller can send
//! any tick. A neighbouring shard cannot be the witness, because that shard would have to wait for
//! its own witness before it confirms. A witness that stores each node's row would need no
//! sessions, but it would need as many rows as the shard, and could not restore a registry.

use alloc::vec::Vec;
use core::{iter, mem};

use super::decision::{Row, Write};
use crate::lease::message::Sequencer;

/// No layout has a larger tick.
const TICK_MAX: u64 = (1 << 53) - 1;

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
    /// The session; 0 before the first session. The shard stores the session's number before its
    /// first write in that session, and writes only while the storage has that number.
    pub session: u64,
    /// The number of the write. It goes up with each write, and is stored with the row.
    pub write: u64,
}

/// A node, and the tick by which its spans have ended.
///
/// ```
/// use edgeflake::lease::{NodeEnd, Stamp};
///
/// let mut stamp = Stamp::default();
/// stamp.cover(1, 9_000);
/// assert_eq!(stamp.latest[0], NodeEnd { node: 1, until_tick: 9_000 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NodeEnd {
    /// The node.
    pub node: u64,
    /// No span and no batch of the node ends after this tick.
    pub until_tick: u64,
}

/// A summary of all writes of a shard so far, which the shard sends to its witness.
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
/// assert_eq!((stamp.version.write, stamp.latest[0].until_tick), (9, 305_000));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// The version of the newest write.
    pub version: Version,
    /// The sequencer, if the shard knows it.
    pub sequencer: Option<Sequencer>,
    /// The nodes whose spans end last, in the order of these ends, the latest end first. An end of
    /// 0 stands for no node.
    pub latest: [NodeEnd; Self::LATEST],
    /// No span and no batch of any other node ends after this tick.
    pub until_tick: u64,
}

impl Stamp {
    /// The number of nodes that have an end of their own in a stamp. Each of these nodes takes
    /// about 40 bytes of every call to the witness.
    pub const LATEST: usize = 8;

    /// Updates the stamp after a write was stored. The write's version is the next version after
    /// the stamp's version.
    pub fn wrote(&mut self, write: &Write) {
        self.version.write += 1;
        match *write {
            Write::Node { node, after, .. } => self.cover(node, after.end()),
            Write::Sequencer { drops_rows, after, .. } => {
                if drops_rows {
                    self.latest = Default::default();
                    self.until_tick = after.from_tick;
                }
                self.sequencer = Some(after);
            }
        }
    }

    /// Raises the end of a node to this tick. If the node then belongs to the latest nodes, but
    /// there is no room for one more, the earliest of the latest nodes joins the other nodes, which
    /// share one end.
    ///
    /// ```
    /// use edgeflake::lease::Stamp;
    ///
    /// let mut stamp = Stamp::default();
    /// (1..=8).for_each(|node| stamp.cover(node, 100 * node));
    /// assert_eq!((stamp.latest[7].node, stamp.until_tick), (1, 0));
    /// stamp.cover(9, 900);
    /// assert_eq!((stamp.latest[7].node, stamp.until_tick), (2, 100));
    /// ```
    pub fn cover(&mut self, node: u64, until_tick: u64) {
        let mut earlier = NodeEnd { node, until_tick };
        for late in &mut self.latest {
            let is_own = late.node == node;
            if late.until_tick <= earlier.until_tick {
                mem::swap(late, &mut earlier);
            }
            // `earlier` is now the earlier of two ends of this node.
            if is_own {
                return;
            }
        }
        self.until_tick = self.until_tick.max(earlier.until_tick);
    }

    /// Returns the writes after which every node starts where its spans have ended according to the
    /// stamp, and no older grant is renewed.
    pub(super) fn restart(&self, shard: u64, before: Option<Sequencer>) -> Vec<Write> {
        let Some(sequencer) = self.sequencer else { return Vec::new() };
        // A sequencer that was destroyed grants none of its nodes again.
        let nodes = if sequencer.is_active() { sequencer.config.shard_nodes(shard) } else { 0..0 };
        let is_granted = |late: &&NodeEnd| nodes.contains(&late.node);
        let others = self.latest.iter().filter(|late| !is_granted(late));
        let from_tick = others
            .map(|late| late.until_tick)
            .fold(sequencer.from_tick.max(self.until_tick), u64::max);
        let after = Sequencer { from_tick, ..sequencer };
        let restart = Write::Sequencer { ended_by: TICK_MAX, drops_rows: true, before, after };
        let latest =
            self.latest.iter().filter(is_granted).filter(|late| late.until_tick > from_tick);
        let rows = latest.map(|&NodeEnd { node, until_tick }| Write::Node {
            incarnation: sequencer.incarnation,
            node,
            before: None,
            after: Row { from_tick: until_tick, until_tick, ..Row::default() },
        });
        iter::once(restart).chain(rows).collect()
    }
}

/// The state of a shard's witness.
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
/// let stamp = Stamp { version, sequencer, until_tick: 305_000, ..Stamp::default() };
/// assert!(witness.confirm(&stamp));
///
/// // Its storage is emptied, and it is loaded again.
/// let mut authority = Authority::load(0, None, Settings::default(), [])?;
/// let opened = witness.open(&authority.stamp(Version::default()));
/// assert_eq!((opened.session, opened.newer, opened.rollbacks), (2, Some(stamp), 1));
/// authority.restart(&stamp).iter().for_each(|write| authority.apply(write));
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
    /// The number of times that the shard has restarted because its storage was rolled back.
    pub rollbacks: u64,
    /// The first of the sessions that were opened for a restart since the shard's newest stamp; 0
    /// if there is no such session. There are several such sessions if the shard's object was run
    /// twice, or if a call was late. The shard begins at most one of these sessions.
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
pub struct SessionStart {
    /// The number of the session.
    pub session: u64,
    /// The stamp that the shard had before its storage was rolled back; `None` without a rollback.
    pub newer: Option<Stamp>,
    /// The number of times that the shard was rolled back, this time included.
    pub rollbacks: u64,
}

impl Witness {
    /// Opens a session for a shard that was loaded with this stamp. Only the caller gets the number
    /// of this session, so no earlier run of the object can use the session.
    #[must_use = "a shard that was rolled back has to restart"]
    pub fn open(&mut self, loaded: &Stamp) -> SessionStart {
        self.heard_of(loaded.version.session);
        // A witness that was itself restored may have opened fewer sessions than the shard has
        // begun.
        self.session = self.session.max(loaded.version.session) + 1;
        let newer = (loaded.version < self.stamp.version).then_some(self.stamp);
        if newer.is_none() {
            self.stamp = *loaded;
            self.restarting = 0;
        } else if self.restarting == 0 {
            self.restarting = self.session;
        }
        let rollbacks = self.rollbacks + u64::from(newer.is_some());
        SessionStart { session: self.session, newer, rollbacks }
    }

    /// Counts a rollback if the shard has begun one of the sessions that were opened for a restart.
    fn heard_of(&mut self, session: u64) {
        if self.restarting > 0 && (self.restarting..=self.session).contains(&session) {
            self.rollbacks += 1;
            self.restarting = 0;
        }
    }

    /// Stores the stamp of a write if the stamp is newer than the stored stamp. The stamp covers
    /// that write and all writes before it. Returns whether these writes are confirmed. If a later
    /// session was opened, these writes are not confirmed, and the shard must tell no holder of
    /// them.
    #[must_use = "a stamp that is not confirmed must not be sent"]
    pub fn confirm(&mut self, stamp: &Stamp) -> bool {
        let is_newest = stamp.version.session == self.session;
        self.heard_of(stamp.version.session);
        if is_newest && stamp.version > self.stamp.version {
            self.stamp = *stamp;
        }
        is_newest
    }
}
