//! # Why two holders never have the same counter
//!
//! Problem: node ids must be handed out to isolates that start by the thousand and vanish without a
//! word, over messages that are lost and repeated, by an object that may be evicted, restarted, or
//! for a moment run twice.
//!
//! The usual answer gives a node away for a time, and lets the holder stop when its own clock says
//! that the time has passed. That is only as unique as both clocks are right.
//!
//! Here a grant is a rectangle in id space: a node, and the ticks `from_tick..until_tick`. A grant
//! of a node starts where its newest span ended or later, whatever the clock says, so the
//! rectangles of one node never overlap; and a holder that comes back an hour late still owns all
//! of its own. What must hold for that, and all that must hold, is that `until_tick` of a node is
//! never forgotten and goes down only by a release. So a row is written before the reply, with a
//! compare-and-set on what it was decided from: an authority that decided from an old table writes
//! nothing and answers nothing.
//!
//! [`Authority::decide`] is pure: it says what to write and what to answer. The shell writes, then
//! [`Authority::apply`]s, then answers; if the write fails it drops the whole authority and loads
//! it anew from the rows.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::ops::Range;

use crate::{
    Acquire, Decision, Error, Grant, Identity, Refusal, Renew, Renewal, Reply, Request, Row, Span,
    Token, Tunables, Write,
};

/// Grants the nodes of one shard of a sequencer.
///
/// Every decision takes O(log n) of the nodes ever used.
///
/// ```
/// use edgeflake::{Acquire, Authority, Error, Identity, Reply, Request, Token, Tunables};
/// use edgeflake::preset::EDGE;
///
/// let identity = Identity::new(EDGE, 64, 32, 1)?;
/// let tunables = Tunables::new(300_000, 15_000, 10_000);
/// let mut authority = Authority::load(identity, 0, 1, tunables, [])?;
/// assert_eq!(authority.nodes(), 64..96);
///
/// let (token, now_ms) = (Token::from_random(7), EDGE.start_ms(5_000));
/// let acquire = Acquire { token, incarnation: None, excluded_node: None, now_ms };
/// let decision = authority.decide(now_ms, &Request::Acquire(acquire));
///
/// // The shell stores this, then applies it, then answers.
/// let write = decision.write.unwrap();
/// authority.apply(&write);
/// let Reply::Granted(grant) = decision.reply else { unreachable!() };
/// assert_eq!((grant.span.node(), grant.span.from_tick()), (64, 5_000));
/// assert_eq!(grant.span.until_tick(), 305_000);
///
/// // Evicted, and loaded anew from what was stored.
/// let authority = Authority::load(identity, 0, 1, tunables, [(write.node, write.after)])?;
/// assert_eq!(authority.row(64), Some(write.after));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct Authority {
    identity: Identity,
    incarnation: u64,
    tunables: Tunables,
    nodes: Range<u64>,
    /// By node, from the first of `nodes` on; as long as the last node that was ever used.
    rows: Vec<Option<Row>>,
    /// The lowest node that was never used, as an index of `rows`.
    unused: usize,
    /// Nodes with a token, by the end of their span.
    held: BTreeSet<(u64, u64)>,
    /// Nodes that were released, by the end of their span.
    released: BTreeSet<(u64, u64)>,
    /// Nodes by the token of their newest span.
    tokens: BTreeMap<Token, u64>,
}

