use alloc::string::{String, ToString};

use edgeflake::Layout;
use edgeflake::lease::{BoundConfig, Request, Settings};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::number::integer;

/// Returns the message that creates a sequencer. By default, the sequencer has all nodes of the
/// layout from the first node on.
///
/// # Errors
/// The reason why the configuration is not valid.
#[wasm_bindgen(js_name = createMessage)]
pub fn create_message(
    layout: &str,
    first_node: f64,
    node_count: Option<f64>,
) -> Result<String, JsError> {
    let layout = Layout::parse(layout)?;
    let first_node = integer(first_node);
    let all = || layout.nodes().saturating_sub(first_node).min(BoundConfig::NODE_COUNT_MAX);
    let node_count = node_count.map_or_else(all, integer);
    let config = BoundConfig::new(layout, first_node, node_count, 1)?;
    Ok(edgeflake_wire::write(&Request::Create(config)))
}

/// Returns the default settings of a sequencer as JSON.
#[must_use]
#[wasm_bindgen(js_name = defaultSettings)]
pub fn default_settings() -> String {
    edgeflake_wire::write(&Settings::default())
}

/// Returns the reason why settings do not suit a layout; `undefined` if the settings suit it.
#[must_use]
#[wasm_bindgen(js_name = settingsRefusal)]
pub fn settings_refusal(settings: &str, layout: &str) -> Option<String> {
    let settings = edgeflake_wire::parse(settings).and_then(|json| edgeflake_wire::read(&json));
    let settings: Settings = match settings {
        Ok(settings) => settings,
        Err(error) => return Some(error.to_string()),
    };
    let layout = layout.parse::<Layout>().ok()?;
    settings.check(&layout).err().map(|error| error.to_string())
}

/// Returns the rule for sequencer names if the name breaks it; `undefined` if the name is allowed.
#[must_use]
#[wasm_bindgen(js_name = nameRefusal)]
pub fn name_refusal(text: &str) -> Option<String> {
    edgeflake_wire::name_refusal(text)
}
