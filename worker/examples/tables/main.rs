//! Prints the tables of the code as JSON. `npm run generate` writes documents and types from it.

mod codes;
mod routes;

use serde_json::json;

fn main() {
    let tables = json!({
        "codes": codes::table(),
        "routes": routes::table(),
        "openapi": routes::openapi(),
    });
    println!("{tables}");
}
