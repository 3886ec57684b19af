//! # Why two holders never have the same counter
//!
//! Problem: an authority must hand out nodes to isolates (the processes of a serverless platform)
//! that start by the thousand and vanish without notice. Messages are lost and repeated. The object
//! that hands out the nodes may be evicted or restarted, or may run twice for a moment.
//!
//! The usual lease gives a node to a holder for a time, and the holder stops when its own clock
//! says that this time has passed. Then ids are unique only while the clocks of holder and
//! authority are right.
//!
//! Here a grant is a rectangle in id space: one node, and the ticks `from_tick..until_tick`. A
//! grant of a node starts where the node's newest span ends, or later, whatever the clock says. So
//! the rectangles of one node never overlap, and a holder that comes back an hour late still owns
//! its rectangle. Both facts rest on one rule: a node's `until_tick` is never forgotten, and only a
//! release lowers it. So the node's row is written before the reply leaves, and only if the stored
//! row is still the row from which the reply was decided. An authority whose table is out of date
//! therefore writes nothing and answers nothing.
//!
//! [`Authority::decide`] is pure: it returns the write and the reply. [`Authority::answer`] calls
//! `store` with the write, applies the write to its table, and then answers. If `store` fails, the
//! shell (the code around the authority that does the I/O) drops the whole authority and loads it
//! anew from the rows.

mod batch;
mod database;
mod decision;
mod earliest_end;
mod excerpt;
pub mod fence;
mod grant;
mod node_table;
mod overload;
mod registry;
mod restart;
mod status;
mod tokens;
mod witness;

pub use self::database::{
    Commit, DatabaseCall, Effect, Failover, Memory, Part, Reading, Statement,
};
pub use self::decision::{Decision, Row, Write};
pub use self::status::Status;
pub use self::witness::{NodeEnd, SessionStart, Stamp, Version, Witness};

use alloc::vec::Vec;
use core::ops::Range;

use self::excerpt::Excerpt;
use self::node_table::NodeTable;
use self::overload::Overload;
use crate::lease::error::Error;
use crate::lease::message::{Reply, Request, Sequencer, Settings};

/// Grants the nodes of one shard of a sequencer. Shard 0 is also the registry, from which the other
/// shards learn the sequencer's configuration.
///
/// A decision takes O(log n) time, where n is the number of nodes ever used. Only destroying the
/// sequencer and following the registry look at all rows, and take O(n).
///
/// ```
/// use edgeflake::lease::{Acquire, Authority, BoundConfig, Error, Reply, Request, Sequencer};
/// use edgeflake::lease::{Settings, Token, Write};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Some(Sequencer::new(BoundConfig::new(EDGE, 64, 32, 1)?));
/// let settings = Settings::default();
/// let mut authority = Authority::load(0, sequencer, settings, [])?;
/// assert_eq!(authority.nodes(), 64..96);
///
/// let (token, now_ms) = (Token::from_random(7), EDGE.start_ms(5_000));
/// let acquire = Acquire { token, incarnation: None, excluded_node: None, now_ms };
/// let mut rows = Vec::new();
/// let reply = authority.answer(now_ms, &Request::Acquire(acquire), |write| {
///     let Write::Node { node, after, .. } = *write else { unreachable!() };
///     rows.push((node, after));
///     Ok::<(), Error>(())
/// })?;
/// let Reply::Granted(grant) = reply else { unreachable!() };
/// assert_eq!((grant.span.node(), grant.span.from_tick()), (65, 5_000)); // 64 is for batches
/// assert_eq!(grant.span.until_tick(), 305_000);
///
/// // The object is evicted, and loaded anew from its stored rows.
/// let authority = Authority::load(0, sequencer, settings, rows)?;
/// assert_eq!(authority.row(65).unwrap().until_tick, 305_000);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
#[cfg_attr(model, derive(Clone, Hash))]
pub struct Authority {
    shard: u64,
    sequencer: Option<Sequencer>,
    settings: Settings,
    table: NodeTable,
    overload: Overload,
    /// The time, in ms, for which requests may have waited before this process read them.
    unseen_max_ms: u64,
}

