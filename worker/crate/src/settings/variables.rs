//! Reads the variables in the [table](super::table). A variable that is not set has its default.

use edgeflake::Layout;
use edgeflake::lease::{self, BoundConfig, Error};
use edgeflake_wire::{DEFAULT_SEQUENCER, is_name};
use js_sys::{JSON, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use super::table::{LAYOUT, PREFIX, SETTINGS, Scope, Setting, Values};
use crate::found::{Quote, is_alike, nearest};
use crate::value::{check_node_count, layout};

/// Variables of earlier versions, each with the layout option that has replaced the variable.
const REPLACED: [(&str, &str); 4] = [
    ("EDGEFLAKE_EPOCH_START", "epoch"),
    ("EDGEFLAKE_BITS_SEQUENCE", "bits-sequence"),
    ("EDGEFLAKE_BITS_NODE_ID", "bits-node-id"),
    ("EDGEFLAKE_NODES", "nodes"),
];

/// Reads the variables of one sequencer when they are needed.
pub struct Variables<'a> {
    variable: &'a dyn Fn(&str) -> Option<String>,
    sequencer: &'a str,
}

impl<'a> Variables<'a> {
    /// Returns the variables of the default sequencer. The function `variable` takes the name of a
    /// variable, and returns the variable's text.
    #[must_use]
    pub const fn new(variable: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self { variable, sequencer: DEFAULT_SEQUENCER }
    }

    /// Returns the same variables for another sequencer, which may have settings of its own.
    #[must_use]
    pub const fn of(self, sequencer: &'a str) -> Self {
        Self { sequencer, ..self }
    }

    /// Reads the variables of these scopes. The values of other scopes are the defaults.
    ///
    /// # Errors
    /// A text that names the variable, what was found and what is allowed.
    pub fn values(&self, scopes: &[Scope]) -> Result<Values, String> {
        let mut values = Values::default();
        for setting in SETTINGS.iter().filter(|setting| scopes.contains(&setting.scope)) {
            if let Some(text) = self.text(setting)? {
                let read = (setting.value)(&mut values).read(&text);
                read.map_err(|error| format!("{} {error}", setting.name))?;
            }
        }
        Ok(values)
    }

    /// Returns the settings of each sequencer that a variable names.
    ///
    /// # Errors
    /// A text that names the variable, what was found and what is allowed.
    pub fn named(&self) -> Result<Vec<(String, lease::Settings)>, String> {
        let mut named = Vec::new();
        for setting in of(Scope::Sequencer) {
            let text = (self.variable)(setting.name).unwrap_or_default();
            for (sequencer, _) in items(&text) {
                let Some(sequencer) = sequencer else { continue };
                let variables = Variables { variable: self.variable, sequencer };
                named.push((sequencer.to_owned(), variables.lease_settings()?));
            }
        }
        Ok(named)
    }

    /// Returns the text of a variable. If the text is a list with items for named sequencers,
    /// returns the item of this sequencer, or else the item of all sequencers.
    fn text(&self, setting: &Setting) -> Result<Option<String>, String> {
        let text = (self.variable)(setting.name);
        let Some(text) = text.filter(|_| setting.scope == Scope::Sequencer) else {
            return Ok((self.variable)(setting.name));
        };
        let (mut of_all, mut own) = (None, None);
        for (sequencer, value) in items(&text) {
            let found = match sequencer {
                None => &mut of_all,
                Some(name) if name == self.sequencer => &mut own,
                Some(name) if is_name(name) => continue,
                Some(_) => return Err(not_items(setting.name, &text)),
            };
            if found.replace(value).is_some() {
                return Err(not_items(setting.name, &text));
            }
        }
        Ok(own.or(of_all).map(str::to_owned))
    }

