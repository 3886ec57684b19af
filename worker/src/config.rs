//! The variables of `wrangler.toml`. What they mean is said there; one that is not set has the
//! default of the core.

use edgeflake::{Error, Identity, Instant, Layout, SequenceStart, Terms, Tunables, preset};
use worker::Env;

use crate::problem::Found;

/// The variables, read when asked for.
pub(crate) struct Config<'a> {
    variable: &'a dyn Fn(&str) -> Option<String>,
}

impl<'a> Config<'a> {
    pub(crate) const fn new(variable: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self { variable }
    }

    /// What a sequencer is bound to when it is created.
    ///
    /// # Errors
    /// A text that names the variable, what was found and what is allowed.
    pub(crate) fn identity(&self) -> Result<Identity, String> {
        let layout = match (self.variable)("LAYOUT") {
            None => preset::HAZELCAST,
            Some(text) => layout("LAYOUT", &text)?,
        };
        let first_node = self.number("NODE_ID_OFFSET", 0)?;
        let shards = self.number("SHARDS", 1)?;
        let node_count = self.number("NODE_COUNT", all_nodes(&layout, first_node, shards))?;
        Identity::new(layout, first_node, node_count, shards)
            .map_err(|error| format!("NODE_ID_OFFSET, NODE_COUNT, SHARDS: {error}"))
    }

    /// What may change with every deploy.
    ///
    /// # Errors
    /// A text that names the variable, what was found and what is allowed.
    pub(crate) fn tunables(&self) -> Result<Tunables, String> {
        let default = Tunables::default();
        let terms = default.terms;
        Ok(Tunables {
            terms: Terms {
                lease_ms: self.number("LEASE_MILLIS", terms.lease_ms)?,
                allowed_future_ms: self.number("ALLOWED_FUTURE_MILLIS", terms.allowed_future_ms)?,
                sequence_start: self.sequence_start()?,
                gap_max: self.number("SEQUENCE_GAP_MAX", terms.gap_max)?,
                prefetch_count: self.number("PREFETCH_COUNT", terms.prefetch_count)?,
                prefetch_validity_ms: self
                    .number("PREFETCH_VALIDITY_MILLIS", terms.prefetch_validity_ms)?,
                statistics: self.flag("STATISTICS_ENABLED", terms.statistics)?,
            },
            clock_disagreement_max_ms: self
                .number("CLOCK_DISAGREEMENT_MAX_MILLIS", default.clock_disagreement_max_ms)?,
            operations_per_second_max: self
                .number("OPERATIONS_PER_SECOND_MAX", default.operations_per_second_max)?,
        })
    }

    /// What may change with every deploy, for a sequencer of this layout.
    ///
    /// # Errors
    /// A text that names the variables, what was found and what is allowed.
    pub(crate) fn tunables_for(&self, layout: &Layout) -> Result<Tunables, String> {
        let tunables = self.tunables()?;
        tunables.check(layout).map_err(|error| {
            let names = match error {
                Error::Lease { .. } => "LEASE_MILLIS, ALLOWED_FUTURE_MILLIS",
                Error::PrefetchCount { .. } => "PREFETCH_COUNT",
                _ => "SEQUENCE_START, SEQUENCE_GAP_MAX",
            };
            format!("{names}: {error}")
        })?;
        Ok(tunables)
    }

    /// `zero`, `rotating`, or `random:` and the largest start.
    fn sequence_start(&self) -> Result<SequenceStart, String> {
        let Some(text) = (self.variable)("SEQUENCE_START") else {
            return Ok(SequenceStart::Zero);
        };
        let random = |text: &str| digits(text.strip_prefix("random:")?);
        match text.as_str() {
            "zero" => Ok(SequenceStart::Zero),
            "rotating" => Ok(SequenceStart::Rotating),
            other => random(other).map(|max| SequenceStart::Random { max }).ok_or_else(|| {
                format!(
                    "SEQUENCE_START is {}: zero, rotating, and random: with the largest start, \
                     such as random:99, are allowed",
                    Found(other)
                )
            }),
        }
    }

    fn flag(&self, name: &str, default: bool) -> Result<bool, String> {
        match (self.variable)(name).as_deref() {
            None => Ok(default),
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            Some(other) => Err(format!("{name} is {}: true and false are allowed", Found(other))),
        }
    }

    fn number(&self, name: &str, default: u64) -> Result<u64, String> {
        match (self.variable)(name) {
            None => Ok(default),
            Some(text) => digits(&text)
                .ok_or_else(|| format!("{name} is {}: a whole number is allowed", Found(&text))),
        }
    }
}

