//! Metrics of all sequencers, in the text format of Prometheus.

use std::fmt::Write as _;

use edgeflake::{Sequencer, Status};
use worker::web_sys;

use crate::access::Role;
use crate::clock::{ANSWER_MAX_MS, in_time};
use crate::incoming::Incoming;
use crate::problem::Problem;
use crate::status::{self, Shards};
use crate::together::together;
use crate::{answer, directory, isolate, sequencer};

/// A sequencer's name, and what it and its shards say; `None` if its registry does not answer.
type Sample = (String, Option<(Sequencer, Shards)>);

/// The samples of a metric of one sequencer whose registry answers: labels beside the name and the
/// incarnation, and values. Without all shards there is no status, rather than one that is too low.
type Values = fn(&Sequencer, Option<&Status>) -> [Option<(&'static str, u64)>; 2];

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
        values: |_, status| [status.map(|status| ("", status.issued)), None],
    },
    Metric {
        name: "edgeflake_nodes",
        kind: "gauge",
        help: "Nodes that are held and that can be granted.",
        values: |_, status| {
            [
                status.map(|status| (r#",state="held""#, status.held)),
                status.map(|status| (r#",state="free""#, status.free())),
            ]
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
/// A problem if the directory does not answer.
pub(crate) async fn answer(incoming: &Incoming<'_>) -> Result<web_sys::Response, Problem> {
    incoming.admit(Role::Issue)?;
    let (variables, tunables) = incoming.settings.sequencer()?;
    let statistics = tunables.terms.statistics;
    let samples = names(incoming).await?.into_iter().map(async |name| {
        // Not one that this isolate issues of from now on: there may be more than it has room for.
        // The registry of one that was created by name is there, and stays where it is.
        let objects = isolate::found(&name, variables.shards());
        let answered = status::status(incoming, &objects).await.ok();
        (name, answered)
    });
    Ok(answer::metrics(&text(&together(samples).await, statistics)))
}

/// Names of sequencers have nothing that labels escape.
fn text(samples: &[Sample], statistics: bool) -> String {
    let mut text = String::new();
    for Metric { name, kind, help, values } in &METRICS[usize::from(!statistics)..] {
        // Into a string: nothing that can fail.
        let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
        for (sequencer, answered) in samples {
            let Some((known, shards)) = answered else { continue };
            let values = values(known, shards.as_ref().ok());
            for (labels, value) in values.into_iter().flatten() {
                let incarnation = known.incarnation;
                let _ = writeln!(
                    text,
                    r#"{name}{{sequencer="{sequencer}",incarnation="{incarnation}"{labels}}} {value}"#
                );
            }
        }
    }
    text.push_str(
        "# HELP edgeflake_shards_unreachable Shards that do not answer.\n\
         # TYPE edgeflake_shards_unreachable gauge\n",
    );
    for (sequencer, answered) in samples {
        let unreachable = match answered {
            // The registry is a shard, too, and of the others nothing is known.
            None => 1,
            Some((_, shards)) => shards.as_ref().err().map_or(0, Vec::len),
        };
        let _ = writeln!(
            text,
            r#"edgeflake_shards_unreachable{{sequencer="{sequencer}"}} {unreachable}"#
        );
    }
    text
}

/// The names of all sequencers.
async fn names(incoming: &Incoming<'_>) -> Result<Vec<String>, Problem> {
    let names = in_time(ANSWER_MAX_MS, directory::names(incoming.env)).await;
    let mut names = names.and_then(Result::ok).ok_or_else(Problem::unreachable)?;
    if !names.iter().any(|name| name == sequencer::DEFAULT) {
        names.push(sequencer::DEFAULT.to_owned());
    }
    Ok(names)
}