    /// Returns the configuration that a sequencer is bound to when it is created.
    ///
    /// # Errors
    /// A text that names the variable, what was found and what is allowed.
    pub fn bound_config(&self) -> Result<BoundConfig, String> {
        let values = self.values(&[Scope::Layout, Scope::Nodes])?;
        self.check_replaced(&values.layout)?;
        check_node_count([LAYOUT, "EDGEFLAKE_NODE_COUNT"], &values.layout, values.node_count)?;
        let layout = layout(LAYOUT, &values.layout)?;
        let Values { first_node, shards, .. } = values;
        let all = || all_nodes(&layout, first_node, shards);
        let node_count = values.node_count.unwrap_or_else(all);
        let config = BoundConfig::to_create(layout, first_node, node_count, shards);
        config.map_err(|error| {
            let names: Vec<_> = of(Scope::Nodes).map(|setting| setting.name).collect();
            format!("{}: {error}", names.join(", "))
        })
    }

    /// Returns the settings that may change with every deployment.
    ///
    /// # Errors
    /// A text that names the variable, what was found and what is allowed.
    pub fn lease_settings(&self) -> Result<lease::Settings, String> {
        Ok(self.values(&[Scope::Sequencer])?.lease)
    }

    /// Refuses variables of earlier versions, and says which layout replaces these variables.
    fn check_replaced(&self, layout: &str) -> Result<(), String> {
        let value = |(name, option)| Some((name, option, (self.variable)(name)?));
        let found: Vec<_> = REPLACED.into_iter().filter_map(value).collect();
        if found.is_empty() {
            return Ok(());
        }
        let names: Vec<_> = found.iter().map(|(name, ..)| *name).collect();
        let options = found.iter().map(|(_, option, value)| format!(" {option}={value}"));
        Err(format!(
            "{}: the layout has these options now, so write EDGEFLAKE_LAYOUT = \"{layout}{}\"",
            names.join(", "),
            options.collect::<String>()
        ))
    }

    /// Returns the settings that may change with every deployment, checked against a layout.
    ///
    /// # Errors
    /// A text that names the variables, what was found and what is allowed.
    pub fn lease_settings_for(&self, layout: &Layout) -> Result<lease::Settings, String> {
        let settings = self.lease_settings()?;
        settings.check(layout).map_err(|error| {
            let names = match error {
                Error::Lease { .. } => "EDGEFLAKE_LEASE_MILLIS, EDGEFLAKE_ALLOWED_FUTURE_MILLIS",
                _ => "EDGEFLAKE_SEQUENCE_START, EDGEFLAKE_SEQUENCE_GAP_MAX",
            };
            format!("{names}: {error}")
        })?;
        Ok(settings)
    }
}

fn of(scope: Scope) -> impl Iterator<Item = &'static Setting> {
    SETTINGS.iter().filter(move |setting| setting.scope == scope)
}

/// Splits a list at its commas. Returns for each item the name of a sequencer, if the item has one,
/// and the value.
fn items(text: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    text.split(',').map(|item| match item.split_once('=') {
        Some((of, value)) => (Some(of.trim_ascii()), value.trim_ascii()),
        None => (None, item.trim_ascii()),
    })
}

fn not_items(name: &str, text: &str) -> String {
    format!(
        r#"{name} is {}: give a list such as "0, orders=15": a value for all sequencers, then values for single ones by name"#,
        Quote(text)
    )
}

/// Returns the setting that a name such as `allowedFutureMillis` means.
pub(crate) fn setting(name: &str) -> Option<&'static str> {
    let is_meant = |known: &&str| is_alike(name, without_prefix(known));
    of(Scope::Sequencer).map(|setting| setting.name).find(is_meant)
}

fn without_prefix(known: &str) -> &str {
    known.strip_prefix(PREFIX).unwrap_or(known)
}

/// Refuses a name that begins with [`PREFIX`] but is not a variable. All other names belong to
/// other programs.
///
/// # Errors
/// A text that names the variable and the known variable with the most similar spelling.
pub fn check_name(name: &str) -> Result<(), String> {
    let Some(given) = name.strip_prefix(PREFIX).filter(|_| !is_known(name)) else {
        return Ok(());
    };
    let known: Vec<_> = SETTINGS.iter().map(|setting| without_prefix(setting.name)).collect();
    let nearest = nearest(given, &known);
    Err(format!("the variable {name} is not known: remove it, or did you mean {PREFIX}{nearest}?"))
}

