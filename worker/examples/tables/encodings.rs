use edgeflake::text::Encoding;
use serde_json::{Value, json};

/// The table of encodings.
pub(crate) fn table() -> Value {
    let row = |encoding: Encoding| {
        json!({
            "name": encoding.name(),
            "digits": encoding.digits(),
            "lengths": [encoding.lengths().start(), encoding.lengths().end()],
            "sortable": encoding.is_sortable(),
            "sentence": encoding.sentence(),
        })
    };
    Encoding::ALL.map(row).into_iter().collect()
}
