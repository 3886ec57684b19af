//! Prints the tables of which the docs and the package's types are made, as JSON; `npm run docs`
//! reads them.

mod encodings;
mod presets;

fn main() {
    println!(
        "{}",
        serde_json::json!({
            "encodings": encodings::table(),
            "presets": presets::table(),
        })
    );
}
