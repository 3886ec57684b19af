use super::decision::{Decision, Row, Write};
use super::excerpt::Excerpt;
use crate::layout::Layout;
use crate::lease::message::{
    Acquire, Grant, Refusal, Release, Renew, Renewal, Reply, Sequencer, Token,
};
use crate::span::Span;

impl Excerpt<'_> {
    pub(super) fn acquire(&self, now_ms: u64, acquire: &Acquire) -> Result<Decision, Refusal> {
        let sequencer = self.active(acquire.incarnation)?;
        let now = self.now(sequencer, now_ms, acquire.now_ms)?;
        let layout = sequencer.config.layout();
        let terms = self.settings.terms;
        let until_tick = layout.tick_clamped(now_ms + terms.lease_ms);
        let (node, before, after) = if let Some((node, row)) = self.granted_before(now, acquire) {
            (node, Some(row), row)
        } else {
            let lease_ticks = layout.ticks_in(terms.lease_ms);
            // A span that starts after this tick is useless now: its holder could issue no id yet,
            // but would not ask for a batch either.
            let from_max = layout.tick_clamped(now_ms + terms.allowed_future_ms);
            if sequencer.from_tick > from_max {
                // No node may start before `from_tick`, because the shard was rolled back.
                let ready_ms = layout.start_ms(sequencer.from_tick) - terms.allowed_future_ms;
                return Err(Refusal::NoNodeFree { retry_in_ms: ready_ms - now_ms });
            }
            let (node, before) = self
                .choose(now, from_max, lease_ticks, acquire)
                .ok_or_else(|| self.no_node_free(sequencer, now_ms))?;
            let row = before.unwrap_or_default();
            let from_tick = now.max(sequencer.from_tick).max(row.until_tick);
            let token = Some(acquire.token);
            let issued_of_span = 0;
            (node, before, Row { from_tick, until_tick, token, issued_of_span, ..row })
        };
        let span = Span::new(layout, node, after.from_tick, after.until_tick)
            .map_err(|_| self.no_node_free(sequencer, now_ms))?;
        Ok(Decision {
            write: Some(Write::Node { incarnation: sequencer.incarnation, node, before, after }),
            reply: Reply::Granted(Grant {
                token: acquire.token,
                incarnation: sequencer.incarnation,
                config: sequencer.config,
                span,
                terms,
            }),
        })
    }

    /// Returns the tick of a grant at the authority's time in Unix ms, or refuses if the holder's
    /// clock, which says `holder_ms`, differs by more than `clock_disagreement_max_ms`.
    pub(super) fn now(
        &self,
        sequencer: &Sequencer,
        now_ms: u64,
        holder_ms: u64,
    ) -> Result<u64, Refusal> {
        let now = tick_at(sequencer.config.layout(), now_ms)?;
        let max_ms = self.settings.clock_disagreement_max_ms;
        if now_ms.abs_diff(holder_ms) > max_ms {
            return Err(Refusal::ClockDisagreement { authority_ms: now_ms, holder_ms, max_ms });
        }
        Ok(now)
    }

    /// Returns the newest span that was granted to this token, if at least half of the span is
    /// left. If the span is on the excluded node, returns `None`, because the holder already uses
    /// this span, and would issue its ids twice.
    fn granted_before(&self, now: u64, acquire: &Acquire) -> Option<(u64, Row)> {
        let of_token = self.granted.iter().filter(|(_, row)| row.token == Some(acquire.token));
        let (node, row) = of_token.copied().max_by_key(|(node, row)| (row.until_tick, *node))?;
        let left = row.until_tick.saturating_sub(now);
        let is_fresh = left >= (row.until_tick - row.from_tick).div_ceil(2);
        (is_fresh && acquire.excluded_node != Some(node)).then_some((node, row))
    }

    fn no_node_free(&self, sequencer: &Sequencer, now_ms: u64) -> Refusal {
        let layout = sequencer.config.layout();
        let terms = &self.settings.terms;
        let end_ms = |(_, row): &(u64, Row)| layout.start_ms(row.until_tick);
        let released_ms = |row| end_ms(row).saturating_sub(terms.allowed_future_ms);
        // Without a held or released node, the holder waits for one lease time.
        let first_ms =
            self.held.iter().map(end_ms).chain(self.released.iter().map(released_ms)).min();
        let first_ms = first_ms.unwrap_or_else(|| now_ms + terms.lease_ms);
        let ready_ms = first_ms.max(layout.start_ms(sequencer.from_tick));
        Refusal::NoNodeFree { retry_in_ms: ready_ms.saturating_sub(now_ms) }
    }

    pub(super) fn renew(&self, now_ms: u64, renew: &Renew) -> Result<Decision, Refusal> {
        let sequencer = self.active(Some(renew.incarnation))?;
        let layout = sequencer.config.layout();
        let terms = self.settings.terms;
        let now = layout.tick_clamped(now_ms);
        let lease_ticks = layout.ticks_in(terms.lease_ms);
        // If a token was granted twice, it can name two spans of one node, and another holder may
        // have had a span of that node in between. If the holder's tick is before the second span,
        // the holder has not adopted the second span.
        let renewable = self.held_by(renew.token).filter(|row| {
            row.from_tick <= renew.tick && now <= row.until_tick.saturating_add(lease_ticks)
        });
        let Some(before) = renewable else { return Ok(Self::ended(renew.token, sequencer)) };
        // The holder's tick counts only up to the tick that a counter can reach if the clocks of
        // holder and authority differ by at most the allowed disagreement. Otherwise a holder could
        // push the end of its span ever further by renewing in a loop.
        let furthest_ms = now_ms
            .saturating_add(terms.allowed_future_ms)
            .saturating_add(self.settings.clock_disagreement_max_ms);
        let holder_tick = renew.tick.min(layout.tick_clamped(furthest_ms));
        let base_tick = now.max(holder_tick).min(before.until_tick);
        let until_tick =
            base_tick.saturating_add(lease_ticks).min(layout.ticks()).max(before.until_tick);
        let after = reported(Row { until_tick, ..before }, renew.issued);
        Ok(Decision {
            write: Some(Write::Node {
                incarnation: sequencer.incarnation,
                node: renew.node,
                before: Some(before),
                after,
            }),
            reply: Reply::Renewed(Renewal {
                token: renew.token,
                incarnation: sequencer.incarnation,
                until_tick,
                terms,
            }),
        })
    }

    pub(super) fn release(&self, release: &Release) -> Result<Decision, Refusal> {
        let &Release { token, incarnation, node, until_tick, issued } = release;
        let sequencer = self.active(Some(incarnation))?;
        let releasable = self
            .held_by(token)
            .filter(|row| (row.from_tick..=row.until_tick).contains(&until_tick));
        let Some(before) = releasable else { return Ok(Self::ended(token, sequencer)) };
        let after = reported(Row { until_tick, token: None, ..before }, issued);
        Ok(Decision {
            write: Some(Write::Node { incarnation, node, before: Some(before), after }),
            reply: Reply::Released { token, incarnation },
        })
    }

    /// Returns the row of the request's node, if the node's newest span has this token.
    fn held_by(&self, token: Token) -> Option<Row> {
        self.row.filter(|row| row.token == Some(token))
    }

    const fn ended(token: Token, sequencer: &Sequencer) -> Decision {
        let reply = Reply::Ended { token, incarnation: sequencer.incarnation };
        Decision { write: None, reply }
    }
}

/// Returns the tick at the authority's time `now_ms`, in Unix ms.
pub(super) fn tick_at(layout: &Layout, now_ms: u64) -> Result<u64, Refusal> {
    let (epoch_ms, end_ms) = (layout.epoch_ms(), layout.end_ms());
    layout.tick(now_ms).map_err(|_| Refusal::OutsideLayout { now_ms, epoch_ms, end_ms })
}

/// Adds a holder's report of issued ids to a row. A report covers the whole span so far, so a
/// report that comes twice counts once.
fn reported(row: Row, issued: Option<u64>) -> Row {
    let issued_of_span = issued.unwrap_or(0).min(Row::ISSUED_MAX).max(row.issued_of_span);
    let more = issued_of_span - row.issued_of_span;
    Row { issued: Row::issued_sum(row.issued, more), issued_of_span, ..row }
}
