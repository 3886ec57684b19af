//! Formats the outcomes as Markdown tables with aligned columns.

use crate::outcome::{Incident, Outcome};
use crate::setting::Setting;

const HEAD: [&str; 15] = [
    "isolates",
    "shards",
    "node bits",
    "lease",
    "other than usual",
    "nodes",
    "at most",
    "of all",
    "calls/s·shard",
    "deploy: calls/s·shard",
    "slow, failed",
    "well after",
    "failover: slow, failed",
    "well after",
    "ids/s",
];

/// Formats three tables with a row for each outcome: its results, its costs, and the formula for
/// the nodes in use.
pub(crate) fn text(outcomes: &[Outcome]) -> String {
    let rows = aligned(&HEAD, outcomes.iter().map(row));
    let costs = aligned(&COST_HEAD, outcomes.iter().map(cost));
    let nodes = aligned(&FORMULA_HEAD, outcomes.iter().map(formula));
    format!("{rows}\n\n{costs}\n\n{nodes}")
}

fn row(outcome: &Outcome) -> [String; HEAD.len()] {
    let Outcome { setting, deploy, failover, .. } = outcome;
    [
        grouped(f64::from(setting.isolates)),
        setting.shards.to_string(),
        setting.node_bits.to_string(),
        format!("{} s", setting.lease_s),
        other(setting),
        grouped(outcome.nodes),
        outcome.held_max().to_string(),
        percent(outcome.nodes_part()),
        format!("{:.1}, {}", outcome.calls, outcome.calls_max),
        deploy.calls_max.to_string(),
        fared(deploy),
        after(deploy),
        fared(failover),
        after(failover),
        scaled(outcome.ids_per_second),
    ]
}

const COST_HEAD: [&str; 8] = [
    "isolates",
    "shards",
    "lease",
    "requests a month",
    "calls a month",
    "authorities",
    "requests of the Worker",
    "instead: a call for each id",
];

fn cost(outcome: &Outcome) -> [String; COST_HEAD.len()] {
    let Outcome { setting, usage, .. } = outcome;
    let dollars = |amount: f64| {
        if amount < 100.0 { format!("${amount:.2}") } else { format!("${}", grouped(amount)) }
    };
    [
        grouped(f64::from(setting.isolates)),
        setting.shards.to_string(),
        format!("{} s", setting.lease_s),
        scaled(usage.requests),
        scaled(usage.calls),
        dollars(usage.authorities()),
        dollars(usage.worker()),
        dollars(usage.call_for_each_id()),
    ]
}

const FORMULA_HEAD: [&str; 4] =
    ["isolates", "rest, measured", "nodes by the formula", "nodes, measured"];

fn formula(outcome: &Outcome) -> [String; FORMULA_HEAD.len()] {
    let Outcome { isolates, rest_s, nodes_by_formula, nodes, .. } = outcome;
    let rest = format!("{rest_s:.1} s");
    [grouped(*isolates), rest, grouped(*nodes_by_formula), grouped(*nodes)]
}

/// Names the differences between a setting and the first setting of the same size.
fn other(setting: &Setting) -> String {
    let usual = Setting::new(setting.isolates, setting.shards, setting.node_bits);
    let mut others = Vec::new();
    if setting.lifetime_s != usual.lifetime_s {
        others.push(format!("life {} s", setting.lifetime_s));
    }
    if setting.deploy_s != usual.deploy_s {
        others.push(format!("deploy {} s", setting.deploy_s));
    }
    if setting.is_refusing != usual.is_refusing {
        others.push("errors".to_owned());
    }
    if setting.object_per_second != usual.object_per_second {
        others.push(format!("{} a second", setting.object_per_second));
    }
    if setting.operations_per_second_max != usual.operations_per_second_max {
        others.push(format!("max {}", setting.operations_per_second_max));
    }
    if setting.queue_ms != usual.queue_ms {
        others.push(format!("queue {} ms", setting.queue_ms));
    }
    others.join(", ")
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
fn scaled(number: f64) -> String {
    let units = ["", " k", " M", " G", " T", " P"];
    let (mut number, mut unit) = (number, 0);
    while number >= 1_000.0 && unit + 1 < units.len() {
        number /= 1_000.0;
        unit += 1;
    }
    let decimals = if number < 10.0 { 2 } else { usize::from(number < 100.0) };
    format!("{number:.decimals$}{}", units[unit])
}

fn aligned<const N: usize>(head: &[&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let rows: Vec<_> = rows.collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let line = |cells: [&str; N]| {
        let cells = cells.iter().zip(widths).map(|(cell, width)| format!(" {cell:>width$} |"));
        format!("|{}", cells.collect::<String>())
    };
    let rule = widths.map(|width| format!("-{}:|", "-".repeat(width)));
    let mut lines = vec![line(*head), format!("|{}", rule.concat())];
    lines.extend(rows.iter().map(|row| line(row.each_ref().map(String::as_str))));
    lines.join("\n")
}
