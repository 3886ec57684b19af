//! Answers requests for a number of ids of a sequencer, in one of several formats.

use edgeflake::text::{self, Encoding};
use edgeflake_workers::found::Allowed;
use edgeflake_workers::isolate::{self, IssuedIds};
use edgeflake_workers::problem::Problem;
use worker::web_sys;

use crate::admission::AdmittedRequest;
use crate::http::answer;
use crate::routes::parameters::{self, COUNTS, TAGS, Values};

/// The smallest number with more than eight digits.
const LOW: u64 = 100_000_000;

/// The largest number of digits of a number below [`LOW`].
const LOW_DIGITS: usize = 8;

/// The largest number of bytes that an id in decimal digits takes in a response, rounded up to a
/// multiple of 8. An id has up to 20 digits, and in JSON three more characters.
const PIECE_MAX: usize = 24;

/// The format of the ids in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// `{"ids":["1","2"]}`. The ids are strings, because most JSON readers round large numbers.
    Json(Encoding),
    /// One id per line.
    Text(Encoding),
    /// Eight bytes per id, the most significant first, so that the bytes sort as the ids do.
    Binary,
}

/// The number and the format of the ids that a request asks for.
#[derive(Debug, PartialEq, Eq)]
struct Order {
    count: usize,
    format: Format,
    tag: u64,
}

/// Answers a request for ids.
///
/// # Errors
/// A problem if the query cannot be read, or not all of the ids can be issued.
pub(crate) async fn answer(
    request: &AdmittedRequest<'_>,
    sequencer: &str,
) -> Result<web_sys::Response, Problem> {
    let order = Order::read(&request.parameters)?;
    request.spend_ids(order.count as u64).await?;
    let issued = isolate::issue(request.env, sequencer, order.count, order.tag).await?;
    Ok(respond(issued, order.format))
}

impl Order {
    fn read([count, format, encoding, tag]: &Values<'_>) -> Result<Self, Problem> {
        let count = COUNTS.read("count", count.as_deref())?;
        let encoding = encoding.as_deref().map(parameters::encoding).transpose()?;
        let format = match format.as_deref().unwrap_or("json") {
            "json" => Format::Json(encoding.unwrap_or(Encoding::Decimal)),
            "text" => Format::Text(encoding.unwrap_or(Encoding::Decimal)),
            "binary" if encoding.is_some() => {
                return Err(Problem::parameter(
                    "encoding is given with format=binary: leave it out, or ask for json or text"
                        .to_owned(),
                ));
            }
            "binary" => Format::Binary,
            other => {
                let allowed = Allowed(&["json", "text", "binary"]);
                return Err(parameters::refused("format", other, allowed));
            }
        };
        let tag = TAGS.read("tag", tag.as_deref())?;
        Ok(Self { count, format, tag })
    }
}

fn respond(IssuedIds { ids, origin }: IssuedIds, format: Format) -> web_sys::Response {
    let (media_type, body) = match format {
        Format::Json(encoding) => (answer::JSON, json(&ids, encoding)),
        Format::Text(encoding) => ("text/plain; charset=utf-8", lines(&ids, encoding)),
        Format::Binary => ("application/octet-stream", binary(&ids)),
    };
    answer::ids(media_type, &body, origin)
}

