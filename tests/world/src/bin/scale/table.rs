//! Formats the outcomes as Markdown tables.

use crate::outcome::{Incident, Outcome};

/// The head of a column, and its cell for an outcome.
type Column = (&'static str, fn(&Outcome) -> String);

const ISOLATES: Column = ("isolates", |it| grouped(f64::from(it.setting.isolates)));
const SHARDS: Column = ("shards", |it| it.setting.shards.to_string());
const LEASE: Column = ("lease", |it| format!("{} s", it.setting.lease_s));

const RESULTS: &[Column] = &[
    ISOLATES,
    SHARDS,
    ("node bits", |it| it.setting.node_bits.to_string()),
    LEASE,
    ("other than usual", |it| it.setting.unusual()),
    ("nodes", |it| grouped(it.nodes)),
    ("at most", |it| it.held_max().to_string()),
    ("of all", |it| percent(it.nodes_part())),
    ("calls/s·shard", |it| format!("{:.1}, {}", it.calls, it.steady.calls_max)),
    ("deploy: calls/s·shard", |it| it.deploy.calls_max.to_string()),
    ("slow, failed", |it| fared(&it.deploy)),
    ("well after", |it| after(&it.deploy)),
    ("failover: slow, failed", |it| fared(&it.failover)),
    ("well after", |it| after(&it.failover)),
];

const COSTS: &[Column] = &[
    ISOLATES,
    SHARDS,
    LEASE,
    ("requests a month", |it| scaled(it.usage.requests)),
    ("calls a month", |it| scaled(it.usage.calls)),
    ("authorities", |it| dollars(it.usage.authorities())),
    ("requests of the Worker", |it| dollars(it.usage.worker())),
    ("instead: a call for each id", |it| dollars(it.usage.call_for_each_id())),
];

const FORMULA: &[Column] = &[
    ("isolates", |it| grouped(it.isolates)),
    ("rest, measured", |it| format!("{:.1} s", it.rest_s)),
    ("nodes by the formula", |it| grouped(it.nodes_by_formula)),
    ("nodes, measured", |it| grouped(it.nodes)),
];

/// Formats three tables with a row for each outcome: its results, its costs, and the formula for
/// the nodes in use.
pub(crate) fn text(outcomes: &[Outcome]) -> String {
    [RESULTS, COSTS, FORMULA].map(|columns| table(columns, outcomes)).join("\n\n")
}

fn table(columns: &[Column], outcomes: &[Outcome]) -> String {
    let line = |cell: &dyn Fn(&Column) -> String| {
        format!("| {} |", columns.iter().map(cell).collect::<Vec<_>>().join(" | "))
    };
    let mut lines = vec![line(&|(head, _)| (*head).to_owned()), line(&|_| "--:".to_owned())];
    lines.extend(outcomes.iter().map(|outcome| line(&|(_, cell)| cell(outcome))));
    lines.join("\n")
}

fn dollars(amount: f64) -> String {
    if amount < 100.0 { format!("${amount:.2}") } else { format!("${}", grouped(amount)) }
}

fn fared(incident: &Incident) -> String {
    format!("{}, {}", percent(incident.slow), percent(incident.failed))
}

fn after(incident: &Incident) -> String {
    incident.recovered_s.map_or_else(|| "never".to_owned(), |seconds| format!("{seconds} s"))
}

fn percent(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

/// Formats a number with commas between thousands.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number with three digits and an SI prefix.
fn scaled(mut number: f64) -> String {
    let units = ["", " k", " M", " G", " T", " P"];
    let mut unit = 0;
    while number >= 1_000.0 && unit + 1 < units.len() {
        number /= 1_000.0;
        unit += 1;
    }
    let decimals = if number < 10.0 { 2 } else { usize::from(number < 100.0) };
    format!("{number:.decimals$}{}", units[unit])
}
