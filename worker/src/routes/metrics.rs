//! Answers with the metrics of all sequencers, in the text format of Prometheus. A library for this
//! format would add 12.7 KB to the compiled code.

use std::cell::RefCell;
use std::fmt::Write as _;

use edgeflake::lease::{Refusal, Sequencer};
use edgeflake_wire::DEFAULT_SEQUENCER;
use edgeflake_workers::admin::administration::Task;
use edgeflake_workers::admin::outcome::{Answer, Outcome, Usage, look};
use edgeflake_workers::admin::{self, Isolate};
use edgeflake_workers::objects::call::NoAnswer;
use edgeflake_workers::objects::client::{self, ShardClient};
use edgeflake_workers::platform::{in_time, now_ms};
use edgeflake_workers::problem::Problem;
use edgeflake_workers::value;
use futures_util::future::join_all;
use wasm_bindgen::JsValue;
use worker::web_sys;

use crate::admission::AdmittedRequest;
use crate::http::answer;
use crate::routes::parameters;

/// A sequencer's name, its description by the registry, and the answers of its shards. If the
/// registry did not describe the sequencer, two other values stand in their place. These are the
/// index in [`TROUBLES`] of the registry's trouble, if it has one, and the registry's answer to a
/// request for its status.
type Sample = (String, Result<(Sequencer, Usage), (Option<usize>, Answer)>);

