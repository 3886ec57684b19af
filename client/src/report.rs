use core::time::Duration;

use edgeflake::lease::{Holder, Outcome};
use metrics::{Counter, counter, histogram};

/// The log and the metrics of one generator.
pub(crate) struct Report {
    sequencer: String,
    issued: Counter,
}

impl Report {
    pub(crate) fn new(sequencer: String) -> Self {
        let issued = counter!("edgeflake_ids_issued_total", "sequencer" => sequencer.clone());
        Self { sequencer, issued }
    }

    pub(crate) fn sequencer(&self) -> &str {
        &self.sequencer
    }

    pub(crate) fn issued(&self, count: usize) {
        self.issued.increment(count as u64);
    }

    /// Reports the change that a reply caused, and how long the call took. `cause` is the reason if
    /// the call failed.
    pub(crate) fn called(
        &self,
        outcome: Outcome,
        took: Duration,
        holder: &Holder,
        cause: Option<&str>,
    ) {
        let name = match outcome {
            Outcome::Dropped => "dropped",
            Outcome::Acquired => "acquired",
            Outcome::Renewed => "renewed",
            Outcome::Ended => "ended",
            Outcome::Prefetched => "prefetched",
            Outcome::Failed(error) => error.code(),
        };
        let sequencer = &self.sequencer;
        let labels = [("sequencer", sequencer.clone()), ("outcome", name.to_owned())];
        counter!("edgeflake_calls_total", &labels).increment(1);
        histogram!("edgeflake_call_seconds", "sequencer" => sequencer.clone()).record(took);
        let node = holder.span().map(|span| span.node());
        match outcome {
            Outcome::Acquired => tracing::info!(sequencer, node, "lease acquired"),
            Outcome::Ended => tracing::warn!(sequencer, node, "lease will end"),
            Outcome::Failed(error) => {
                tracing::warn!(sequencer, node, code = error.code(), cause, "{error}");
            }
            Outcome::Renewed | Outcome::Prefetched | Outcome::Dropped => {
                tracing::debug!(sequencer, node, outcome = name, "call answered");
            }
        }
    }
}
