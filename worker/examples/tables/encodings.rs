use edgeflake::text::{self, Encoding};
use serde_json::{Value, json};

/// The table of encodings.
pub(crate) fn table() -> Value {
    let row = |encoding: Encoding| {
        json!({
            "name": encoding.name(),
            "digits": encoding.digits(),
            "lengths": [encoding.lengths().start(), encoding.lengths().end()],
            "others": others(encoding),
            "allowed": allowed(encoding),
            "sortable": encoding.is_sortable(),
            "sentence": encoding.sentence(),
        })
    };
    Encoding::ALL.map(row).into_iter().collect()
}

/// The characters that are read besides the digits, each before the digit that it stands for.
fn others(encoding: Encoding) -> String {
    let digits = encoding.digits();
    let others = (b'!'..=b'~').map(char::from).filter(|character| !digits.contains(*character));
    let pair = |character: char| {
        let value = text::parse(&character.to_string(), encoding).ok()?;
        let digit = digits.chars().nth(value.try_into().ok()?)?;
        Some(String::from_iter([character, digit]))
    };
    others.filter_map(pair).collect()
}

/// The characters that are read, as the error of a text with another one names them.
fn allowed(encoding: Encoding) -> String {
    let refused = text::parse(" ", encoding).map_err(|error| error.to_string()).unwrap_err();
    let (_, allowed) = refused.split_once(": ").unwrap_or_default();
    allowed.trim_end_matches(" are allowed").to_owned()
}
