//! Prints the tables from which `npm run docs` writes parts of the documents and types, as JSON.

mod encodings;
mod events;
mod presets;
mod settings;

fn main() {
    println!(
        "{}",
        serde_json::json!({
            "encodings": encodings::table(),
            "events": events::table(),
            "presets": presets::table(),
            "settings": settings::table(),
        })
    );
}