/// A variable of the Worker, if it is set.
pub(crate) fn variable(env: &Env, name: &str) -> Option<String> {
    env.var(name).ok().map(|value| value.to_string())
}

/// How many nodes a sequencer has from its first one on, as many as can be divided by its shards.
pub(crate) fn all_nodes(layout: &Layout, first_node: u64, shards: u64) -> u64 {
    let nodes = layout.nodes().saturating_sub(first_node).min(Identity::NODE_COUNT_MAX);
    nodes - nodes.checked_rem(shards).unwrap_or(0)
}

/// The layout of a preset's name or of a text form, which `name` has.
///
/// # Errors
/// A text that says what was found and what is allowed.
pub(crate) fn layout(name: &str, text: &str) -> Result<Layout, String> {
    if let Some(preset) = preset::named(text) {
        return Ok(preset.layout);
    }
    text.parse().map_err(|error| {
        let names: Vec<_> = preset::ALL.iter().map(|preset| preset.name).collect();
        format!(
            "{name} is {}, which is none of the presets {}; as a text form: {error}",
            Found(text),
            names.join(", ")
        )
    })
}

/// A moment: Unix ms, or a date of RFC 3339.
///
/// # Errors
/// A text that says what cannot be read.
pub(crate) fn instant(text: &str) -> Result<u64, String> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        let Instant(ms) = text.parse().map_err(|error: Error| error.to_string())?;
        return Ok(ms);
    }
    let most = Layout::INSTANT_MAX_MS;
    digits(text).filter(|ms| *ms <= most).ok_or_else(|| format!("at most {most} is Unix ms"))
}

/// Decimal digits and nothing else.
pub(crate) fn digits(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<(Identity, Tunables), String> {
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        let config = Config::new(&variable);
        let identity = config.identity()?;
        Ok((identity, config.tunables_for(identity.layout())?))
    }

    #[test]
    fn defaults() {
        let (identity, tunables) = read(&[]).unwrap();
        assert_eq!(*identity.layout(), preset::HAZELCAST);
        assert_eq!(identity.node_count(), 65_536);
        assert_eq!(tunables.terms.lease_ms, 300_000);
        assert_eq!(tunables.terms.allowed_future_ms, 15_000);
    }

    #[test]
    fn node_range() {
        let (identity, _) = read(&[("LAYOUT", "twitter"), ("NODE_ID_OFFSET", "1000")]).unwrap();
        assert_eq!((identity.first_node(), identity.node_count()), (1_000, 24));
        let (identity, _) = read(&[("NODE_ID_OFFSET", "65534"), ("NODE_COUNT", "2")]).unwrap();
        assert_eq!((identity.first_node(), identity.node_count()), (65_534, 2));
    }

    #[test]
    fn refusals_name_the_variable() {
        for (variables, text) in [
            (&[("NODE_COUNT", "2x")][..], r#"NODE_COUNT is "2x": a whole number is allowed"#),
            (&[("NODE_COUNT", "-1")], r#"NODE_COUNT is "-1": a whole number is allowed"#),
            (&[("NODE_COUNT", "")], r#"NODE_COUNT is "": a whole number is allowed"#),
            (
                &[("NODE_COUNT", "0")],
                "NODE_ID_OFFSET, NODE_COUNT, SHARDS: 0 nodes from 0 on: 1 to 1048576 nodes up to 65535 \
                 are allowed",
            ),
            (
                &[("NODE_ID_OFFSET", "65535"), ("NODE_COUNT", "2")],
                "NODE_ID_OFFSET, NODE_COUNT, SHARDS: 2 nodes from 65535 on: 1 to 1048576 nodes up to \
                 65535 are allowed",
            ),
            (
                &[("LEASE_MILLIS", "30000")],
                "LEASE_MILLIS, ALLOWED_FUTURE_MILLIS: a lease of 30000 ms: 30001 (twice the \
                 look-ahead and a tick) to 86400000 are allowed",
            ),
            (
                &[("LAYOUT", "hazlecast")],
                "LAYOUT is \"hazlecast\", which is none of the presets hazelcast, twitter, discord, \
                 instagram, mastodon, linkedin, sonyflake, sonyflake-v2, snowcast, \
                 datacenter-worker, random-start, resource-type, worker-queue, baidu, leaf, \
                 bwmarrin, yitter, tsid, cosid, cosid-js, flake-idgen, nodejs-snowflake, snowid, \
                 js-safe, edge; as a text form: layout text at position 0: expected a field, such \
                 as node:10, of unused, timestamp, node, sequence or tag",
            ),
        ] {
            assert_eq!(read(variables).unwrap_err(), text);
        }
    }
}