/// Returns a metric's samples for one sequencer whose registry answers: each value, with its labels
/// besides name and incarnation. If a shard does not answer, a sum over shards has no sample,
/// because the sum would be too low.
type Values = fn(&Sequencer, &Usage) -> [Option<(&'static str, u64)>; 2];

/// A metric's name, its type and its help text, which `docs/OPERATING.md` lists.
struct Head {
    name: &'static str,
    kind: &'static str,
    help: &'static str,
}

impl Head {
    const fn counter(name: &'static str, help: &'static str) -> Self {
        Self { name, kind: "counter", help }
    }

    const fn gauge(name: &'static str, help: &'static str) -> Self {
        Self { name, kind: "gauge", help }
    }
}

/// A metric of sequencers, with its samples.
struct Metric {
    head: Head,
    values: Values,
}

const METRICS: [Metric; 4] = [
    Metric {
        head: Head::counter(
            "edgeflake_ids_issued_total",
            "Ids of this incarnation that holders have reported. They report at renewals and \
             releases, so the number is about half a lease late. Absent if \
             EDGEFLAKE_STATISTICS_ENABLED is false.",
        ),
        values: |sequencer, usage| {
            [usage.status(sequencer).map(|status| ("", status.issued)), None]
        },
    },
    Metric {
        head: Head::gauge("edgeflake_nodes", "Nodes by state: held, or free to be granted."),
        values: |sequencer, usage| {
            let status = usage.status(sequencer);
            [
                status.map(|status| (r#",state="held""#, status.held)),
                status.map(|status| (r#",state="free""#, status.free())),
            ]
        },
    },
    Metric {
        head: Head::gauge(
            "edgeflake_sequencer_active",
            "1 for a sequencer that grants, 0 for one that was destroyed.",
        ),
        values: |sequencer, _| [Some(("", u64::from(sequencer.is_active()))), None],
    },
    Metric {
        head: Head::gauge("edgeflake_layout_end_timestamp_seconds", "When the layout runs out."),
        values: |sequencer, _| [Some(("", sequencer.config.layout().end_ms() / 1_000)), None],
    },
];

/// A trouble that shards can have. `shards` returns the shards of a sequencer that have this
/// trouble.
struct Trouble {
    head: Head,
    shards: fn(&Usage) -> Vec<u64>,
}

const WRITTEN: Head = Head::gauge(
    "edgeflake_last_write_timestamp_seconds",
    "The time of the shard's last write, as far as its object knows.",
);
const REFUSED: Head = Head::counter(
    "edgeflake_refusals_total",
    "Requests that the shard refused, or that failed in it, since its object was loaded, by the \
     error code in the answer.",
);
const ROLLBACKS: Head = Head::counter(
    "edgeflake_shards_rollbacks_total",
    "The number of times that the shard's storage was rolled back.",
);
const PAGES: Head =
    Head::gauge("edgeflake_metrics_pages", "The number of pages that these metrics have.");

/// Indices in [`TROUBLES`].
const UNREACHABLE: usize = 0;
const UNREADABLE: usize = 1;
const UNWRITABLE: usize = 2;

const TROUBLES: [Trouble; 3] = [
    Trouble {
        head: Head::gauge("edgeflake_shards_unreachable", "Shards that do not answer."),
        shards: Usage::unreachable,
    },
    Trouble {
        head: Head::gauge(
            "edgeflake_shards_unreadable",
            "Shards that cannot read what they have stored.",
        ),
        shards: Usage::unreadable,
    },
    Trouble {
        head: Head::gauge("edgeflake_shards_unwritable", "Shards that answer, and cannot write."),
        shards: Usage::unwritable,
    },
];

/// The largest number of calls to objects for one page. The number of calls is computed from the
/// numbers of shards in the directory. Cloudflare's paid plan allows 10,000 calls per request, but
/// one isolate must wait for all calls.
const CALLS_MAX: u64 = 500;

/// The longest wait, in ms, for the status of a registry that does not describe its sequencer. This
/// wait is short because Prometheus waits only 10 s in all.
const TROUBLE_MAX_MS: u64 = 2_000;

/// The time for which an isolate repeats the same page, in ms.
const KEPT_MS: u64 = 10_000;

/// Returns the name and the help text of each metric.
#[cfg(not(target_family = "wasm"))]
pub fn metrics() -> impl Iterator<Item = (&'static str, &'static str)> {
    let heads = METRICS.map(|metric| metric.head).into_iter();
    let heads = heads.chain([WRITTEN, REFUSED, ROLLBACKS]);
    let heads = heads.chain(TROUBLES.map(|trouble| trouble.head)).chain([PAGES]);
    heads.map(|Head { name, help, .. }| (name, help))
}

/// A page that is kept for later requests.
struct MetricsPage {
    page: usize,
    until_ms: u64,
    text: String,
}

thread_local! {
    static KEPT: RefCell<Vec<MetricsPage>> = const { RefCell::new(Vec::new()) };
}

/// Answers with a page of the metrics.
///
/// # Errors
/// A problem if the directory does not answer, or the requested page does not exist.
pub(crate) async fn answer(request: &AdmittedRequest<'_>) -> Result<web_sys::Response, Problem> {
    let sequencers = request.settings.sequencers()?;
    let [given, ..] = &request.parameters;
    let page = given.as_deref().map_or(Some(1), value::digits);
    let page = page.and_then(|page| usize::try_from(page).ok()).unwrap_or(0);
    let kept = KEPT.with_borrow_mut(|kept| {
        kept.retain(|kept| now_ms() < kept.until_ms);
        let kept = kept.iter().find(|kept| kept.page == page)?;
        Some(answer::metrics(&kept.text))
    });
    if let Some(kept) = kept {
        return Ok(kept);
    }
    let mut pages = pages(names(request, sequencers.config.shards()).await?);
    let count = pages.len();
    if page == 0 || page > count {
        let allowed = format_args!("1 to {count}");
        return Err(parameters::refused("page", given.as_deref().unwrap_or_default(), allowed));
    }
    let samples = pages.swap_remove(page - 1).into_iter().map(async |(name, shards)| {
        // A wrong number of shards does no harm, because an existing registry stays in its region.
        let shown =
            admin::carry_out(request.env.as_ref(), &name, Task::Show, &ListedSequencer(shards))
                .await;
        let answered = match shown {
            Ok(Outcome { sequencer, usage: Some(usage), .. }) => Ok((sequencer, usage)),
            Err(problem) if problem.name == Refusal::Unreadable.code() => {
                Err((Some(UNREADABLE), Answer::None))
            }
            Ok(Outcome { usage: None, .. }) => Err((Some(UNREACHABLE), Answer::None)),
            Err(problem) => {
                let client = ShardClient::new(&name, shards);
                let said = look(request.env.as_ref(), &client, Sequencer::REGISTRY);
                let said = in_time(TROUBLE_MAX_MS, said).await.unwrap_or(Answer::None);
                let trouble = match &said {
                    Answer::Status(said) if !said.proved => Some(UNWRITABLE),
                    Answer::Unwritable => Some(UNWRITABLE),
                    // The registry answers, but refuses the request or does not know the sequencer.
                    // This is no trouble of a shard.
                    _ if problem.refused.is_some()
                        || problem.name == Refusal::UnknownSequencer.code() =>
                    {
                        None
                    }
                    _ => Some(UNREACHABLE),
                };
                Err((trouble, said))
            }
        };
        (name, answered)
    });
    let counts = |name: &str| sequencers.settings_of(name).terms.statistics;
    let mut text = text(&join_all(samples).await, &counts);
    write_head(&mut text, &PAGES);
    // Writing into a string cannot fail.
    let _ = writeln!(text, "{} {count}", PAGES.name);
    let response = answer::metrics(&text);
    let until_ms = now_ms() + KEPT_MS;
    KEPT.with_borrow_mut(|kept| kept.push(MetricsPage { page, until_ms, text }));
    Ok(response)
}

/// A sequencer from the directory's list, with its number of shards. The isolate does not make a
/// holder for the sequencer, because the list may have more than `HOLDERS_MAX` sequencers.
struct ListedSequencer(u64);

impl Isolate for ListedSequencer {
    async fn shards(&self, _env: &JsValue, _name: &str) -> Result<Option<u64>, Problem> {
        Ok(Some(self.0))
    }
}

/// Divides sequencers, each with its number of shards, into at least one page, so that no page
/// needs more than [`CALLS_MAX`] calls. Each sequencer needs one call to its registry, and one call
/// to each shard.
fn pages(names: Vec<(String, u64)>) -> Vec<Vec<(String, u64)>> {
    let (mut pages, mut calls) = (vec![Vec::new()], 0);
    for (name, shards) in names {
        calls += 1 + shards;
        if calls > CALLS_MAX {
            calls = 1 + shards;
            pages.push(Vec::new());
        }
        if let Some(page) = pages.last_mut() {
            page.push((name, shards));
        }
    }
    pages
}

/// Writes the metrics. Names of sequencers contain no character that must be escaped in labels.
///
/// `counts` returns whether a sequencer's ids are counted.
fn text(samples: &[Sample], counts: &dyn Fn(&str) -> bool) -> String {
    let mut text = String::new();
    let has_counts = samples.iter().any(|(sequencer, _)| counts(sequencer));
    for Metric { head, values } in &METRICS[usize::from(!has_counts)..] {
        write_head(&mut text, head);
        let name = head.name;
        for (sequencer, answered) in samples {
            let Ok((known, usage)) = answered else { continue };
            if name == METRICS[0].head.name && !counts(sequencer) {
                continue;
            }
            for (labels, value) in values(known, usage).into_iter().flatten() {
                let incarnation = known.incarnation;
                let _ = writeln!(
                    text,
                    r#"{name}{{sequencer="{sequencer}",incarnation="{incarnation}"{labels}}} {value}"#
                );
            }
        }
    }
    write_health(&mut text, samples);
    for (place, Trouble { head, shards }) in TROUBLES.iter().enumerate() {
        write_head(&mut text, head);
        let name = head.name;
        for (sequencer, answered) in samples {
            let count = match answered {
                Ok((_, usage)) => shards(usage).len(),
                // Only the registry's trouble is known. The registry is one of the shards.
                Err((trouble, _)) => usize::from(*trouble == Some(place)),
            };
            let _ = writeln!(text, r#"{name}{{sequencer="{sequencer}"}} {count}"#);
        }
    }
    text
}

/// For each shard that answers, writes the number of rollbacks, the time of the last write, and the
/// numbers of refusals.
fn write_health(text: &mut String, samples: &[Sample]) {
    let [mut written, mut refused, mut rollbacks] = [const { String::new() }; 3];
    for (sequencer, answered) in samples {
        let usage = match answered {
            Ok((_, usage)) => usage,
            Err((_, answer)) => &Usage { answers: vec![answer.clone()] },
        };
        for (shard, said) in usage.statuses() {
            let labels = format!(r#"sequencer="{sequencer}",shard="{shard}""#);
            if let (Some(count), Ok(_)) = (said.rollbacks, answered) {
                let _ = writeln!(rollbacks, "{}{{{labels}}} {count}", ROLLBACKS.name);
            }
            // A shard that has never written answers 0.
            if said.written_s > 0 {
                let _ = writeln!(written, "{}{{{labels}}} {}", WRITTEN.name, said.written_s);
            }
            for (code, count) in &said.refused {
                let name = REFUSED.name;
                let _ = writeln!(refused, r#"{name}{{{labels},code="{code}"}} {count}"#);
            }
        }
    }
    for (head, samples) in [(WRITTEN, written), (REFUSED, refused), (ROLLBACKS, rollbacks)] {
        write_head(text, &head);
        text.push_str(&samples);
    }
}

/// Writes a metric's help and type. Writing into a string cannot fail.
fn write_head(text: &mut String, Head { name, kind, help }: &Head) {
    let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
}

/// Returns the names of all sequencers with their numbers of shards. If the directory does not know
/// `default`, adds `default` with `of_default` shards.
async fn names(
    request: &AdmittedRequest<'_>,
    of_default: u64,
) -> Result<Vec<(String, u64)>, Problem> {
    let mut names = match client::sequencers(request.env.as_ref()).await {
        // The directory could not create its table, so it has no names.
        Err(NoAnswer::Unwritable) => Vec::new(),
        names => names.map_err(NoAnswer::problem)?,
    };
    if !names.iter().any(|(name, _)| name == DEFAULT_SEQUENCER) {
        names.push((DEFAULT_SEQUENCER.to_owned(), of_default));
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_takes_so_many_calls() {
        let counts = |shards: &[u64]| {
            let names = shards.iter().map(|shards| (String::new(), *shards)).collect();
            pages(names).iter().map(Vec::len).collect::<Vec<_>>()
        };
        assert_eq!(counts(&[]), [0]);
        assert_eq!(counts(&[1; 250]), [250]);
        assert_eq!(counts(&[1; 251]), [250, 1]);
        assert_eq!(counts(&[1; 600]), [250, 250, 100]);
        assert_eq!(counts(&[64; 8]), [7, 1]);
    }
}