/// Writes `{"ids":["1","2"]}`.
fn json(ids: &[u64], encoding: Encoding) -> Vec<u8> {
    let mut json = written(br#"{"ids":["#, ids, encoding, "\"", "\",");
    json.pop();
    json.extend(b"]}");
    json
}

fn lines(ids: &[u64], encoding: Encoding) -> Vec<u8> {
    written(b"", ids, encoding, "", "\n")
}

/// Writes eight bytes per id, the most significant first.
fn binary(ids: &[u64]) -> Vec<u8> {
    ids.iter().map(|id| id.to_be_bytes()).collect::<Vec<_>>().into_flattened()
}

/// Writes `start`, and then for each id `before`, the id and `after`.
fn written(start: &[u8], ids: &[u64], encoding: Encoding, before: &str, after: &str) -> Vec<u8> {
    if encoding == Encoding::Decimal {
        return decimals(start, ids, before, after);
    }
    let mut bytes = start.to_vec();
    for (index, id) in ids.iter().enumerate() {
        bytes.extend(before.bytes());
        bytes.extend(text::format(*id, encoding).bytes());
        bytes.extend(after.bytes());
        if index == 0 {
            // All ids of a request have about the same length, so reserve space by the length of
            // the first id, and one byte more for the end of the JSON.
            bytes.reserve((ids.len() - 1) * (bytes.len() - start.len()) + 1);
        }
    }
    bytes
}

/// Does the same as [`written`] in decimal digits. Ids that were issued together mostly differ only
/// in their last eight digits, so each id overwrites these digits in a copy of the previous id.
fn decimals(start: &[u8], ids: &[u64], before: &str, after: &str) -> Vec<u8> {
    let mut bytes = vec![0; start.len() + (ids.len() + 1) * PIECE_MAX];
    bytes[..start.len()].copy_from_slice(start);
    let mut end = start.len();
    let mut piece = [0; PIECE_MAX];
    let (mut length, mut low_at) = (0, 0);
    // The id in `piece`, with each of its last eight digits replaced by 0.
    let mut base = 0;
    for &id in ids {
        let mut low = id.wrapping_sub(base);
        if id < LOW || low >= LOW {
            low = id % LOW;
            base = id - low;
            let text = [before, &*text::format(id, Encoding::Decimal), after].concat();
            length = text.len();
            piece[..length].copy_from_slice(text.as_bytes());
            low_at = (length - after.len()).saturating_sub(LOW_DIGITS);
        }
        // Copying a constant number of bytes takes few instructions. The next piece overwrites the
        // bytes behind this piece.
        let Some(place) = bytes[end..].first_chunk_mut::<PIECE_MAX>() else {
            unreachable!("the buffer has room for one more piece than there are ids")
        };
        *place = piece;
        if id >= LOW
            && let Some(digits) = place[low_at..].first_chunk_mut::<LOW_DIGITS>()
        {
            *digits = text::eight_digits(low);
        }
        end += length;
    }
    bytes.truncate(end);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::respond::Location;

    fn read(query: &str) -> Result<Order, Problem> {
        let endpoint = Location::at("/v1/ids")?.endpoint("POST").unwrap();
        Order::read(&endpoint.route.read(query)?)
    }

    #[test]
    fn orders() {
        let json = Format::Json(Encoding::Decimal);
        for (query, count, format) in [
            ("", 1, json),
            ("count=1", 1, json),
            ("count=100000", 100_000, json),
            ("count=%31%30", 10, json),
            ("format=json&encoding=hex", 1, Format::Json(Encoding::Hex)),
            ("encoding=base62", 1, Format::Json(Encoding::Base62)),
            ("format=text", 1, Format::Text(Encoding::Decimal)),
            (
                "encoding=signed-decimal&format=text&count=2",
                2,
                Format::Text(Encoding::SignedDecimal),
            ),
            ("format=binary", 1, Format::Binary),
        ] {
            assert_eq!(read(query).ok(), Some(Order { count, format, tag: 0 }), "{query}");
        }
        assert_eq!(read("tag=7").ok(), Some(Order { count: 1, format: json, tag: 7 }));
        for query in [
            "count=",
            "count",
            "count=0",
            "count=-1",
            "count=+1",
            "count=007",
            "count=1e3",
            "count=abc",
            "count=100001",
            "count=18446744073709551617",
            "count=99999999999999999999",
            "count=1&count=1",
            "cuont=1",
            "format=",
            "format=JSON",
            "format=xml",
            "encoding=hexadecimal",
            "encoding=",
            "format=binary&encoding=hex",
        ] {
            assert!(read(query).is_err(), "{query}");
        }
    }

    #[test]
    fn bodies() {
        let ids = [0, u64::MAX];
        assert_eq!(json(&ids, Encoding::Decimal), br#"{"ids":["0","18446744073709551615"]}"#);
        assert_eq!(json(&ids[..1], Encoding::Hex), br#"{"ids":["0000000000000000"]}"#);
        assert_eq!(lines(&ids, Encoding::SignedDecimal), b"0\n-1\n");
        assert_eq!(lines(&ids, Encoding::Base62), b"00000000000\nLygHa16AHYF\n");
        assert_eq!(binary(&[1, u64::MAX]), *b"\0\0\0\0\0\0\0\x01\xff\xff\xff\xff\xff\xff\xff\xff");
    }

    #[test]
    fn decimals_as_the_standard_library_prints_them() {
        let edges = (0..20).map(|digits| 10_u64.pow(digits));
        let near = |id: u64| (0..3).map(move |i| (id - 1).saturating_add(i));
        let ascending: Vec<u64> = edges.clone().flat_map(near).collect();
        let descending = ascending.iter().rev().copied();
        // These are successive ids of one generator; their last eight digits overflow in between.
        let issued = (0..1_000).map(|i| 1_541_815_603_599_000_000 + i * 4_194_305);
        let apart = (0..1_000).map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let ids: Vec<u64> =
            ascending.iter().copied().chain(descending).chain(issued).chain(apart).collect();
        let texts: Vec<String> = ids.iter().map(u64::to_string).collect();
        let quoted = format!(r#"{{"ids":["{}"]}}"#, texts.join(r#"",""#));
        assert_eq!(json(&ids, Encoding::Decimal), quoted.as_bytes());
        assert_eq!(lines(&ids, Encoding::Decimal), format!("{}\n", texts.join("\n")).as_bytes());
    }
}
