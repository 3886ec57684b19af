//! Reads rows of nodes that SQLite joins into one value. With `serde_json`, the compiled code would
//! be 15 KB larger.

use edgeflake::lease::{Row, Token};

use crate::value::NUMBER_MAX;

/// Selects a range of nodes as one value, a chunk, because reading a row per node takes ten times
/// as long. The chunk is JSON with an array per row. SQLite writes JSON in a third of the time that
/// joining text with `||` takes. The chunk is bytes because a string would be converted to UTF-16
/// and back. A statement selects only one range, because several ranges need `GROUP BY`, which
/// sorts the rows. The number of the newest write and a comma stand before the array, because a
/// second statement for this number would read all rows again.
pub(crate) const SELECT_NODES: &str = "SELECT CAST(max(write) || ',' || \
    json_group_array(json_array(node, from_tick, until_tick, until_sequence, issued, \
    issued_of_span, token)) AS BLOB) \
    FROM node WHERE node BETWEEN ? AND ?";

/// Reads the first row from a chunk, with the bracket before it and the character after it.
///
/// # Errors
/// A text that says what cannot be read.
pub(crate) fn read_node(rest: &mut &[u8]) -> Result<(u64, Row), String> {
    if let Some(first) = rest.strip_prefix(b"[[") {
        *rest = first;
    } else if let Some(other) = rest.strip_prefix(b"[") {
        *rest = other;
    }
    let node = read_number(rest).ok_or_else(|| "a row without its node".to_owned())?;
    // The error does not show the row, because the row may contain the token of a lease.
    let row = read_row(rest).ok_or_else(|| format!("node {node}"))?;
    Ok((node, row))
}

fn read_row(rest: &mut &[u8]) -> Option<Row> {
    let mut number = || read_number(rest);
    let (from_tick, until_tick) = (number()?, number()?);
    let (until_sequence, issued, issued_of_span) = (number()?, number()?, number()?);
    let token = if let Some(after) = rest.strip_prefix(b"null]") {
        *rest = after;
        None
    } else {
        let (digits, after) = rest.strip_prefix(b"\"")?.split_at_checked(Token::DIGITS)?;
        *rest = after.strip_prefix(b"\"]")?;
        Some(str::from_utf8(digits).ok()?.parse().ok()?)
    };
    // A comma follows if there is another row, and a bracket follows the last row.
    *rest = rest.get(1..)?;
    Some(Row { from_tick, until_tick, until_sequence, token, issued, issued_of_span })
}

/// Reads the digits of a number, and the comma that follows the digits.
pub(crate) fn read_number(rest: &mut &[u8]) -> Option<u64> {
    let (mut value, mut length) = (0, 0);
    loop {
        match *rest.get(length)? {
            digit @ b'0'..=b'9' if value <= NUMBER_MAX => {
                value = value * 10 + u64::from(digit - b'0');
            }
            b',' if length > 0 && value <= NUMBER_MAX => break,
            _ => return None,
        }
        length += 1;
    }
    *rest = &rest[length + 1..];
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_as_they_are_read() {
        let token = "000102030405060708090a0b0c0d0e0f";
        let row = Row {
            from_tick: 2,
            until_tick: 3,
            until_sequence: 4,
            token: Some(token.parse().unwrap()),
            issued: 5,
            issued_of_span: 6,
        };
        let read = |text: &str| {
            let mut rest = text.as_bytes();
            let mut rows = Vec::new();
            while !rest.is_empty() {
                rows.push(read_node(&mut rest).ok()?);
            }
            Some(rows)
        };
        let without = Row { token: None, ..row };
        assert_eq!(read(&format!("[[1,2,3,4,5,6,\"{token}\"]]")), Some(vec![(1, row)]));
        assert_eq!(read("[[1,2,3,4,5,6,null]]"), Some(vec![(1, without)]));
        let largest = NUMBER_MAX;
        let text = format!("[[1,2,3,4,5,6,null],[{largest},2,3,4,5,6,\"{token}\"]]");
        assert_eq!(read(&text), Some(vec![(1, without), (largest, row)]));
        for text in [
            "[]",
            "[[",
            "[[1,2,3,4,5,6",
            "[[1,2,3,4,5,6,",
            "[[1,2,3,4,5,6]]",
            "[[1,2,3,4,5,6,null]",
            "[[1,2,3,4,5,-6,null]]",
            "[[1,2,,3,4,5,6,null]]",
            "[[1,2,3,4,5,6.5,null]]",
            "[[9007199254740992,2,3,4,5,6,null]]",
            "[[1,99999999999999999999999,3,4,5,6,null]]",
            "[[1,2,3,4,5,6,\"00\"]]",
            "[[1,2,3,4,5,6,7,null]]",
            "[[1,2,3,4,5,6,7]]",
            &format!("[[1,2,3,4,5,6,{token}]]"),
            &format!("[[1,2,3,4,5,6,\"{token}0\"]]"),
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
