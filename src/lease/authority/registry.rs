//! # Why a sequencer that is created again repeats no id
//!
//! The spans of the new incarnation start at the tick at which all earlier spans have ended, and
//! the timestamp of the new incarnation has the same bits as before. The registry knows this tick
//! only when every shard has confirmed that it grants no more spans of the old incarnation.
//! Therefore a sequencer counts as destroyed only with the last confirmation, and can be created
//! again only then.
//!
//! A shard that has not heard of the new incarnation knows only the old incarnation, and has
//! confirmed its end. A shard that was never used knows no incarnation. Neither shard grants
//! anything until a shard router has told it what the registry says. A late message is refused,
//! because the message names an older incarnation, or an incarnation whose end the shard has
//! confirmed.
//!
//! A sequencer may be created again with another timestamp only if nothing was granted, because
//! then no id was or will be issued under the old timestamp. If a destroyed sequencer's end is tick
//! 0, nothing was granted, because every shard has confirmed that no span ends after tick 0. The
//! write of the end fails if a stored row ends later, even if the shard has not seen that row. So a
//! grant that races with this write either has stored such a row, or comes after the write and is
//! refused. Even an unused sequencer must be destroyed first, because two callers that bind the
//! sequencer anew would otherwise overwrite each other without an error.
//!
//! A sequencer can shrink while it grants. It gives up the last nodes of its range, and another
//! sequencer may take them. So it may give up only nodes that no incarnation ever granted. In the
//! current incarnation, these are the nodes without a row. The rows of earlier incarnations are
//! deleted, so the earlier incarnations must have granted nothing, which `from_tick` 0 shows. Each
//! shard keeps its first node, so all nodes to give up belong to the last shard. The last shard
//! gives these nodes up before the registry does. If the shrink breaks off in between, no shard
//! grants these nodes, and no caller was told that they are free.
//!
//! An object may run twice for a moment, and the two runs share only the storage. So each write has
//! a condition:
//! - A row is written only while the stored sequencer grants and has the node.
//! - The end of the sequencer is written only if no stored row ends later.
//! - A smaller number of nodes is written only if no node that is given up has a stored row.

use super::decision::{Decision, Write};
use super::excerpt::Excerpt;
use super::grant::tick_at;
use crate::lease::message::{BoundConfig, Confirm, Life, Refusal, Reply, Sequencer, Shrink};

