use super::decision::{Decision, Row, Write};
use super::excerpt::Excerpt;
use crate::generator::counter::Counter;
use crate::lease::message::{Batch, Prefetch, Refusal, Reply, Terms};

impl Excerpt<'_> {
    /// Grants a batch: the next counters of the shard's first node. A batch begins after the
    /// previous batch, at the clock's tick or later, and ends within the allowed future.
    pub(super) fn prefetch(&self, now_ms: u64, prefetch: &Prefetch) -> Result<Decision, Refusal> {
        let sequencer = self.active(prefetch.incarnation)?;
        let now = self.now(sequencer, now_ms, prefetch.now_ms)?;
        let layout = sequencer.config.layout();
        let terms = self.settings.terms;
        let node = sequencer.config.shard_nodes(self.shard).start;
        let before = self.row;
        let row = before.unwrap_or_default();

        let earliest = Counter { tick: now.max(sequencer.from_tick), sequence: 0 };
        let from = row.until().max(earliest).number(layout);
        // A tick that starts within the allowed future may be used up to its end.
        let last_tick = layout.tick_clamped(now_ms + terms.allowed_future_ms);
        let ceiling =
            Counter { tick: last_tick.saturating_add(1).min(layout.ticks()), sequence: 0 };
        let left = ceiling.number(layout).saturating_sub(from);
        if left == 0 {
            let next = Counter::of(layout, from);
            let ready_ms = layout.start_ms(next.tick).saturating_sub(terms.allowed_future_ms);
            let retry_in_ms = ready_ms.saturating_sub(now_ms).max(1);
            return Err(Refusal::BatchesExhausted { retry_in_ms });
        }
        let count = prefetch.count.unwrap_or(terms.prefetch_count);
        let count = count.clamp(1, Terms::PREFETCH_COUNT_MAX).min(left);
        let (from, until) = (Counter::of(layout, from), Counter::of(layout, from + count));
        let after = Row {
            from_tick: from.tick,
            until_tick: until.tick,
            until_sequence: until.sequence,
            token: None,
            issued: Row::issued_sum(row.issued, count),
            issued_of_span: 0,
        };
        Ok(Decision {
            write: Some(Write::Node { incarnation: sequencer.incarnation, node, before, after }),
            reply: Reply::Batched(Batch {
                incarnation: sequencer.incarnation,
                config: sequencer.config,
                node,
                from,
                until,
                terms,
            }),
        })
    }
}
