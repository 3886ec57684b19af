//! The variables of `wrangler.toml`. What they mean is said there; one that is not set has the
//! default of the core.

use edgeflake::{Error, Identity, Layout, Tunables, preset};
use worker::Env;

use crate::problem::Found;

/// What a sequencer is created from, and how it is run.
#[derive(Debug)]
pub(crate) struct Config {
    /// Bound when the sequencer is created.
    pub(crate) identity: Identity,
    /// May change with every deploy.
    pub(crate) tunables: Tunables,
}

impl Config {
    /// Reads the variables.
    ///
    /// # Errors
    /// A text that names the variable, what was found and what is allowed.
    pub(crate) fn read(env: &Env) -> Result<Self, String> {
        Self::from_variables(|name| env.var(name).ok().map(|value| value.to_string()))
    }

    fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let number = |name: &str, default: u64| match variable(name) {
            None => Ok(default),
            Some(text) => digits(&text)
                .ok_or_else(|| format!("{name} is {}: a whole number is allowed", Found(&text))),
        };
        let layout = match variable("LAYOUT") {
            None => preset::HAZELCAST,
            Some(text) => layout(&text)?,
        };
        let first_node = number("NODE_ID_OFFSET", 0)?;
        let all_nodes = layout.nodes().saturating_sub(first_node).min(Identity::NODE_COUNT_MAX);
        let node_count = number("NODE_COUNT", all_nodes)?;
        let tunables = Tunables::new(
            &layout,
            number("LEASE_MILLIS", Tunables::LEASE_MS)?,
            number("ALLOWED_FUTURE_MILLIS", Tunables::ALLOWED_FUTURE_MS)?,
            number("CLOCK_DISAGREEMENT_MAX_MILLIS", Tunables::CLOCK_DISAGREEMENT_MAX_MS)?,
        );
        let named = |names: &str| {
            let names = names.to_owned();
            move |error: Error| format!("{names}: {error}")
        };
        Ok(Self {
            identity: Identity::new(layout, first_node, node_count, 1)
                .map_err(named("NODE_ID_OFFSET, NODE_COUNT"))?,
            tunables: tunables.map_err(named("LEASE_MILLIS, ALLOWED_FUTURE_MILLIS"))?,
        })
    }
}

/// A preset's name, or a layout's text form.
fn layout(text: &str) -> Result<Layout, String> {
    if let Some(layout) = preset::named(text) {
        return Ok(layout);
    }
    text.parse().map_err(|error| {
        let names: Vec<_> = preset::ALL.iter().map(|(name, _)| *name).collect();
        format!(
            "LAYOUT is {}, which is none of the presets {}; as a text form: {error}",
            Found(text),
            names.join(", ")
        )
    })
}

/// Decimal digits and nothing else.
pub(crate) fn digits(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Config, String> {
        Config::from_variables(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn defaults() {
        let config = read(&[]).unwrap();
        assert_eq!(*config.identity.layout(), preset::HAZELCAST);
        assert_eq!(config.identity.node_count(), 65_536);
        assert_eq!(config.tunables.lease_ms(), 300_000);
        assert_eq!(config.tunables.allowed_future_ms(), 15_000);
    }

    #[test]
    fn node_range() {
        let config = read(&[("LAYOUT", "twitter"), ("NODE_ID_OFFSET", "1000")]).unwrap();
        assert_eq!((config.identity.first_node(), config.identity.node_count()), (1_000, 24));
        let config = read(&[("NODE_ID_OFFSET", "65534"), ("NODE_COUNT", "2")]).unwrap();
        assert_eq!((config.identity.first_node(), config.identity.node_count()), (65_534, 2));
    }

    #[test]
    fn refusals_name_the_variable() {
        for (variables, text) in [
            (&[("NODE_COUNT", "2x")][..], r#"NODE_COUNT is "2x": a whole number is allowed"#),
            (&[("NODE_COUNT", "-1")], r#"NODE_COUNT is "-1": a whole number is allowed"#),
            (&[("NODE_COUNT", "")], r#"NODE_COUNT is "": a whole number is allowed"#),
            (
                &[("NODE_COUNT", "0")],
                "NODE_ID_OFFSET, NODE_COUNT: 0 nodes from 0 on: 1 to 1048576 nodes up to 65535 \
                 are allowed",
            ),
            (
                &[("NODE_ID_OFFSET", "65535"), ("NODE_COUNT", "2")],
                "NODE_ID_OFFSET, NODE_COUNT: 2 nodes from 65535 on: 1 to 1048576 nodes up to \
                 65535 are allowed",
            ),
            (
                &[("LEASE_MILLIS", "30000")],
                "LEASE_MILLIS, ALLOWED_FUTURE_MILLIS: a lease of 30000 ms: 30001 (twice the \
                 look-ahead and a tick) to 86400000 are allowed",
            ),
            (
                &[("LAYOUT", "hazlecast")],
                "LAYOUT is \"hazlecast\", which is none of the presets hazelcast, twitter; as a \
                 text form: layout text at position 0: expected a field, such as node:10, of \
                 unused, timestamp, node, sequence or tag",
            ),
        ] {
            assert_eq!(read(variables).unwrap_err(), text);
        }
    }
}
