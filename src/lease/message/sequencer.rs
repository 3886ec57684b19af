use super::bound_config::BoundConfig;

/// A named configuration with its own authority. Each shard stores it, and the registry describes
/// it to the other shards.
///
/// ```
/// use edgeflake::lease::{BoundConfig, Error, Life, Sequencer};
/// use edgeflake::preset::EDGE;
///
/// let config = BoundConfig::new(EDGE, 0, 64, 2)?;
/// let sequencer = Sequencer::new(config);
/// assert_eq!((sequencer.incarnation, sequencer.from_tick), (1, 0));
/// assert_eq!(sequencer.life, Life::Active);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sequencer {
    /// The bound configuration.
    pub config: BoundConfig,
    /// A number that starts at 1 and goes up each time the sequencer is created.
    pub incarnation: u64,
    /// No new span starts before this tick, because spans of earlier incarnations, or spans that a
    /// shard forgot when it was rolled back, may reach up to it.
    pub from_tick: u64,
    /// The stage of the sequencer's life.
    pub life: Life,
}

/// The stage of a sequencer's life, which says whether it grants.
///
/// ```
/// use edgeflake::lease::{Authority, BoundConfig, Decision, Error, Life, Reply, Request};
/// use edgeflake::lease::{Sequencer, Settings};
/// use edgeflake::preset::EDGE;
///
/// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 64, 1)?);
/// let registry = Authority::load(0, Some(sequencer), Settings::default(), [])?;
/// let Decision { reply, .. } = registry.decide(EDGE.start_ms(0), &Request::Destroy);
/// let Reply::Described(Some(sequencer)) = reply else { unreachable!() };
/// assert_eq!(sequencer.life, Life::Destroyed { until_tick: 0 });
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Life {
    /// The sequencer grants and renews.
    Active,
    /// Destruction has begun. Shards that have not confirmed yet may still grant and renew.
    Destroying {
        /// The number of shards that have confirmed, in order from shard 0.
        confirmed: u64,
        /// The latest end of a span that these shards reported, as a tick.
        until_tick: u64,
    },
    /// The sequencer neither grants nor renews.
    Destroyed {
        /// The latest end of any span, as a tick. When this tick has passed, the sequencer can be
        /// created again.
        until_tick: u64,
    },
}

impl Sequencer {
    /// The shard that is the registry.
    pub const REGISTRY: u64 = 0;

    /// Creates the first incarnation of a sequencer.
    #[must_use]
    pub const fn new(config: BoundConfig) -> Self {
        Self { config, incarnation: 1, from_tick: 0, life: Life::Active }
    }

    /// Returns whether the sequencer grants.
    ///
    /// ```
    /// use edgeflake::lease::{BoundConfig, Error, Life, Sequencer};
    /// use edgeflake::preset::EDGE;
    ///
    /// let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 64, 2)?);
    /// assert!(sequencer.is_active());
    /// let life = Life::Destroyed { until_tick: 9 };
    /// assert!(!Sequencer { life, ..sequencer }.is_active());
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub const fn is_active(&self) -> bool {
        matches!(self.life, Life::Active)
    }

    /// Returns the stage of the sequencer's life: `active`, `destroying` or `destroyed`.
    #[must_use]
    pub const fn state(&self) -> &'static str {
        match self.life {
            Life::Active => "active",
            Life::Destroying { .. } => "destroying",
            Life::Destroyed { .. } => "destroyed",
        }
    }

    /// Returns the time, in Unix ms, from which on a destroyed sequencer can be created again.
    /// Returns `None` if the sequencer is not destroyed.
    #[must_use]
    pub fn recreatable_ms(&self, now_ms: u64) -> Option<u64> {
        let layout = self.config.layout();
        match self.life {
            // If nothing was granted, the sequencer can be created again at once.
            Life::Destroyed { until_tick: 0 } => Some(layout.epoch_ms().min(now_ms)),
            Life::Destroyed { until_tick } => Some(layout.start_ms(until_tick)),
            Life::Active | Life::Destroying { .. } => None,
        }
    }
}
