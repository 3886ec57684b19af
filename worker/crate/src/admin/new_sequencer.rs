//! The configuration for a new sequencer, from the body of a `PUT` or the options of
//! `admin.create`.

use edgeflake::Layout;
use edgeflake::lease::BoundConfig;
use edgeflake::preset::Options;
use edgeflake_wire::{Unreadable, Value};
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};

use crate::admin::administration::Task;
use crate::found::shown;
use crate::found::{is_alike, unknown};
use crate::problem::Problem;
use crate::settings::SequencerSettings;
use crate::settings::variables::{all_nodes, setting};
use crate::value::{INSTANTS, bits, instant, layout_with};

/// The configuration that a new sequencer is to be bound to. Without a layout, missing values come
/// from the variables. With a layout, the default is one shard with as many of the layout's nodes
/// as a shard can have.
#[derive(Clone, Debug, Default)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Configuration", deny_unknown_fields)
)]
pub struct NewSequencer {
    /// A preset's name or a layout string. If there is no `preset` either, that of the variables.
    #[cfg_attr(feature = "schema", schemars(length(max = 1_024)))]
    pub layout: Option<String>,
    /// A preset's name, instead of a layout. The next four values are options of the preset.
    #[cfg_attr(feature = "schema", schemars(length(max = 24), extend("examples" = ["snowcast", "hazelcast"])))]
    pub preset: Option<String>,
    /// For `snowcast` only: the number of nodes, rounded up to a power of two. Fewer nodes give more
    /// ids per ms and node.
    #[cfg_attr(feature = "schema", schemars(range(min = 128, max = 8_192)))]
    pub nodes: Option<u64>,
    /// For all presets except services: when tick 0 begins, as an RFC 3339 date, whose seconds may
    /// be left out, or in Unix ms.
    #[cfg_attr(
        feature = "schema",
        schemars(
            rename = "epoch",
            extend("type" = ["string", "integer", "null"]),
            extend("maximum" = edgeflake::Layout::INSTANT_MAX_MS),
            extend("examples" = ["2014-02-01T00:00+01:00", 1_391_209_200_000_u64]),
        )
    )]
    pub epoch_ms: Option<u64>,
    /// For `hazelcast` only: `bits-sequence`.
    #[cfg_attr(feature = "schema", schemars(range(max = 62)))]
    pub bits_sequence: Option<u64>,
    /// For `hazelcast` only: `bits-node-id`. The timestamp has the rest of 63 bits.
    #[cfg_attr(feature = "schema", schemars(range(max = 62)))]
    pub bits_node_id: Option<u64>,
    /// The first node. Without it, 0, or that of the variables if there is no layout either.
    pub first_node: Option<u64>,
    /// How many nodes, from the first on. Without it, all of them.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1_048_576)))]
    pub node_count: Option<u64>,
    /// How many objects grant the nodes, each an equal part of them. Without it, 1.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = [1, 2, 4, 8, 16, 32, 64, null])))]
    pub shards: Option<u64>,
}

impl NewSequencer {
    /// The keys that a caller may give.
    pub const NAMES: [&str; 9] = [
        "layout",
        "preset",
        "nodes",
        "epoch",
        "bits_sequence",
        "bits_node_id",
        "first_node",
        "node_count",
        "shards",
    ];

    /// Reads an object. An error calls the object `what`.
    ///
    /// # Errors
    /// A problem that names an unknown key, or says what cannot be read.
    pub fn read(what: &str, given: &JsValue) -> Result<Self, Problem> {
        check_keys(what, given, &Self::NAMES)?;
        let wanted = Self::values(given);
        let wanted = wanted.map_err(|error| Problem::unreadable(what, given, error))?;
        let epoch = given.get("epoch").map(|epoch| epoch_ms(&epoch)).transpose();
        let epoch_ms = epoch.map_err(|error| Problem::body(format!("in {what}, {error}")))?;
        Ok(Self { epoch_ms, ..wanted })
    }

    fn values(given: &JsValue) -> Result<Self, Unreadable> {
        Ok(Self {
            layout: given.text_or_none("layout")?,
            preset: given.text_or_none("preset")?,
            nodes: given.optional("nodes")?,
            epoch_ms: None,
            bits_sequence: given.optional("bits_sequence")?,
            bits_node_id: given.optional("bits_node_id")?,
            first_node: given.optional("first_node")?,
            node_count: given.optional("node_count")?,
            shards: given.optional("shards")?,
        })
    }

