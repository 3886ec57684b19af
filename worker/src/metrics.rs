//! Metrics of all sequencers, in the text format of Prometheus.

use std::fmt::Write as _;

use edgeflake::{Sequencer, Status};
use worker::web_sys;

use crate::access::Role;
use crate::incoming::Incoming;
use crate::problem::Problem;
use crate::{answer, directory, isolate, sequencer, status};

/// A sequencer's name, what it is, and how much of it is in use.
type Sample = (String, Sequencer, Status);

/// Writes the samples of a metric of one sequencer: its labels beside the sequencer, and its value.
type Values = fn(&Sequencer, &Status) -> [Option<(&'static str, u64)>; 2];

/// A metric: its name, its type, and what it is.
struct Metric {
    name: &'static str,
    kind: &'static str,
    help: &'static str,
    values: Values,
}

const METRICS: [Metric; 4] = [
    Metric {
        name: "edgeflake_ids_issued_total",
        kind: "counter",
        help: "Ids that holders have reported as issued, of this incarnation.",
        values: |_, status| [Some(("", status.issued)), None],
    },
    Metric {
        name: "edgeflake_nodes",
        kind: "gauge",
        help: "Nodes that are held and that can be granted.",
        values: |_, status| {
            [Some((r#",state="held""#, status.held)), Some((r#",state="free""#, status.free()))]
        },
    },
    Metric {
        name: "edgeflake_sequencer_active",
        kind: "gauge",
        help: "1 for a sequencer that grants, 0 for one that was destroyed.",
        values: |sequencer, _| [Some(("", u64::from(sequencer.is_active()))), None],
    },
    Metric {
        name: "edgeflake_layout_end_timestamp_seconds",
        kind: "gauge",
        help: "When the layout runs out.",
        values: |sequencer, _| [Some(("", sequencer.identity.layout().end_ms() / 1_000)), None],
    },
];

/// Answers with the metrics.
///
/// # Errors
/// A problem if an object does not answer.
pub(crate) async fn answer(incoming: &Incoming<'_>) -> Result<web_sys::Response, Problem> {
    incoming.admit(Role::Issue)?;
    let statistics = incoming.settings.sequencer()?.1.terms.statistics;
    let mut samples = Vec::new();
    for name in names(incoming).await? {
        // Not one that this isolate issues of from now on: there may be more than it has room for.
        let objects = isolate::found(&name, 1);
        let (sequencer, status) = status::status(incoming, &objects).await?;
        samples.push((name, sequencer, status));
    }
    Ok(answer::metrics(&text(&samples, statistics)))
}

/// Names of sequencers have nothing that labels escape.
fn text(samples: &[Sample], statistics: bool) -> String {
    let mut text = String::new();
    for Metric { name, kind, help, values } in &METRICS[usize::from(!statistics)..] {
        // Into a string: nothing that can fail.
        let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
        for (sequencer, known, status) in samples {
            for (labels, value) in values(known, status).into_iter().flatten() {
                let incarnation = known.incarnation;
                let _ = writeln!(
                    text,
                    r#"{name}{{sequencer="{sequencer}",incarnation="{incarnation}"{labels}}} {value}"#
                );
            }
        }
    }
    text
}

/// The names of all sequencers.
async fn names(incoming: &Incoming<'_>) -> Result<Vec<String>, Problem> {
    let mut names = directory::names(incoming.env).await.map_err(|_| Problem::unreachable())?;
    if !names.iter().any(|name| name == sequencer::DEFAULT) {
        names.push(sequencer::DEFAULT.to_owned());
    }
    Ok(names)
}
