use edgeflake::lease::BoundConfig;
use edgeflake::lease::{Life, Sequencer};

use crate::{Json, Object, Unreadable, Value};

pub(crate) fn write_config(json: &mut Json, config: &BoundConfig) {
    json.text("layout", config.layout());
    json.number("first_node", config.first_node());
    json.number("node_count", config.node_count());
    json.number("shards", config.shards());
    if config.withdrawn() > 0 {
        json.number("withdrawn", config.withdrawn());
    }
}

pub(crate) fn read_config<V: Value>(message: &Object<'_, V>) -> Result<BoundConfig, Unreadable> {
    let node_count = message.number("node_count")?;
    let withdrawn = message.number_or_none("withdrawn")?.unwrap_or(0);
    let config = BoundConfig::new(
        message.parsed("layout")?,
        message.number("first_node")?,
        // Both are below 2^53.
        node_count + withdrawn,
        message.number("shards")?,
    )
    .map_err(|error| Unreadable::value("node_count", error))?;
    let expected = "fewer than the nodes of the last shard";
    config.shrunk(node_count).ok_or_else(|| Unreadable::field("withdrawn", expected))
}

pub(crate) fn write(json: &mut Json, sequencer: &Sequencer) {
    write_config(json, &sequencer.config);
    json.number("incarnation", sequencer.incarnation);
    json.number("from_tick", sequencer.from_tick);
    match sequencer.life {
        Life::Active => json.text("life", &"active"),
        Life::Destroying { confirmed, until_tick } => {
            json.text("life", &"destroying");
            json.number("confirmed", confirmed);
            json.number("until_tick", until_tick);
        }
        Life::Destroyed { until_tick } => {
            json.text("life", &"destroyed");
            json.number("until_tick", until_tick);
        }
    }
}

pub(crate) fn read<V: Value>(message: &Object<'_, V>) -> Result<Sequencer, Unreadable> {
    let life = message.text_or_none("life")?;
    Ok(Sequencer {
        config: read_config(message)?,
        incarnation: message.number("incarnation")?,
        from_tick: message.number("from_tick")?,
        life: match life.as_deref() {
            Some("active") => Life::Active,
            Some("destroying") => Life::Destroying {
                confirmed: message.number("confirmed")?,
                until_tick: message.number("until_tick")?,
            },
            Some("destroyed") => Life::Destroyed { until_tick: message.number("until_tick")? },
            _ => {
                let expected = "active, destroying or destroyed";
                return Err(Unreadable::field("life", expected));
            }
        },
    })
}
