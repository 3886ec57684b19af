use crate::{Error, Identity};

/// A named configuration with its own authority: what one object stores of it, and what the
/// registry tells the other shards.
///
/// ```
/// use edgeflake::{Error, Identity, Life, Sequencer, preset::EDGE};
///
/// let identity = Identity::new(EDGE, 0, 64, 2)?;
/// let sequencer = Sequencer::new(identity);
/// assert_eq!((sequencer.incarnation, sequencer.from_tick), (1, 0));
/// assert_eq!(sequencer.life, Life::Active);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sequencer {
    /// What it is bound to.
    pub identity: Identity,
    /// Goes up at each creation, from 1.
    pub incarnation: u64,
    /// No span of this incarnation starts before this tick: all of the earlier ones have ended
    /// there.
    pub from_tick: u64,
    /// Whether it grants.
    pub life: Life,
}

/// Whether a sequencer grants.
///
/// ```
/// use edgeflake::{Authority, Decision, Error, Identity, Life, Reply, Request, Sequencer};
/// use edgeflake::{Tunables, preset::EDGE};
///
/// let sequencer = Sequencer::new(Identity::new(EDGE, 0, 64, 1)?);
/// let registry = Authority::load(0, Some(sequencer), Tunables::default(), [])?;
/// let Decision { reply, .. } = registry.decide(EDGE.start_ms(0), &Request::Destroy);
/// let Reply::Described(Some(sequencer)) = reply else { unreachable!() };
/// assert_eq!(sequencer.life, Life::Destroyed { until_tick: 0 });
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Life {
    /// It grants and renews.
    Active,
    /// It does neither any more, as far as the registry knows: shards that have not confirmed it
    /// yet may still do.
    Destroying {
        /// How many shards have confirmed: the shards from 0 up to this one.
        confirmed: u64,
        /// The latest end of a span that they told, as a tick.
        until_tick: u64,
    },
    /// It does neither.
    Destroyed {
        /// The latest end of any span, as a tick. When this has passed it can be created again.
        until_tick: u64,
    },
}

impl Sequencer {
    /// The first incarnation of a sequencer.
    #[must_use]
    pub const fn new(identity: Identity) -> Self {
        Self { identity, incarnation: 1, from_tick: 0, life: Life::Active }
    }

    /// Whether it grants.
    ///
    /// ```
    /// use edgeflake::{Error, Identity, Life, Sequencer, preset::EDGE};
    ///
    /// let sequencer = Sequencer::new(Identity::new(EDGE, 0, 64, 2)?);
    /// assert!(sequencer.is_active());
    /// let life = Life::Destroyed { until_tick: 9 };
    /// assert!(!Sequencer { life, ..sequencer }.is_active());
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub const fn is_active(&self) -> bool {
        matches!(self.life, Life::Active)
    }

    /// The next incarnation, of which no id is one of this one's: its spans start where all of this
    /// one's have ended, and the timestamp is the same bits.
    ///
    /// # Errors
    /// [`Error::NotDestroyed`] while a shard may still grant, [`Error::OtherTimestamp`] for a layout
    /// with another epoch, another tick or other timestamp bits.
    ///
    /// ```
    /// use edgeflake::{Error, Identity, Life, Sequencer, preset::{EDGE, TWITTER}};
    ///
    /// let first = Sequencer::new(Identity::new(EDGE, 0, 64, 2)?);
    /// let wider = Identity::new(EDGE, 0, 128, 4)?;
    /// assert_eq!(first.recreated(wider), Err(Error::NotDestroyed));
    ///
    /// let destroyed = Sequencer { life: Life::Destroyed { until_tick: 9_000 }, ..first };
    /// let second = destroyed.recreated(wider)?;
    /// assert_eq!((second.identity, second.incarnation, second.from_tick), (wider, 2, 9_000));
    /// let other = Identity::new(TWITTER, 0, 64, 2)?;
    /// assert_eq!(destroyed.recreated(other), Err(Error::OtherTimestamp));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn recreated(&self, identity: Identity) -> Result<Self, Error> {
        let Life::Destroyed { until_tick } = self.life else { return Err(Error::NotDestroyed) };
        if !self.identity.layout().has_timestamp_of(identity.layout()) {
            return Err(Error::OtherTimestamp);
        }
        Ok(Self {
            identity,
            incarnation: self.incarnation + 1,
            from_tick: until_tick,
            life: Life::Active,
        })
    }
}
