//! The variables of `wrangler.toml`. What they mean is said there; one that is not set has the
//! default of the core.

use edgeflake::preset::{self, Kind};
use edgeflake::{Error, Field, Identity, Instant, Layout, Role, Tunables};
use worker::Env;
use worker::js_sys::{JSON, Reflect};

use crate::problem::Found;

/// Every variable, so that a misspelt one is found before a deploy.
pub(crate) const NAMES: [&str; 11] = [
    "LAYOUT",
    "EPOCH_START",
    "BITS_SEQUENCE",
    "BITS_NODE_ID",
    "NODE_ID_OFFSET",
    "NODE_COUNT",
    "LEASE_MILLIS",
    "ALLOWED_FUTURE_MILLIS",
    "CLOCK_DISAGREEMENT_MAX_MILLIS",
    "PUBLIC_ISSUE",
    "CORS_ORIGINS",
];

/// The preset of a Worker without the variable `LAYOUT`.
const DEFAULT_LAYOUT: &str = "hazelcast";

/// Most bits of a field beside a timestamp of one bit, in the 63 of Hazelcast.
const BITS_MAX: u8 = 62;

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
        let layout = self.layout()?;
        let first_node = self.number("NODE_ID_OFFSET", 0)?;
        let all_nodes = layout.nodes().saturating_sub(first_node).min(Identity::NODE_COUNT_MAX);
        let node_count = self.number("NODE_COUNT", all_nodes)?;
        Identity::new(layout, first_node, node_count, 1)
            .map_err(|error| format!("NODE_ID_OFFSET, NODE_COUNT: {error}"))
    }

    fn layout(&self) -> Result<Layout, String> {
        let text = (self.variable)("LAYOUT").unwrap_or_else(|| DEFAULT_LAYOUT.to_owned());
        let epoch_ms = (self.variable)("EPOCH_START")
            .map(|text| {
                instant(&text).map_err(|error| {
                    let allowed = "Unix ms and a date of RFC 3339 are allowed";
                    format!("EPOCH_START is {}: {error}; {allowed}", Found(&text))
                })
            })
            .transpose()?;
        let bits_sequence = self.bits("BITS_SEQUENCE", &text)?;
        let bits_node_id = self.bits("BITS_NODE_ID", &text)?;
        if bits_sequence.is_some() || bits_node_id.is_some() {
            let hazelcast = preset::HAZELCAST;
            let default = |role| {
                let fields = hazelcast.fields().iter().filter(|field| field.role() == role);
                fields.map(Field::bits).sum()
            };
            return preset::hazelcast(
                epoch_ms.unwrap_or(hazelcast.epoch_ms()),
                bits_sequence.unwrap_or_else(|| default(Role::Sequence)),
                bits_node_id.unwrap_or_else(|| default(Role::Node)),
            )
            .map_err(|error| format!("EPOCH_START, BITS_SEQUENCE, BITS_NODE_ID: {error}"));
        }
        let layout = layout("LAYOUT", &text)?;
        let Some(epoch_ms) = epoch_ms else { return Ok(layout) };
        match preset::named(&text).map(|preset| preset.kind) {
            Some(Kind::Library | Kind::Example) => {
                layout.with_epoch(epoch_ms).map_err(|error| format!("EPOCH_START: {error}"))
            }
            _ => Err(format!(
                "EPOCH_START is there with the LAYOUT {}, which has its own epoch: it is allowed \
                 with a preset of software whose users choose theirs, such as {DEFAULT_LAYOUT}",
                Found(&text)
            )),
        }
    }

    /// The width of a field that Hazelcast's users choose.
    fn bits(&self, name: &str, layout: &str) -> Result<Option<u8>, String> {
        let Some(text) = (self.variable)(name) else { return Ok(None) };
        if layout != DEFAULT_LAYOUT {
            return Err(format!(
                "{name} is there with the LAYOUT {}: it is allowed with {DEFAULT_LAYOUT}",
                Found(layout)
            ));
        }
        let bits = digits(&text).and_then(|bits| u8::try_from(bits).ok());
        match bits.filter(|bits| *bits <= BITS_MAX) {
            Some(bits) => Ok(Some(bits)),
            None => Err(format!(
                "{name} is {}: a whole number from 0 to {BITS_MAX} is allowed",
                Found(&text)
            )),
        }
    }

    /// What may change with every deploy, for a sequencer of this layout.
    ///
    /// # Errors
    /// A text that names the variable, what was found and what is allowed.
    pub(crate) fn tunables(&self, layout: &Layout) -> Result<Tunables, String> {
        let tunables = Tunables::new(
            self.number("LEASE_MILLIS", Tunables::LEASE_MS)?,
            self.number("ALLOWED_FUTURE_MILLIS", Tunables::ALLOWED_FUTURE_MS)?,
            self.number("CLOCK_DISAGREEMENT_MAX_MILLIS", Tunables::CLOCK_DISAGREEMENT_MAX_MS)?,
        );
        match tunables.check(layout) {
            Ok(()) => Ok(tunables),
            Err(error) => Err(format!("LEASE_MILLIS, ALLOWED_FUTURE_MILLIS: {error}")),
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

/// A variable or secret of the Worker, if it is set; one that is no string, such as a number in
/// `wrangler.toml`, as its JSON.
pub(crate) fn variable(env: &Env, name: &str) -> Option<String> {
    let value = Reflect::get(env.as_ref(), &name.into()).ok()?;
    value.as_string().or_else(|| JSON::stringify(&value).ok()?.as_string())
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
        Ok((identity, config.tunables(identity.layout())?))
    }

    #[test]
    fn defaults() {
        let (identity, tunables) = read(&[]).unwrap();
        assert_eq!(*identity.layout(), preset::HAZELCAST);
        assert_eq!(identity.node_count(), 65_536);
        assert_eq!(tunables.lease_ms(), 300_000);
        assert_eq!(tunables.allowed_future_ms(), 15_000);
    }

    #[test]
    fn node_range() {
        let (identity, _) = read(&[("LAYOUT", "twitter"), ("NODE_ID_OFFSET", "1000")]).unwrap();
        assert_eq!((identity.first_node(), identity.node_count()), (1_000, 24));
        let (identity, _) = read(&[("NODE_ID_OFFSET", "65534"), ("NODE_COUNT", "2")]).unwrap();
        assert_eq!((identity.first_node(), identity.node_count()), (65_534, 2));
    }

    #[test]
    fn layouts() {
        let layout = |variables: &[(&str, &str)]| {
            read(variables).map(|(identity, _)| identity.layout().to_string())
        };
        let hazelcast = "unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms";
        for (variables, expected) in [
            (&[][..], hazelcast),
            (&[("BITS_SEQUENCE", "6"), ("BITS_NODE_ID", "16")], hazelcast),
            (
                &[("BITS_SEQUENCE", "16")],
                "unused:1 timestamp:31 sequence:16 node:16 @1514764800000 tick=1ms",
            ),
            (
                &[("LAYOUT", "hazelcast"), ("BITS_NODE_ID", "10"), ("EPOCH_START", "2026-01-01")],
                "unused:1 timestamp:47 sequence:6 node:10 @1767225600000 tick=1ms",
            ),
            (
                &[("LAYOUT", "snowcast"), ("EPOCH_START", "1388534400001")],
                "timestamp:41 node:13 sequence.counter:10 @1388534400001 tick=1ms",
            ),
        ] {
            assert_eq!(layout(variables).as_deref(), Ok(expected), "{variables:?}");
        }
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
                &[("EPOCH_START", "yesterday")],
                "EPOCH_START is \"yesterday\": date text at position 0: expected a year of 4 \
                 digits; Unix ms and a date of RFC 3339 are allowed",
            ),
            (
                &[("EPOCH_START", "0"), ("LAYOUT", "twitter")],
                "EPOCH_START is there with the LAYOUT \"twitter\", which has its own epoch: it is \
                 allowed with a preset of software whose users choose theirs, such as hazelcast",
            ),
            (
                &[("EPOCH_START", "0"), ("LAYOUT", "timestamp:41 node:10 @1")],
                "EPOCH_START is there with the LAYOUT \"timestamp:41 node:10 @1\", which has its \
                 own epoch: it is allowed with a preset of software whose users choose theirs, \
                 such as hazelcast",
            ),
            (
                &[("BITS_SEQUENCE", "63")],
                r#"BITS_SEQUENCE is "63": a whole number from 0 to 62 is allowed"#,
            ),
            (
                &[("BITS_NODE_ID", "300")],
                r#"BITS_NODE_ID is "300": a whole number from 0 to 62 is allowed"#,
            ),
            (
                &[("BITS_SEQUENCE", "32"), ("BITS_NODE_ID", "31")],
                "EPOCH_START, BITS_SEQUENCE, BITS_NODE_ID: field timestamp has 0 bits: 1 to 64 are \
                 allowed",
            ),
            (
                &[("BITS_NODE_ID", "10"), ("LAYOUT", "leaf")],
                r#"BITS_NODE_ID is there with the LAYOUT "leaf": it is allowed with hazelcast"#,
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
