use edgeflake::preset::{self, Preset};
use serde_json::{Value, json};

/// The table of presets.
pub(crate) fn table() -> Value {
    let row = |preset: &Preset| {
        let Preset { name, title, options, layout, .. } = preset;
        json!({
            "name": name,
            "title": title,
            "options": options,
            "layout": layout.to_string(),
            "epoch_ms": layout.epoch_ms(),
            "tick_ms": layout.tick_ms(),
            "nodes": layout.nodes(),
            "ids_per_tick": layout.ids_per_tick(),
            "end_ms": layout.end_ms(),
            "signed_end_ms": layout.signed_end_ms(),
        })
    };
    preset::ALL.iter().map(row).collect()
}