impl Authority {
    /// Creates the authority of a shard from what is stored: the sequencer, if the shard knows it,
    /// and the rows of its nodes. `load` reserves memory once, for as many rows as the upper bound
    /// of the iterator's size hint.
    ///
    /// # Errors
    /// The errors of [`Settings::check`], and [`Error::StoredRow`] for a row that this shard cannot
    /// have written.
    ///
    /// ```
    /// use edgeflake::lease::{Authority, BoundConfig, Error, Row, Sequencer, Settings};
    /// use edgeflake::preset::EDGE;
    ///
    /// // The second of two shards has the nodes 16 to 31.
    /// let sequencer = Some(Sequencer::new(BoundConfig::new(EDGE, 0, 32, 2)?));
    /// let row = Row { from_tick: 1_000, until_tick: 9_000, ..Row::default() };
    /// let load = |node| Authority::load(1, sequencer, Settings::default(), [(node, row)]);
    /// assert!(load(16).is_ok());
    /// assert_eq!(load(15).err(), Some(Error::StoredRow { node: 15 }));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn load(
        shard: u64,
        sequencer: Option<Sequencer>,
        settings: Settings,
        rows: impl IntoIterator<Item = (u64, Row)>,
    ) -> Result<Self, Error> {
        if let Some(sequencer) = &sequencer {
            settings.check(sequencer.config.layout())?;
        }
        let nodes = sequencer.map_or(0..0, |sequencer| sequencer.config.shard_nodes(shard));
        let rows = rows.into_iter();
        let most = usize::try_from(nodes.end - nodes.start).unwrap_or(usize::MAX);
        let mut loaded = Vec::new();
        // The memory for all rows is reserved at once, so that loading them copies nothing.
        loaded.reserve_exact(rows.size_hint().1.unwrap_or(0).min(most));
        for (node, row) in rows {
            let fits = sequencer.is_some_and(|sequencer| {
                let layout = sequencer.config.layout();
                let is_for_batches = node == nodes.start;
                let width = if is_for_batches { layout.ids_per_tick() } else { 1 };
                nodes.contains(&node)
                    && !(is_for_batches && row.token.is_some())
                    && row.from_tick <= row.until_tick
                    && row.until_tick <= layout.ticks()
                    && row.until_sequence < width
                    && (row.until_sequence == 0 || row.until_tick < layout.ticks())
            });
            let index = usize::try_from(node.wrapping_sub(nodes.start)).ok().filter(|_| fits);
            let index = index.ok_or(Error::StoredRow { node })?;
            if index >= loaded.len() {
                loaded.resize(index + 1, None);
            }
            loaded[index] = Some(row);
        }
        let table = NodeTable::of(nodes, loaded);
        let overload = Overload::default();
        Ok(Self { shard, sequencer, settings, table, overload, unseen_max_ms: 0 })
    }

    /// Answers a request at the time `now_ms`, in Unix ms. If the decision has a write, `answer`
    /// calls `store` with the write, applies the write to the table, and only then returns the
    /// reply. If a request arrived before `now_ms`, pass the request that [`Request::after_wait`]
    /// returns.
    ///
    /// # Errors
    /// The errors of `store`. After an error, drop this authority and load it again from what is
    /// stored, because the table in memory may be out of date, or because the write may have been
    /// stored although `store` failed.
    ///
    /// ```
    /// use edgeflake::lease::{Authority, BoundConfig, Error, Life, Reply, Request, Sequencer};
    /// use edgeflake::lease::Settings;
    /// use edgeflake::preset::EDGE;
    ///
    /// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1)?);
    /// let mut authority = Authority::load(0, Some(sequencer), Settings::default(), [])?;
    /// let (mut stored, now_ms) = (None, EDGE.start_ms(5_000));
    /// assert!(authority.answer(now_ms, &Request::Destroy, |_| Err("disk full")).is_err());
    /// let reply = authority.answer(now_ms, &Request::Destroy, |write| {
    ///     stored = Some(*write);
    ///     Ok::<(), Error>(())
    /// });
    /// let life = Life::Destroyed { until_tick: 0 };
    /// assert_eq!(reply, Ok(Reply::Described(Some(Sequencer { life, ..sequencer }))));
    /// assert!(stored.is_some());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn answer<E>(
        &mut self,
        now_ms: u64,
        request: &Request,
        store: impl FnOnce(&Write) -> Result<(), E>,
    ) -> Result<Reply, E> {
        if let Some(refused) = self.admit(now_ms, request) {
            return Ok(refused);
        }
        let Decision { write, reply } = self.decide(now_ms, request);
        if let Some(write) = &write {
            store(write)?;
            self.apply(write);
        }
        Ok(reply)
    }

    /// Returns a refusal if the shard is overloaded in this second. Batches are refused first, then
    /// grants, but never renewals and releases. Call `admit` before [`decide`](Self::decide).
    ///
    /// ```
    /// use edgeflake::lease::{Authority, Error, Prefetch, Refusal, Reply, Request, Settings};
    ///
    /// let settings = Settings { operations_per_second_max: 4, ..Settings::default() };
    /// let mut authority = Authority::load(0, None, settings, [])?;
    /// let prefetch = Prefetch { incarnation: None, count: None, now_ms: 5_000 };
    /// let request = Request::Prefetch(prefetch);
    /// assert_eq!(authority.admit(5_000, &request), None);
    /// assert_eq!(authority.admit(5_000, &request), None);
    /// let refusal = Refusal::Overloaded { retry_in_ms: 2_000 };
    /// let refused = Some(Reply::Refused { refusal, incarnation: 0 });
    /// assert_eq!(authority.admit(5_000, &request), refused);
    /// assert_eq!(authority.admit(6_000, &request), None);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn admit(&mut self, now_ms: u64, request: &Request) -> Option<Reply> {
        let max = self.settings.operations_per_second_max;
        let admitted = if self.has_waited(now_ms, request) {
            Err(self.overload.refuse(now_ms, max))
        } else {
            self.overload.admit(now_ms, max, request)
        };
        admitted.err().map(|refusal| Reply::refused(refusal, self.sequencer()))
    }

    /// Tells the authority for how many ms requests may have waited unread, because this process
    /// stood still. If the time in a request for a lease or a batch may be old for this reason, the
    /// authority refuses the request as overload, because the holder has stopped waiting, and
    /// because the holder's clock would look wrong.
    ///
    /// ```
    /// use edgeflake::lease::{Authority, Error, Prefetch, Reply, Request, Settings};
    ///
    /// let mut authority = Authority::load(0, None, Settings::default(), [])?;
    /// let request = Request::Prefetch(Prefetch { incarnation: None, count: None, now_ms: 5_000 });
    /// assert_eq!(authority.admit(35_000, &request), None);
    /// authority.set_unseen_max_ms(30_000);
    /// assert!(matches!(authority.admit(35_000, &request), Some(Reply::Refused { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn set_unseen_max_ms(&mut self, unseen_max_ms: u64) {
        self.unseen_max_ms = unseen_max_ms;
    }

    /// Returns whether the time in a request may be old only because the request has waited unread.
    fn has_waited(&self, now_ms: u64, request: &Request) -> bool {
        let Some(holder_ms) = request.holder_ms() else { return false };
        let max_ms = self.settings.clock_disagreement_max_ms;
        let behind_ms = now_ms.saturating_sub(holder_ms);
        behind_ms > max_ms && behind_ms <= self.unseen_max_ms.saturating_add(max_ms)
    }

    /// Decides a request at the time `now_ms`, in Unix ms, and changes nothing.
    ///
    /// ```
    /// use edgeflake::lease::{Acquire, Authority, BoundConfig, Error, Refusal, Reply, Request};
    /// use edgeflake::lease::{Sequencer, Settings, Token};
    /// use edgeflake::preset::EDGE;
    ///
    /// let config = BoundConfig::new(EDGE, 0, 4, 1)?;
    /// let sequencer = Sequencer { incarnation: 2, ..Sequencer::new(config) };
    /// let authority = Authority::load(0, Some(sequencer), Settings::default(), [])?;
    /// let (token, now_ms) = (Token::from_random(7), EDGE.start_ms(5_000));
    /// let acquire = |incarnation| {
    ///     Request::Acquire(Acquire { token, incarnation, excluded_node: None, now_ms })
    /// };
    /// let decision = authority.decide(now_ms, &acquire(Some(2)));
    /// assert!(matches!(decision.reply, Reply::Granted(_)));
    /// assert_eq!(authority.decide(now_ms, &acquire(Some(2))), decision);
    ///
    /// let refusal = Refusal::OtherIncarnation { found: 1 };
    /// let reply = Reply::Refused { refusal, incarnation: 2 };
    /// assert_eq!(authority.decide(now_ms, &acquire(Some(1))).reply, reply);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn decide(&self, now_ms: u64, request: &Request) -> Decision {
        let table = &self.table;
        let (mut granted, mut held, mut released, mut unused) = (None, None, None, None);
        let mut excerpt = Excerpt {
            shard: self.shard,
            sequencer: self.sequencer.as_ref(),
            settings: &self.settings,
            is_shared: false,
            row: None,
            granted: &[],
            held: &[],
            released: &[],
            unused: &[],
            latest_end: 0,
            used_end: 0,
        };
        match request {
            Request::Acquire(acquire) => {
                granted = table.of_token(acquire.token);
                held = table.first_held(acquire.excluded_node);
                released = table.first_released(acquire.excluded_node);
                unused = table.first_unused(acquire.excluded_node);
            }
            Request::Renew(renew) => excerpt.row = table.row(renew.node),
            Request::Release(release) => excerpt.row = table.row(release.node),
            Request::Prefetch(_) => excerpt.row = table.row(table.batch_node()),
            Request::Destroy | Request::Follow(_) => excerpt.latest_end = table.latest_end(),
            Request::Shrink(_) => excerpt.used_end = table.used_end(),
            Request::Describe | Request::Create(_) | Request::Confirm(_) => {}
        }
        (excerpt.granted, excerpt.held) = (granted.as_slice(), held.as_slice());
        (excerpt.released, excerpt.unused) = (released.as_slice(), unused.as_slice());
        excerpt.decide(now_ms, request)
    }

    /// Applies a stored write to the state in memory.
    ///
    /// ```
    /// use edgeflake::lease::{Acquire, Authority, BoundConfig, Error, Request, Sequencer};
    /// use edgeflake::lease::{Settings, Token, Write};
    /// use edgeflake::preset::EDGE;
    ///
    /// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1)?);
    /// let mut authority = Authority::load(0, Some(sequencer), Settings::default(), [])?;
    /// let now_ms = EDGE.start_ms(5_000);
    /// let nodes = [1, 2, 3].map(|random| {
    ///     let token = Token::from_random(random);
    ///     let acquire = Acquire { token, incarnation: None, excluded_node: None, now_ms };
    ///     let write = authority.decide(now_ms, &Request::Acquire(acquire)).write.unwrap();
    ///     authority.apply(&write);
    ///     let Write::Node { node, .. } = write else { unreachable!() };
    ///     node
    /// });
    /// assert_eq!(nodes, [1, 2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn apply(&mut self, write: &Write) {
        match *write {
            Write::Node { node, after, .. } => self.table.put(node, after),
            Write::Sequencer { drops_rows, after, .. } => {
                if drops_rows {
                    let nodes = after.config.shard_nodes(self.shard);
                    self.table = NodeTable::of(nodes, Vec::new());
                } else {
                    self.table.shrink(after.config.shard_nodes(self.shard));
                }
                self.sequencer = Some(after);
            }
        }
    }

    /// Returns the sequencer; `None` if this shard does not know it.
    #[must_use]
    pub const fn sequencer(&self) -> Option<&Sequencer> {
        self.sequencer.as_ref()
    }

    /// Returns the row of a node; `None` if this incarnation has never used the node.
    #[must_use]
    pub fn row(&self, node: u64) -> Option<Row> {
        self.table.row(node)
    }

    /// Returns the nodes that this incarnation has used, in ascending order, with their rows.
    pub fn rows(&self) -> impl Iterator<Item = (u64, Row)> {
        self.table.rows()
    }

    /// Returns the rows of these nodes, as [`rows`](Self::rows) does. Skipping other nodes costs
    /// nothing.
    ///
    /// ```
    /// use edgeflake::lease::{Authority, BoundConfig, Error, Row, Sequencer, Settings};
    /// use edgeflake::preset::EDGE;
    ///
    /// let sequencer = Some(Sequencer::new(BoundConfig::new(EDGE, 64, 32, 1)?));
    /// let rows = [64, 65, 70].map(|node| (node, Row::default()));
    /// let authority = Authority::load(0, sequencer, Settings::default(), rows)?;
    /// let nodes = |range| authority.rows_of(range).map(|(node, _)| node).collect::<Vec<_>>();
    /// assert_eq!((nodes(0..65), nodes(65..70), nodes(70..999)), (vec![64], vec![65], vec![70]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn rows_of(&self, nodes: Range<u64>) -> impl Iterator<Item = (u64, Row)> {
        self.table.rows_of(nodes)
    }

    /// Returns the nodes of this shard. The first node is kept for batches, and the others are
    /// granted.
    #[must_use]
    pub fn nodes(&self) -> Range<u64> {
        self.table.nodes()
    }

    /// Returns the counts of the shard's nodes and ids at a time in Unix ms.
    #[must_use]
    pub fn status(&self, now_ms: u64) -> Status {
        let Some(sequencer) = self.sequencer() else { return Status::default() };
        let nodes = self.nodes();
        let granted = (nodes.end - nodes.start).saturating_sub(1);
        let mut status = Status { nodes: granted, ..Status::default() };
        let now = sequencer.config.layout().tick_clamped(now_ms);
        for (node, row) in self.rows() {
            status.issued = Row::issued_sum(status.issued, row.issued);
            if node != nodes.start {
                status.used += 1;
                status.held += u64::from(row.until_tick > now);
            }
        }
        status
    }
}
