//! Prints the tables of the code as JSON. `npm run generate` writes documents and types from it.

mod codes;
mod encodings;
mod events;
mod presets;
mod routes;
mod settings;
mod states;

use serde_json::json;

fn main() {
    let tables = json!({
        "codes": codes::table(),
        "encodings": encodings::table(),
        "events": events::table(),
        "presets": presets::table(),
        "routes": routes::table(),
        "openapi": routes::openapi(),
        "settings": settings::table(),
        "states": states::table(),
    });
    println!("{tables}");
}