    /// The configuration that a sequencer of this name gets from this.
    ///
    /// # Errors
    /// A problem if the configuration is not valid.
    pub fn bound_config(
        self,
        sequencers: &SequencerSettings,
        name: &str,
    ) -> Result<BoundConfig, Problem> {
        let variables = &sequencers.config;
        let layout = self.layout().map_err(Problem::body)?;
        let default = if layout.is_none() { Some(variables) } else { None };
        let layout = layout.unwrap_or(*variables.layout());
        let Self { first_node, node_count, shards, .. } = self;
        let shards = shards.unwrap_or_else(|| default.map_or(1, BoundConfig::shards));
        let first_node = first_node.unwrap_or_else(|| default.map_or(0, BoundConfig::first_node));
        let all = all_nodes(&layout, first_node, shards);
        let node_count = node_count.unwrap_or_else(|| default.map_or(all, BoundConfig::node_count));
        let config = BoundConfig::to_create(layout, first_node, node_count, shards)
            .map_err(|error| Problem::body(error.to_string()))?;
        let checked = sequencers.settings_of(name).check(config.layout());
        checked.map_err(|error| Problem::body(error.to_string()))?;
        Ok(config)
    }

    /// The layout, if one is wanted.
    fn layout(&self) -> Result<Option<Layout>, String> {
        let bits = |name, number: Option<u64>| {
            let bits = number.map(|number| bits(Some(number)).map_err(|error| (number, error)));
            bits.transpose().map_err(|(number, error)| format!("{name} is {number}: {error}"))
        };
        let options = Options {
            epoch_ms: self.epoch_ms,
            nodes: self.nodes,
            bits_sequence: bits("bits_sequence", self.bits_sequence)?,
            bits_node_id: bits("bits_node_id", self.bits_node_id)?,
        };
        match (&self.layout, &self.preset) {
            (Some(text), None) => layout_with("layout", text, &options).map(Some),
            // A layout string has a colon; the name of a preset does not.
            (None, Some(name)) if name.as_bytes().contains(&b':') => {
                Err("preset is a layout string: send it as layout".to_owned())
            }
            (None, Some(name)) => layout_with("preset", name, &options).map(Some),
            (None, None) if options == Options::default() => Ok(None),
            (None, None) => {
                Err("epoch, nodes and bits are there without a preset: send a preset".to_owned())
            }
            (Some(_), Some(_)) => Err("layout and preset are there: send one of them".to_owned()),
        }
    }
}

/// Reads an instant, given as a number of Unix ms or as text.
fn epoch_ms(epoch: &JsValue) -> Result<u64, String> {
    let text = epoch.number().map(|ms| ms.to_string()).or_else(|| epoch.as_string());
    let read = text.map_or_else(|| Err(String::new()), |text| instant(&text));
    read.map_err(|error| {
        let found = shown(epoch);
        let comma = if error.is_empty() { "" } else { "; " };
        format!("epoch is {found}: {error}{comma}{INSTANTS} allowed")
    })
}

/// The keys of a change to a sequencer.
pub const OF_CHANGE: [&str; 1] = ["node_count"];

/// Reads a change to a sequencer. An error calls the object `what`.
///
/// # Errors
/// A problem that names an unknown key, or says what cannot be read.
pub fn change(what: &str, given: &JsValue) -> Result<Task, Problem> {
    check_keys(what, given, &OF_CHANGE)?;
    let node_count = given.field("node_count");
    let node_count = node_count.map_err(|error| Problem::unreadable(what, given, error))?;
    Ok(Task::Shrink { node_count })
}

/// Checks that a value is an object that has only known keys.
fn check_keys(what: &str, given: &JsValue, names: &[&str]) -> Result<(), Problem> {
    if !given.is_object() || Array::is_array(given) {
        let (found, allowed) = (shown(given), names.join(", "));
        let allowed = format_args!("an object of {allowed} is allowed");
        return Err(Problem::body(format!("{what} is {found}: {allowed}")));
    }
    let keys = js_sys::Object::keys(given.unchecked_ref::<js_sys::Object>());
    let mut keys = keys.iter().filter_map(|key| key.as_string());
    match keys.find_map(|key| refusal(&key, names)) {
        Some(refusal) => Err(Problem::body(format!("in {what}, {refusal}"))),
        None => Ok(()),
    }
}

/// Why a key is refused; `None` for a known key.
fn refusal(key: &str, names: &[&str]) -> Option<String> {
    if names.contains(&key) {
        return None;
    }
    let refusal = unknown("key", key, names);
    let instead = match setting(key) {
        Some(variable) => {
            format!("set the variable {variable}")
        }
        None if is_alike(key, "sequencerName") || key == "name" => {
            "give it as in PUT /v1/sequencers/orders, admin.create(\"orders\")".to_owned()
        }
        None if is_alike(key, "maxLogicalNodeCount") => "for snowcast, send nodes".to_owned(),
        None => return Some(refusal),
    };
    Some(format!("{refusal}; {instead}"))
}
