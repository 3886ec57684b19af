//! Prints the tables from which `npm run docs` writes parts of the documents and types, as JSON.

mod settings;

fn main() {
    println!("{}", serde_json::json!({ "settings": settings::table() }));
}