impl Authority {
    /// The authority of a shard, with the rows that are stored of it.
    ///
    /// # Errors
    /// [`Error::Lease`] for tunables that do not suit the layout, [`Error::StoredRow`] for a row
    /// that this shard cannot have written.
    ///
    /// ```
    /// use edgeflake::{Authority, Error, Identity, Row, Tunables, preset::EDGE};
    ///
    /// // The second of two shards has the nodes 16 to 31.
    /// let identity = Identity::new(EDGE, 0, 32, 2)?;
    /// let tunables = Tunables::new(300_000, 15_000, 10_000);
    /// let row = Row { from_tick: 1_000, until_tick: 9_000, token: None };
    /// assert!(Authority::load(identity, 1, 1, tunables, [(16, row)]).is_ok());
    /// let refused = Authority::load(identity, 1, 1, tunables, [(15, row)]);
    /// assert_eq!(refused.err(), Some(Error::StoredRow { node: 15 }));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn load(
        identity: Identity,
        shard: u64,
        incarnation: u64,
        tunables: Tunables,
        rows: impl IntoIterator<Item = (u64, Row)>,
    ) -> Result<Self, Error> {
        tunables.check(identity.layout())?;
        let mut authority = Self {
            identity,
            incarnation,
            tunables,
            nodes: identity.shard_nodes(shard),
            rows: Vec::new(),
            unused: 0,
            held: BTreeSet::new(),
            released: BTreeSet::new(),
            tokens: BTreeMap::new(),
        };
        for (node, row) in rows {
            let fits = authority.nodes.contains(&node)
                && row.from_tick <= row.until_tick
                && row.until_tick <= identity.layout().ticks();
            if !fits {
                return Err(Error::StoredRow { node });
            }
            authority.apply(&Write { node, before: authority.row(node), after: row });
        }
        Ok(authority)
    }

    /// Decides a request at a time in Unix ms. Changes nothing.
    ///
    /// ```
    /// use edgeflake::{Acquire, Authority, Error, Identity, Refusal, Reply, Request, Token};
    /// use edgeflake::{Tunables, preset::EDGE};
    ///
    /// let identity = Identity::new(EDGE, 0, 4, 1)?;
    /// let tunables = Tunables::new(300_000, 15_000, 10_000);
    /// let authority = Authority::load(identity, 0, 2, tunables, [])?;
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
        let decided = match request {
            Request::Acquire(acquire) => self.acquire(now_ms, acquire),
            Request::Renew(renew) => self.renew(now_ms, renew),
        };
        decided.unwrap_or_else(|refusal| Decision {
            write: None,
            reply: Reply::Refused { refusal, incarnation: self.incarnation },
        })
    }

    /// Takes over a write that has been stored.
    ///
    /// ```
    /// use edgeflake::{Acquire, Authority, Error, Identity, Request, Token, Tunables};
    /// use edgeflake::preset::EDGE;
    ///
    /// let identity = Identity::new(EDGE, 0, 4, 1)?;
    /// let tunables = Tunables::new(300_000, 15_000, 10_000);
    /// let mut authority = Authority::load(identity, 0, 1, tunables, [])?;
    /// let now_ms = EDGE.start_ms(5_000);
    /// let nodes = [1, 2, 3].map(|random| {
    ///     let token = Token::from_random(random);
    ///     let acquire = Acquire { token, incarnation: None, excluded_node: None, now_ms };
    ///     let write = authority.decide(now_ms, &Request::Acquire(acquire)).write.unwrap();
    ///     authority.apply(&write);
    ///     write.node
    /// });
    /// assert_eq!(nodes, [0, 1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn apply(&mut self, write: &Write) {
        let Write { node, before, after } = *write;
        if let Some(before) = before {
            self.held.remove(&(before.until_tick, node));
            self.released.remove(&(before.until_tick, node));
            if let Some(token) = before.token
                && self.tokens.get(&token) == Some(&node)
            {
                self.tokens.remove(&token);
            }
        }
        match after.token {
            Some(token) => {
                self.held.insert((after.until_tick, node));
                self.index_token(token, node, after.until_tick);
            }
            None => {
                self.released.insert((after.until_tick, node));
            }
        }
        let Some(index) = self.index(node) else { return };
        if index >= self.rows.len() {
            self.rows.resize(index + 1, None);
        }
        self.rows[index] = Some(after);
        while self.rows.get(self.unused).is_some_and(Option::is_some) {
            self.unused += 1;
        }
    }

    /// A token that was granted twice, because less than half of its first span was left at the
    /// retry, means the later span.
    fn index_token(&mut self, token: Token, node: u64, until_tick: u64) {
        let other = self.tokens.get(&token).and_then(|other| self.row(*other));
        if other.is_none_or(|other| other.until_tick <= until_tick) {
            self.tokens.insert(token, node);
        }
    }

    fn acquire(&self, now_ms: u64, acquire: &Acquire) -> Result<Decision, Refusal> {
        if let Some(found) = acquire.incarnation {
            self.check_incarnation(found)?;
        }
        let layout = self.identity.layout();
        let now = layout.tick(now_ms).map_err(|_| Refusal::OutsideLayout {
            now_ms,
            epoch_ms: layout.epoch_ms(),
            end_ms: layout.end_ms(),
        })?;
        let max_ms = self.tunables.clock_disagreement_max_ms();
        if now_ms.abs_diff(acquire.now_ms) > max_ms {
            return Err(Refusal::ClockDisagreement {
                authority_ms: now_ms,
                holder_ms: acquire.now_ms,
                max_ms,
            });
        }
        let until_tick = layout.tick_clamped(now_ms + self.tunables.lease_ms());
        let granted_before = self.granted_before(now, acquire.token);
        let (node, before, after) = if let Some((node, row)) = granted_before {
            (node, Some(row), row)
        } else {
            let (node, before) = self
                .choose(now, until_tick, acquire.excluded_node)
                .ok_or_else(|| self.no_node_free(now_ms))?;
            let from_tick = before.map_or(now, |row| row.until_tick.max(now));
            (node, before, Row { from_tick, until_tick, token: Some(acquire.token) })
        };
        let span = Span::new(layout, node, after.from_tick, after.until_tick)
            .map_err(|_| self.no_node_free(now_ms))?;
        Ok(Decision {
            write: Some(Write { node, before, after }),
            reply: Reply::Granted(Grant {
                token: acquire.token,
                incarnation: self.incarnation,
                identity: self.identity,
                span,
                lease_ms: self.tunables.lease_ms(),
                allowed_future_ms: self.tunables.allowed_future_ms(),
            }),
        })
    }

    /// The span that this token was granted, if at least half of it is left.
    fn granted_before(&self, now: u64, token: Token) -> Option<(u64, Row)> {
        let node = *self.tokens.get(&token)?;
        let row = self.row(node)?;
        let left = row.until_tick.saturating_sub(now);
        (left >= (row.until_tick - row.from_tick).div_ceil(2)).then_some((node, row))
    }

    /// The node to grant: of those free for at least one lease time the one that is free longest,
    /// else one that was never used, else any that is free, longest first. So the table stays as
    /// small as the peak, and ids of a node are not reused in a hurry.
    fn choose(
        &self,
        now: u64,
        until_tick: u64,
        excluded: Option<u64>,
    ) -> Option<(u64, Option<Row>)> {
        let first = |set: &BTreeSet<(u64, u64)>| {
            set.iter().copied().find(|(_, node)| Some(*node) != excluded)
        };
        let expired = first(&self.held).filter(|(until, _)| *until <= now);
        let released = first(&self.released).filter(|(until, _)| *until < until_tick);
        let free = match (expired, released) {
            (Some(expired), Some(released)) => Some(expired.min(released)),
            (expired, released) => expired.or(released),
        };
        let lease_ticks = self.identity.layout().ticks_in(self.tunables.lease_ms());
        let rested = free.filter(|(until, _)| until.saturating_add(lease_ticks) <= now);
        if let Some((_, node)) = rested {
            return Some((node, self.row(node)));
        }
        let mut unused = self.nodes.start + self.unused as u64..self.nodes.end;
        if let Some(node) = unused.find(|node| self.row(*node).is_none() && Some(*node) != excluded)
        {
            return Some((node, None));
        }
        free.map(|(_, node)| (node, self.row(node)))
    }

    fn no_node_free(&self, now_ms: u64) -> Refusal {
        let first_end_ms = self
            .held
            .first()
            .map_or(now_ms, |(until_tick, _)| self.identity.layout().start_ms(*until_tick));
        Refusal::NoNodeFree { retry_in_ms: first_end_ms.saturating_sub(now_ms) }
    }

    fn renew(&self, now_ms: u64, renew: &Renew) -> Result<Decision, Refusal> {
        self.check_incarnation(renew.incarnation)?;
        let layout = self.identity.layout();
        let now = layout.tick_clamped(now_ms);
        let lease_ticks = layout.ticks_in(self.tunables.lease_ms());
        // A token that was granted twice names two spans, between which another holder may have had
        // one of the same node: only a holder that has reached this one has adopted this one.
        let renewable = self.row(renew.node).filter(|row| {
            row.token == Some(renew.token)
                && row.from_tick <= renew.tick
                && now <= row.until_tick.saturating_add(lease_ticks)
        });
        let Some(before) = renewable else {
            return Ok(Decision {
                write: None,
                reply: Reply::Ended { token: renew.token, incarnation: self.incarnation },
            });
        };
        let base_tick = now.max(renew.tick).min(before.until_tick);
        let until_tick =
            base_tick.saturating_add(lease_ticks).min(layout.ticks()).max(before.until_tick);
        Ok(Decision {
            write: Some(Write {
                node: renew.node,
                before: Some(before),
                after: Row { until_tick, ..before },
            }),
            reply: Reply::Renewed(Renewal {
                token: renew.token,
                incarnation: self.incarnation,
                until_tick,
                lease_ms: self.tunables.lease_ms(),
                allowed_future_ms: self.tunables.allowed_future_ms(),
            }),
        })
    }

    fn check_incarnation(&self, found: u64) -> Result<(), Refusal> {
        if found == self.incarnation { Ok(()) } else { Err(Refusal::OtherIncarnation { found }) }
    }

    /// What is known of a node; `None` if it was never used.
    #[must_use]
    pub fn row(&self, node: u64) -> Option<Row> {
        self.rows.get(self.index(node)?).copied().flatten()
    }

    /// The nodes that this shard grants.
    #[must_use]
    pub fn nodes(&self) -> Range<u64> {
        self.nodes.clone()
    }

    fn index(&self, node: u64) -> Option<usize> {
        if self.nodes.contains(&node) {
            usize::try_from(node - self.nodes.start).ok()
        } else {
            None
        }
    }
}