impl Excerpt<'_> {
    pub(super) const fn described(&self) -> Decision {
        Decision { write: None, reply: Reply::Described(self.sequencer.copied()) }
    }

    pub(super) fn create(&self, now_ms: u64, config: BoundConfig) -> Result<Decision, Refusal> {
        self.check_registry(true)?;
        let after = match &self.sequencer {
            None => Sequencer::new(config),
            Some(before) => match before.life {
                // If this shard was rolled back, its `from_tick` can be later than the stored end.
                Life::Destroyed { until_tick } => {
                    recreated(before, config, until_tick.max(before.from_tick))?
                }
                Life::Active | Life::Destroying { .. } => return Ok(self.described()),
            },
        };
        self.check_settings(&config)?;
        // A sequencer that cannot issue now would only occupy the name.
        tick_at(config.layout(), now_ms)?;
        let ended_ms = config.layout().start_ms(after.from_tick);
        if after.from_tick > 0 && now_ms < ended_ms {
            return Err(Refusal::SpansNotEnded { retry_in_ms: ended_ms - now_ms });
        }
        Ok(self.becomes(after))
    }

    pub(super) fn destroy(&self) -> Result<Decision, Refusal> {
        self.check_registry(true)?;
        let sequencer = *self.sequencer.ok_or(Refusal::UnknownSequencer)?;
        if !sequencer.is_active() {
            return Ok(self.described());
        }
        Ok(self.becomes(confirmed(sequencer, 1, self.latest_end.max(sequencer.from_tick))))
    }

    pub(super) fn confirm(&self, confirm: &Confirm) -> Result<Decision, Refusal> {
        self.check_registry(true)?;
        let sequencer = *self.sequencer.ok_or(Refusal::UnknownSequencer)?;
        let found = confirm.incarnation;
        if found != sequencer.incarnation {
            return Err(Refusal::OtherIncarnation { found });
        }
        match sequencer.life {
            Life::Destroying { confirmed: shard, until_tick } if shard == confirm.shard => {
                let until_tick = until_tick.max(confirm.until_tick);
                Ok(self.becomes(confirmed(sequencer, shard + 1, until_tick)))
            }
            _ => Ok(self.described()),
        }
    }

    pub(super) fn follow(&self, told: Sequencer) -> Result<Decision, Refusal> {
        self.check_registry(false)?;
        let known = self.sequencer.filter(|known| known.incarnation >= told.incarnation);
        // If this shard was rolled back, the spans that it forgot end by its current `from_tick`.
        let forgotten_tick = self.sequencer.map_or(0, |own| own.from_tick);
        let until_tick = || self.latest_end.max(told.from_tick).max(forgotten_tick);
        let after = match known {
            Some(known) if known.incarnation > told.incarnation => {
                return Err(Refusal::OtherIncarnation { found: told.incarnation });
            }
            Some(known) if !known.is_active() && told.is_active() => {
                return Err(Refusal::SequencerDestroyed);
            }
            Some(known) if known.is_active() == told.is_active() => return Ok(self.described()),
            _ if told.is_active() => {
                self.check_settings(&told.config)?;
                Sequencer { from_tick: until_tick(), ..told }
            }
            _ => {
                let from_tick = known.map_or(told.from_tick, |own| own.from_tick);
                Sequencer { from_tick, life: Life::Destroyed { until_tick: until_tick() }, ..told }
            }
        };
        Ok(self.becomes(after))
    }

    /// Decides a shrink. Only nodes that were never granted are given up. In the current
    /// incarnation, these nodes have no row. The rows of earlier incarnations are deleted, so
    /// `from_tick` must be 0.
    pub(super) fn shrink(&self, shrink: &Shrink) -> Result<Decision, Refusal> {
        let sequencer = *self.active(Some(shrink.incarnation))?;
        let config = sequencer.config;
        // If two callers shrink the sequencer, the smaller number of nodes wins.
        if shrink.node_count >= config.node_count() {
            return Ok(self.described());
        }
        let used = self.used_end - config.first_node();
        let node_count_min = if sequencer.from_tick > 0 {
            config.node_count()
        } else {
            config.node_count_min().max(used)
        };
        let fits = shrink.node_count >= node_count_min;
        let less = if fits { config.shrunk(shrink.node_count) } else { None };
        let config = less.ok_or(Refusal::NodesInUse { node_count_min })?;
        let after = Sequencer { config, ..sequencer };
        let ended_by = config.layout().ticks();
        Ok(Decision {
            write: Some(Write::Sequencer {
                ended_by,
                drops_rows: false,
                before: self.sequencer.copied(),
                after,
            }),
            reply: Reply::Described(Some(after)),
        })
    }

    const fn check_registry(&self, is_asked: bool) -> Result<(), Refusal> {
        if (self.shard == Sequencer::REGISTRY) == is_asked {
            Ok(())
        } else {
            Err(Refusal::OtherShard { shard: self.shard })
        }
    }

    fn check_settings(&self, config: &BoundConfig) -> Result<(), Refusal> {
        self.settings.check(config.layout()).map_err(|_| Refusal::UnsuitableSettings)
    }

    fn becomes(&self, after: Sequencer) -> Decision {
        let ended_by = match after.life {
            Life::Active => after.from_tick,
            Life::Destroying { until_tick, .. } | Life::Destroyed { until_tick } => until_tick,
        };
        let before = self.sequencer.copied();
        let drops_rows = before.is_none_or(|before| before.incarnation != after.incarnation);
        Decision {
            write: Some(Write::Sequencer { ended_by, drops_rows, before, after }),
            reply: Reply::Described(Some(after)),
        }
    }
}

/// Returns a sequencer whose shards `0..confirmed` have ended.
const fn confirmed(sequencer: Sequencer, confirmed: u64, until_tick: u64) -> Sequencer {
    let life = if confirmed < sequencer.config.shards() {
        Life::Destroying { confirmed, until_tick }
    } else {
        Life::Destroyed { until_tick }
    };
    Sequencer { life, ..sequencer }
}

/// Returns the next incarnation. It repeats no id of an earlier incarnation, because its spans
/// start where all earlier spans have ended, and its timestamp has the same bits. If no id was ever
/// granted, the timestamp may have other bits.
fn recreated(
    before: &Sequencer,
    config: BoundConfig,
    from_tick: u64,
) -> Result<Sequencer, Refusal> {
    let has_granted = from_tick > 0;
    if has_granted && !before.config.layout().has_timestamp_of(config.layout()) {
        return Err(Refusal::OtherTimestamp);
    }
    Ok(Sequencer { config, incarnation: before.incarnation + 1, from_tick, life: Life::Active })
}
