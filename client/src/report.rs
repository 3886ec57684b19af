use core::time::Duration;

use edgeflake::lease::{Holder, Outcome};
use metrics::{Counter, counter, histogram};

use crate::transport::Failure;

/// The log and the metrics of a generator.
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

    /// Logs and counts the outcome of a call to the authority. `took` is the duration of the call.
    /// If the authority did not reply, `failure` is the reason.
    pub(crate) fn called(
        &self,
        outcome: Outcome,
        took: Duration,
        holder: &Holder,
        failure: Option<&Failure>,
    ) {
        let name = match (outcome, failure) {
            (Outcome::Dropped, _) => "dropped",
            (Outcome::Acquired, _) => "acquired",
            (Outcome::Renewed, _) => "renewed",
            (Outcome::Ended, _) => "ended",
            (Outcome::Prefetched, _) => "prefetched",
            (Outcome::Failed(_), Some(Failure::Lasting(mistake))) => mistake.code(),
            (Outcome::Failed(error), _) => error.code(),
        };
        let sequencer = &self.sequencer;
        let labels = [("sequencer", sequencer.clone()), ("outcome", name.to_owned())];
        counter!("edgeflake_calls_total", &labels).increment(1);
        histogram!("edgeflake_call_seconds", "sequencer" => sequencer.clone()).record(took);
        let node = holder.span().map(|span| span.node());
        match outcome {
            Outcome::Acquired => tracing::info!(sequencer, node, "lease acquired"),
            Outcome::Ended => tracing::warn!(sequencer, node, "lease cannot be renewed"),
            Outcome::Failed(error) => {
                let cause = failure.map_or_else(|| error.to_string(), |it| it.text().to_owned());
                tracing::warn!(sequencer, node, code = name, cause, "call failed");
            }
            Outcome::Renewed | Outcome::Prefetched | Outcome::Dropped => {
                tracing::debug!(sequencer, node, outcome = name, "call answered");
            }
        }
    }
}
