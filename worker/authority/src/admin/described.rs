//! A sequencer as answers describe it.

use edgeflake::Instant;
use edgeflake::lease::{Life, Status};
use edgeflake_wire::Json;

use crate::admin::administration::Outcome;
use crate::clock::now_ms;
use crate::objects::address::DEFAULT_SEQUENCER;
use crate::settings::Configured;

/// When this share of the layout's time has passed, the status warns of its end.
const LIFE_USED_WARNING: f64 = 0.9;

impl Outcome {
    /// The sequencer as JSON. All numbers are below 2^53, and no text has a character that JSON
    /// escapes.
    #[must_use]
    pub fn json(&self, name: &str, configured: &Configured) -> String {
        let Self { sequencer, usage, .. } = self;
        let config = &sequencer.config;
        let layout = config.layout();
        let ends = Instant(layout.end_ms());
        let (state, recreatable_from) = match sequencer.life {
            Life::Active => ("active", None),
            Life::Destroying { .. } => ("destroying", None),
            // If nothing was granted, the sequencer can be recreated at once.
            Life::Destroyed { until_tick: 0 } => {
                ("destroyed", Some(layout.epoch_ms().min(now_ms())))
            }
            Life::Destroyed { until_tick } => ("destroyed", Some(layout.start_ms(until_tick))),
        };
        let mut json = Json::object();
        json.text("name", &name);
        json.text("state", &state);
        json.number("incarnation", sequencer.incarnation);
        json.text("layout", layout);
        json.number("first_node", config.first_node());
        json.number("node_count", config.node_count());
        json.number("shards", config.shards());
        let ids_per_second = layout.ids_per_tick().saturating_mul(1_000) / layout.tick_ms();
        json.number("ids_per_second_and_node", ids_per_second);
        json.text("ends", &ends);
        if let Some(from_ms) = recreatable_from {
            json.text("recreatable_from", &Instant(from_ms));
        }
        let mut warnings = Vec::new();
        if layout.life_used(now_ms()) > LIFE_USED_WARNING {
            warnings.push(format!("the layout ends at {ends}: create another with another name"));
        }
        if let Some(usage) = usage {
            if let Some(status) = &usage.status {
                write_status(&mut json, status);
                if configured.settings_of(name).terms.statistics {
                    json.number("issued", status.issued);
                }
            }
            let rollbacks: Vec<_> = usage.rollbacks().collect();
            if !rollbacks.is_empty() {
                json.number("rollbacks", rollbacks.iter().map(|(_, count)| count).sum());
            }
            let rolled_back = rollbacks.iter().filter(|(_, count)| *count > 0);
            for (which, shards) in [
                (
                    "were rolled back, so that their nodes started later, as their logs say",
                    rolled_back.map(|(shard, _)| *shard).collect(),
                ),
                ("do not answer, so that nodes and ids are not counted", usage.unreachable()),
                ("cannot read what they have stored, as their logs say", usage.unreadable()),
                ("cannot write, as their logs say", usage.unwritable()),
            ] {
                if !shards.is_empty() {
                    let shards: Vec<_> = shards.iter().map(u64::to_string).collect();
                    warnings.push(format!("shards that {which}: {}", shards.join(", ")));
                }
            }
            if name == DEFAULT_SEQUENCER
                && let Some(difference) = config.difference(&configured.config)
            {
                let differ = "the variables differ from what it is bound to";
                warnings.push(format!("{differ}: {difference}"));
            }
        }
        json.list("warnings");
        for warning in &warnings {
            json.text_item(warning);
        }
        json.end_list();
        json.end()
    }
}

fn write_status(json: &mut Json, status: &Status) {
    let &Status { nodes: total, used, held, .. } = status;
    json.open("nodes");
    for (name, number) in
        [("total", total), ("held", held), ("free", status.free()), ("used", used)]
    {
        json.number(name, number);
    }
    json.close();
}
