//! Prints the tables from which `npm run docs` writes parts of the documents and types, as JSON.

mod events;
mod settings;

fn main() {
    println!("{}", serde_json::json!({ "events": events::table(), "settings": settings::table() }));
}
