//! Metrics of all sequencers, in the text format of Prometheus.

use std::fmt::Write as _;

use edgeflake::lease::{Sequencer, Status};
use worker::web_sys;

use crate::admission::Admitted;
use crate::http::answer;
use crate::routes::status;
use crate::together::together;
use edgeflake_authority::admin::status::Usage;
use edgeflake_authority::objects::address::DEFAULT_SEQUENCER;
use edgeflake_authority::problem::Problem;
use edgeflake_workers::clock::{ANSWER_MAX_MS, in_time};
use edgeflake_workers::directory;
use edgeflake_workers::isolate;

/// A sequencer's name, and what it and its shards say; `None` if its registry does not answer.
type Sample = (String, Option<(Sequencer, Usage)>);

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
        values: |sequencer, _| [Some(("", sequencer.config.layout().end_ms() / 1_000)), None],
    },
];

/// Answers with the metrics.
///
/// # Errors
/// A problem if the directory does not answer.
pub(crate) async fn answer(request: &Admitted<'_>) -> Result<web_sys::Response, Problem> {
    let configured = request.settings.configured()?;
    let samples = names(request).await?.into_iter().map(async |name| {
        // The isolate does not add a holder because there may be more sequencers than it has room
        // for. A registry stays where it is, so the number of shards need not be right.
        let client = isolate::client_with(&name, configured.config.shards());
        let answered = status::status(request.env, &client).await.ok();
        (name, answered)
    });
    let counts = |name: &str| configured.settings_of(name).terms.statistics;
    Ok(answer::metrics(&text(&together(samples).await, &counts)))
}

/// Writes the metrics. Names of sequencers have no character that labels escape.
///
/// `counts` says of which sequencers ids are counted.
fn text(samples: &[Sample], counts: &dyn Fn(&str) -> bool) -> String {
    let mut text = String::new();
    let has_counts = samples.iter().any(|(sequencer, _)| counts(sequencer));
    for Metric { name, kind, help, values } in &METRICS[usize::from(!has_counts)..] {
        // Writing into a string cannot fail.
        let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
        for (sequencer, answered) in samples {
            let Some((known, shards)) = answered else { continue };
            if *name == METRICS[0].name && !counts(sequencer) {
                continue;
            }
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
            // The registry is a shard too, and nothing is known of the others.
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
async fn names(request: &Admitted<'_>) -> Result<Vec<String>, Problem> {
    let names = in_time(ANSWER_MAX_MS, directory::names(request.env)).await;
    let mut names = names.and_then(Result::ok).ok_or_else(Problem::unreachable)?;
    if !names.iter().any(|name| name == DEFAULT_SEQUENCER) {
        names.push(DEFAULT_SEQUENCER.to_owned());
    }
    Ok(names)
}
