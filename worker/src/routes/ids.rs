//! Ids of a sequencer. A request asks for a number of them, and the response writes them in a
//! format.

mod body;

use std::fmt;

use edgeflake::text::Encoding;
use worker::web_sys;

use crate::admission::AdmittedRequest;
use crate::http::answer;
use crate::http::query::{self, NUMBER_MAX, Values};
use edgeflake_workers::Ids;
use edgeflake_workers::found::Allowed;
use edgeflake_workers::isolate::{self, IssuedIds};
use edgeflake_workers::problem::Problem;
use edgeflake_workers::value;

/// The format in which ids are written into a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// `{"ids":["1","2"]}`. The ids are strings because most readers lose digits of a JSON number.
    Json(Encoding),
    /// One id per line.
    Text(Encoding),
    /// Eight bytes per id, the most significant first, so that they sort as the ids do.
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
        let count = count.as_ref().map_or(Ok(1), |text| {
            let number = value::digits(text).and_then(self::count);
            number.ok_or_else(|| query::refused("count", text, Counts))
        })?;
        let encoding = encoding.as_deref().map(query::encoding).transpose()?;
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
                return Err(query::refused("format", other, allowed));
            }
        };
        let tag = tag.as_ref().map_or(Ok(0), |text| {
            let number = value::digits(text).filter(|tag| *tag <= NUMBER_MAX);
            number.ok_or_else(|| query::refused("tag", text, Tags))
        })?;
        Ok(Self { count, format, tag })
    }
}

/// Converts a number of ids that one request may ask for; `None` if it may not.
pub(crate) fn count(number: u64) -> Option<usize> {
    usize::try_from(number).ok().filter(|count| Ids::COUNTS.contains(count))
}

/// The numbers that [`count`] allows.
pub(crate) struct Counts;

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {} to {} is", Ids::COUNTS.start(), Ids::COUNTS.end())
    }
}

/// The numbers that are allowed as a tag here. Later, the holder checks whether the tag fits the
/// layout.
pub(crate) struct Tags;

impl fmt::Display for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from 0 to {NUMBER_MAX} is")
    }
}

fn respond(IssuedIds { ids, origin }: IssuedIds, format: Format) -> web_sys::Response {
    let (media_type, body) = match format {
        Format::Json(encoding) => (answer::JSON, body::json(&ids, encoding)),
        Format::Text(encoding) => ("text/plain; charset=utf-8", body::lines(&ids, encoding)),
        Format::Binary => ("application/octet-stream", body::binary(&ids)),
    };
    answer::ids(media_type, &body, origin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::location::Location;

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
}
