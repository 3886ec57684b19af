//! Reads the configuration for a new sequencer from the body of a `PUT` or the options of
//! `admin.create`.

use edgeflake::lease::BoundConfig;
use edgeflake::{Layout, preset};
use edgeflake_wire::{Unreadable, Value};
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};

use crate::admin::administration::Task;
use crate::found::{Quote, is_alike, shown, unknown};
use crate::problem::Problem;
use crate::settings::SequencerSettings;
use crate::settings::variables::{all_nodes, setting};
use crate::value::{check_node_count, layout};

/// The configuration of a new sequencer. If `layout` is missing, all missing values come from the
/// variables. If `layout` is given, the default is one shard with as many of the layout's nodes as
/// a shard can have.
#[derive(Clone, Debug, Default)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Configuration", deny_unknown_fields)
)]
pub struct NewSequencer {
    /// A preset with its options, such as `snowcast nodes=129 epoch=2014-02-01`, or a layout
    /// string. Default: the layout of the variables.
    #[cfg_attr(feature = "schema", schemars(length(max = 1_024)))]
    pub layout: Option<String>,
    /// The first node. Default: 0 if `layout` is given, otherwise the first node of the variables.
    pub first_node: Option<u64>,
    /// The number of nodes, from the first node on. Default: as many as the shards can have if
    /// `layout` is given, otherwise the number of nodes of the variables.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1_048_576)))]
    pub node_count: Option<u64>,
    /// The number of shards: objects that each grant an equal part of the nodes. Default: 1 if
    /// `layout` is given, otherwise the number of shards of the variables.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = [1, 2, 4, 8, 16, 32, 64, null])))]
    pub shards: Option<u64>,
}

impl NewSequencer {
    /// The keys that a caller may set.
    pub const NAMES: [&str; 4] = ["layout", "first_node", "node_count", "shards"];

    /// Reads a configuration from an object. Error messages call the object `what`.
    ///
    /// # Errors
    /// A problem that names an unknown key, or says what cannot be read.
    pub fn read(what: &str, given: &JsValue) -> Result<Self, Problem> {
        check_keys(what, given, &Self::NAMES)?;
        Self::values(given).map_err(|error| Problem::unreadable(what, given, error))
    }

    fn values(given: &JsValue) -> Result<Self, Unreadable> {
        Ok(Self {
            layout: given.text_or_none("layout")?,
            first_node: given.optional("first_node")?,
            node_count: given.optional("node_count")?,
            shards: given.optional("shards")?,
        })
    }

    /// Returns the configuration to which a new sequencer with this name is bound: these values,
    /// with defaults for the missing values.
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

    /// Returns the layout, if the caller has given a layout.
    fn layout(&self) -> Result<Option<Layout>, String> {
        let Some(text) = &self.layout else { return Ok(None) };
        check_node_count(["layout", "node_count"], text, self.node_count)?;
        layout("layout", text).map(Some)
    }
}

/// The keys that a request to change a sequencer may have.
pub const OF_CHANGE: [&str; 1] = ["node_count"];

/// Reads a change to a sequencer from an object. Error messages call the object `what`.
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
        let allowed = format_args!("give an object with {allowed}");
        return Err(Problem::body(format!("{what} is {found}: {allowed}")));
    }
    let keys = js_sys::Object::keys(given.unchecked_ref::<js_sys::Object>());
    let mut keys = keys.iter().filter_map(|key| key.as_string());
    match keys.find_map(|key| refusal(&key, names)) {
        Some(refusal) => Err(Problem::body(format!("in {what}, {refusal}"))),
        None => Ok(()),
    }
}

/// Keys in the configurations of other systems. In edgeflake, the layout contains the values of
/// these keys.
const OF_LAYOUT: [&str; 2] = ["preset", "maxLogicalNodeCount"];

/// Returns the reason why a key is refused; `None` for a known key.
fn refusal(key: &str, names: &[&str]) -> Option<String> {
    if names.contains(&key) {
        return None;
    }
    let mut options = OF_LAYOUT.iter().chain(preset::ALL.iter().flat_map(|preset| preset.options));
    if names.contains(&"layout") && options.any(|known| is_alike(key, known)) {
        let example = r#"as in "snowcast nodes=129 epoch=2014-02-01""#;
        return Some(format!("the key {} is unknown: write it into layout, {example}", Quote(key)));
    }
    let instead = match setting(key) {
        Some(variable) => format!("set the variable {variable}"),
        None if is_alike(key, "sequencerName") || key == "name" => {
            "give the name as in PUT /v1/sequencers/orders or admin.create(\"orders\")".to_owned()
        }
        None => return Some(unknown("key", key, names)),
    };
    Some(format!("the key {} is unknown: {instead}", Quote(key)))
}