/// Returns whether a variable is in use, or is a replaced one, which `check_replaced` refuses.
fn is_known(name: &str) -> bool {
    SETTINGS.iter().any(|setting| setting.name == name)
        || REPLACED.iter().any(|(replaced, _)| *replaced == name)
}

/// Checks the names of all variables of an environment, see [`check_name`].
///
/// # Errors
/// A text that names the variable and the known variable with the most similar spelling.
pub fn check_names(env: &JsValue) -> Result<(), String> {
    let names = Object::keys(env.unchecked_ref::<Object>());
    names.iter().filter_map(|name| name.as_string()).try_for_each(|name| check_name(&name))
}

/// Returns a variable or secret of the Worker, if it is set. A value that is not a string, such as
/// a number in `wrangler.toml`, is returned as JSON.
pub fn variable(env: &JsValue, name: &str) -> Option<String> {
    let value = Reflect::get(env, &name.into()).ok()?;
    value.as_string().or_else(|| JSON::stringify(&value).ok()?.as_string())
}

/// Returns the number of nodes that the layout has from `first_node` on, or the number of nodes
/// that the shards can hold, whichever is less. The number is rounded down to a multiple of the
/// number of shards.
pub fn all_nodes(layout: &Layout, first_node: u64, shards: u64) -> u64 {
    let room = BoundConfig::SHARD_NODES_MAX.saturating_mul(shards.max(1));
    let most = room.min(BoundConfig::NODE_COUNT_MAX);
    let nodes = layout.nodes().saturating_sub(first_node).min(most);
    nodes - nodes.checked_rem(shards).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use edgeflake::lease::Terms;
    use edgeflake::{SequenceStart, preset};

    fn read(variables: &[(&str, &str)]) -> Result<(BoundConfig, lease::Settings), String> {
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        let variables = Variables::new(&variable);
        let config = variables.bound_config()?;
        let settings = variables.lease_settings_for(config.layout())?;
        variables.named()?;
        Ok((config, settings))
    }

    #[test]
    fn names() {
        for name in ["EDGEFLAKE_LAYOUT", "EDGEFLAKE_ADMIN_TOKEN", "LAYOUT", "edgeflake_layuot", ""]
        {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for (name, nearest) in [
            ("EDGEFLAKE_NODE_CUONT", "EDGEFLAKE_NODE_COUNT"),
            ("EDGEFLAKE_LAYOUTS", "EDGEFLAKE_LAYOUT"),
            ("EDGEFLAKE_TOKEN", "EDGEFLAKE_READ_TOKEN"),
            ("EDGEFLAKE_ALLOWED_FUTURE", "EDGEFLAKE_ALLOWED_FUTURE_MILLIS"),
            ("EDGEFLAKE_QQQQ", "EDGEFLAKE_LAYOUT"),
            ("EDGEFLAKE_ISSUE_SECRET", "EDGEFLAKE_ISSUE_TOKEN"),
            ("EDGEFLAKE_", "EDGEFLAKE_LAYOUT"),
        ] {
            assert_eq!(
                check_name(name),
                Err(format!(
                    "the variable {name} is not known: remove it, or did you mean {nearest}?"
                ))
            );
        }
    }

    #[test]
    fn h4_h17_h18_defaults() {
        let (config, settings) = read(&[]).unwrap();
        assert_eq!(*config.layout(), preset::HAZELCAST);
        assert_eq!(config.node_count(), 65_536);
        assert_eq!(settings.terms.lease_ms, 300_000);
        assert_eq!(settings.terms.allowed_future_ms, 15_000);
        assert_eq!(settings.terms.prefetch_count, 100);
        assert_eq!(settings.terms.prefetch_validity_ms, 600_000);
    }

    #[test]
    fn h22_node_range() {
        let (config, _) =
            read(&[("EDGEFLAKE_LAYOUT", "twitter"), ("EDGEFLAKE_NODE_ID_OFFSET", "1000")]).unwrap();
        assert_eq!((config.first_node(), config.node_count()), (1_000, 24));
        let (config, _) =
            read(&[("EDGEFLAKE_NODE_ID_OFFSET", "65534"), ("EDGEFLAKE_NODE_COUNT", "2")]).unwrap();
        assert_eq!((config.first_node(), config.node_count()), (65_534, 2));
    }

    #[test]
    fn h21_h24_h25_layouts() {
        for (text, expected) in [
            ("hazelcast", "unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms"),
            (
                "hazelcast bits-node-id=10 epoch-start=2026-01-01",
                "unused:1 timestamp:47 sequence:6 node:10 @1767225600000 tick=1ms",
            ),
            (
                "snowcast nodes=129 epoch=2014-02-01T00:00+01:00",
                "timestamp:41 node:8 sequence.counter:15 @1391209200000 tick=1ms",
            ),
        ] {
            let (config, _) = read(&[("EDGEFLAKE_LAYOUT", text)]).unwrap();
            assert_eq!(config.layout().to_string(), expected, "{text}");
        }
        let (config, _) =
            read(&[("EDGEFLAKE_LAYOUT", "snowcast nodes=8192"), ("EDGEFLAKE_NODE_COUNT", "128")])
                .unwrap();
        assert_eq!((config.layout(), config.node_count()), (&preset::SNOWCAST, 128));
    }

    #[test]
    fn shards_divide_the_nodes() {
        let (config, _) = read(&[("EDGEFLAKE_SHARDS", "4")]).unwrap();
        assert_eq!((config.node_count(), config.shards()), (65_536, 4));
        // 10 nodes remain, and 4 shards divide at most 8 of these evenly.
        let (config, _) =
            read(&[("EDGEFLAKE_SHARDS", "4"), ("EDGEFLAKE_NODE_ID_OFFSET", "65526")]).unwrap();
        assert_eq!((config.first_node(), config.node_count()), (65_526, 8));
    }

    #[test]
    fn h17_h26_h27_settings() {
        let (_, settings) = read(&[
            ("EDGEFLAKE_LEASE_MILLIS", "60000"),
            ("EDGEFLAKE_ALLOWED_FUTURE_MILLIS", "1000"),
            ("EDGEFLAKE_CLOCK_DISAGREEMENT_MAX_MILLIS", "2000"),
            ("EDGEFLAKE_SEQUENCE_START", "random:63"),
            ("EDGEFLAKE_SEQUENCE_GAP_MAX", "3"),
            ("EDGEFLAKE_PREFETCH_COUNT", "100000"),
            ("EDGEFLAKE_PREFETCH_VALIDITY_MILLIS", "0"),
            ("EDGEFLAKE_STATISTICS_ENABLED", "false"),
            ("EDGEFLAKE_OPERATIONS_PER_SECOND_MAX", "200"),
        ])
        .unwrap();
        let mut expected = lease::Settings {
            clock_disagreement_max_ms: 2_000,
            operations_per_second_max: 200,
            ..lease::Settings::default()
        };
        expected.terms = Terms {
            lease_ms: 60_000,
            allowed_future_ms: 1_000,
            sequence_start: SequenceStart::Random { max: 63 },
            gap_max: 3,
            prefetch_count: 100_000,
            prefetch_validity_ms: 0,
            ..expected.terms
        };
        expected.terms.statistics = false;
        assert_eq!(settings, expected);
        let (_, settings) = read(&[("EDGEFLAKE_SEQUENCE_START", "rotating")]).unwrap();
        assert_eq!(settings.terms.sequence_start, SequenceStart::Rotating);
    }

    #[test]
    fn h15_h30_settings_by_name() {
        let variables = [
            ("EDGEFLAKE_ALLOWED_FUTURE_MILLIS", "1500, orders=0, audit-2 = 70"),
            ("EDGEFLAKE_SEQUENCE_START", "orders=random:9"),
            ("EDGEFLAKE_STATISTICS_ENABLED", "orders=false,true"),
        ];
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        let terms = |name| Variables::new(&variable).of(name).lease_settings().unwrap().terms;
        for (name, expected) in [
            ("default", (1_500, SequenceStart::Zero, true)),
            ("order", (1_500, SequenceStart::Zero, true)),
            ("orders", (0, SequenceStart::Random { max: 9 }, false)),
            ("audit-2", (70, SequenceStart::Zero, true)),
        ] {
            let Terms { allowed_future_ms, sequence_start, statistics, .. } = terms(name);
            assert_eq!((allowed_future_ms, sequence_start, statistics), expected, "{name}");
        }
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "one entry a refusal")]
    fn h17_refusals_name_the_variable() {
        for (variables, text) in [
            (
                &[("EDGEFLAKE_NODE_COUNT", "2x")][..],
                r#"EDGEFLAKE_NODE_COUNT is "2x": give a whole number from 1 to 1048576"#,
            ),
            (
                &[("EDGEFLAKE_NODE_COUNT", "-1")],
                r#"EDGEFLAKE_NODE_COUNT is "-1": give a whole number from 1 to 1048576"#,
            ),
            (
                &[("EDGEFLAKE_NODE_COUNT", "")],
                r#"EDGEFLAKE_NODE_COUNT is "": give a whole number from 1 to 1048576"#,
            ),
            (
                &[("EDGEFLAKE_PREFETCH_VALIDITY_MILLIS", "9007199254740992")],
                r#"EDGEFLAKE_PREFETCH_VALIDITY_MILLIS is "9007199254740992": give a whole number from 0 to 9007199254740991"#,
            ),
            (
                &[("EDGEFLAKE_OPERATIONS_PER_SECOND_MAX", "0")],
                r#"EDGEFLAKE_OPERATIONS_PER_SECOND_MAX is "0": give a whole number from 1 to 9007199254740991"#,
            ),
            (
                &[("EDGEFLAKE_NODE_COUNT", "0")],
                r#"EDGEFLAKE_NODE_COUNT is "0": give a whole number from 1 to 1048576"#,
            ),
            (
                &[("EDGEFLAKE_NODE_ID_OFFSET", "65535"), ("EDGEFLAKE_NODE_COUNT", "2")],
                "EDGEFLAKE_NODE_ID_OFFSET, EDGEFLAKE_NODE_COUNT, EDGEFLAKE_SHARDS: there are 2 \
                 nodes from node 65535 on: give 1 to 1048576 nodes, up to node 65535",
            ),
            (
                &[("EDGEFLAKE_BITS_NODE_ID", "10"), ("EDGEFLAKE_EPOCH_START", "2026-01-01")],
                "EDGEFLAKE_EPOCH_START, EDGEFLAKE_BITS_NODE_ID: the layout has these options now, so \
                 write EDGEFLAKE_LAYOUT = \"hazelcast epoch=2026-01-01 bits-node-id=10\"",
            ),
            (
                &[("EDGEFLAKE_NODES", "129"), ("EDGEFLAKE_LAYOUT", "snowcast")],
                "EDGEFLAKE_NODES: the layout has these options now, so write EDGEFLAKE_LAYOUT = \
                 \"snowcast nodes=129\"",
            ),
            (
                &[("EDGEFLAKE_LAYOUT", "snowcast"), ("EDGEFLAKE_NODE_COUNT", "128")],
                "EDGEFLAKE_NODE_COUNT is 128, and EDGEFLAKE_LAYOUT is \"snowcast\", whose bits \
                 depend on its number of nodes: write \"snowcast nodes=128\", or \"snowcast \
                 nodes=8192\"",
            ),
            (
                // A snowcast has at least 128 nodes, so the message proposes 128.
                &[("EDGEFLAKE_LAYOUT", "snowcast"), ("EDGEFLAKE_NODE_COUNT", "100")],
                "EDGEFLAKE_NODE_COUNT is 100, and EDGEFLAKE_LAYOUT is \"snowcast\", whose bits \
                 depend on its number of nodes: write \"snowcast nodes=128\", or \"snowcast \
                 nodes=8192\"",
            ),
            (
                &[("EDGEFLAKE_LAYOUT", "hazelcast bits-sequence=47")],
                "EDGEFLAKE_LAYOUT is \"hazelcast bits-sequence=47\": field timestamp has 0 bits: \
                 give 1 to 64",
            ),
            (
                &[("EDGEFLAKE_SHARDS", "3"), ("EDGEFLAKE_NODE_COUNT", "6")],
                "EDGEFLAKE_NODE_ID_OFFSET, EDGEFLAKE_NODE_COUNT, EDGEFLAKE_SHARDS: there are 3 \
                 shards: give a power of two up to 64 that divides the number of nodes, 6",
            ),
            (
                &[("EDGEFLAKE_SHARDS", "65")],
                r#"EDGEFLAKE_SHARDS is "65": give a whole number from 1 to 64"#,
            ),
            (
                &[("EDGEFLAKE_PREFETCH_COUNT", "100001")],
                r#"EDGEFLAKE_PREFETCH_COUNT is "100001": give a whole number from 1 to 100000"#,
            ),
            (
                &[("EDGEFLAKE_SEQUENCE_GAP_MAX", "64")],
                "EDGEFLAKE_SEQUENCE_START, EDGEFLAKE_SEQUENCE_GAP_MAX: sequence 64 is too large: \
                 at most 63 is allowed",
            ),
            (
                &[("EDGEFLAKE_SEQUENCE_START", "random")],
                r#"EDGEFLAKE_SEQUENCE_START is "random": give zero, rotating, or random:N, where N is the largest start"#,
            ),
            (
                &[("EDGEFLAKE_PREFETCH_COUNT", "100, orders=few")],
                r#"EDGEFLAKE_PREFETCH_COUNT is "few": give a whole number from 1 to 100000"#,
            ),
            (
                &[("EDGEFLAKE_PREFETCH_COUNT", "100, Orders=9")],
                r#"EDGEFLAKE_PREFETCH_COUNT is "100, Orders=9": give a list such as "0, orders=15": a value for all sequencers, then values for single ones by name"#,
            ),
            (
                &[("EDGEFLAKE_PREFETCH_COUNT", "100, 200")],
                r#"EDGEFLAKE_PREFETCH_COUNT is "100, 200": give a list such as "0, orders=15": a value for all sequencers, then values for single ones by name"#,
            ),
            (
                &[("EDGEFLAKE_PREFETCH_COUNT", "orders=1, orders=2")],
                r#"EDGEFLAKE_PREFETCH_COUNT is "orders=1, orders=2": give a list such as "0, orders=15": a value for all sequencers, then values for single ones by name"#,
            ),
            (
                &[("EDGEFLAKE_NODE_COUNT", "100, orders=9")],
                r#"EDGEFLAKE_NODE_COUNT is "100, orders=9": give a whole number from 1 to 1048576"#,
            ),
            (
                &[("EDGEFLAKE_STATISTICS_ENABLED", "yes")],
                r#"EDGEFLAKE_STATISTICS_ENABLED is neither "true" nor "false": set it to one of them, or remove it"#,
            ),
            (
                &[("EDGEFLAKE_LEASE_MILLIS", "30000")],
                "EDGEFLAKE_LEASE_MILLIS, EDGEFLAKE_ALLOWED_FUTURE_MILLIS: the lease is 30000 ms: \
                 give 30001 (twice the allowed future plus a tick) to 86400000",
            ),
            (
                &[("EDGEFLAKE_LAYOUT", "timestamp:41 nod:10 @0")],
                "EDGEFLAKE_LAYOUT is \"timestamp:41 nod:10 @0\": layout string at position 13: \
                 expected unused, timestamp, node, sequence or tag, such as node:10",
            ),
        ] {
            assert_eq!(read(variables).unwrap_err(), text);
        }
    }
    #[test]
    fn an_unknown_preset() {
        for (text, name, meant) in [
            ("hazlecast", "hazlecast", " (did you mean hazelcast?)"),
            ("snowflake", "snowflake", " (did you mean twitter?)"),
            ("sonyflake-v3 epoch=0", "sonyflake-v3", " (did you mean sonyflake?)"),
            ("x", "x", ""),
        ] {
            let presets = preset::NAMES.join(", ");
            assert_eq!(
                read(&[("EDGEFLAKE_LAYOUT", text)]).unwrap_err(),
                format!(
                    "EDGEFLAKE_LAYOUT is \"{text}\": no preset is named {name}{meant}: give \
                     {presets}, or a layout string"
                )
            );
        }
    }
}
