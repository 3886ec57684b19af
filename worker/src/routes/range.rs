//! Answers with the smallest and the largest id of a time window, for queries by time.

use edgeflake::Layout;
use edgeflake_wire::DEFAULT_SEQUENCER;
use edgeflake_workers::found::Quote;
use edgeflake_workers::isolate;
use edgeflake_workers::problem::Problem;
use edgeflake_workers::value::{self, INSTANTS};
use serde::Serialize;
use worker::web_sys;

use crate::admission::AdmittedRequest;
use crate::http::answer;
use crate::routes::parameters::{self, Values};

/// A time window, with the smallest and the largest id in it. Values that may reach 2^53 are texts.
#[derive(Serialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
pub(crate) struct Window {
    #[cfg_attr(not(target_family = "wasm"), schemars(regex(pattern = "^[0-9]{1,20}$")))]
    min: String,
    #[cfg_attr(not(target_family = "wasm"), schemars(regex(pattern = "^[0-9]{1,20}$")))]
    max: String,
    from_ms: u64,
    until_ms: u64,
    layout: String,
    #[cfg_attr(not(target_family = "wasm"), schemars(regex(pattern = "^[0-9]{1,20}$")))]
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<String>,
    /// The longest time, in ms, by which an id's tick may be ahead of the moment at which the id
    /// was issued. To get all ids that were issued in a window, ask for a window that ends later by
    /// this time.
    allowed_future_ms: u64,
}

/// Answers with the smallest and the largest id of a window. Without the parameter `layout`, uses
/// the layout of the ids that this isolate issues. If the isolate has not had a lease yet, uses the
/// layout of the variables.
///
/// # Errors
/// A problem if a parameter cannot be read, or the layout has no such ids.
pub(crate) fn answer(request: &AdmittedRequest<'_>) -> Result<web_sys::Response, Problem> {
    let sequencers = request.settings.sequencers()?;
    let layout = isolate::layout(DEFAULT_SEQUENCER).unwrap_or(*sequencers.config.layout());
    let allowed_future_ms = sequencers.settings.terms.allowed_future_ms;
    let window = window(&request.parameters, &layout, allowed_future_ms)?;
    Ok(answer::json(&value::json(&window)?))
}

fn window(
    [from, until, layout, node]: &Values<'_>,
    of_issued: &Layout,
    allowed_future_ms: u64,
) -> Result<Window, Problem> {
    let from_ms = instant("from", from.as_deref())?;
    let until_ms = instant("until", until.as_deref())?;
    let layout = match layout {
        None => *of_issued,
        Some(text) => value::layout("layout", text).map_err(Problem::parameter)?,
    };
    let node = node.as_ref().map(|text| read_node(&layout, text)).transpose()?;
    let ids = layout.id_range(from_ms..until_ms, node).map_err(|error| Problem::unfit(&error))?;
    Ok(Window {
        min: ids.start().to_string(),
        max: ids.end().to_string(),
        from_ms,
        until_ms,
        layout: layout.to_string(),
        node: node.map(|node| node.to_string()),
        allowed_future_ms,
    })
}

/// Reads a node, given as a number or as the values of the layout's node fields in their order.
fn read_node(layout: &Layout, text: &str) -> Result<u64, Problem> {
    if let Some(number) = value::digits(text) {
        return Ok(number);
    }
    let refused = || {
        let allowed = "a whole number, or each of its fields as in datacenter=3,worker=5";
        parameters::refused("node", text, allowed)
    };
    let mut given = text.split(',');
    let values = layout.node_fields().map(|field| {
        let value = given.next()?.strip_prefix(field.name().as_str())?;
        value::digits(value.strip_prefix('=')?)
    });
    let values: Option<Vec<_>> = values.collect();
    let values = values.filter(|_| given.next().is_none()).ok_or_else(refused)?;
    layout.node_of(&values).map_err(|error| Problem::parameter(error.to_string()))
}

/// Reads the start or the end of the window, in Unix ms.
fn instant(name: &str, text: Option<&str>) -> Result<u64, Problem> {
    let Some(text) = text else {
        let detail = format!("the parameter \"{name}\" is missing: give {INSTANTS}");
        return Err(Problem::parameter(detail));
    };
    value::instant(text).map_err(|error| {
        let found = Quote(text);
        Problem::parameter(format!("the parameter \"{name}\" is {found}: {error}; give {INSTANTS}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::respond::Location;
    use edgeflake::preset;

    fn read(query: &str) -> Result<Window, Problem> {
        let endpoint = Location::at("/v1/range")?.endpoint("GET").unwrap();
        window(&endpoint.route.read(query)?, &preset::HAZELCAST, 15_000)
    }

    #[test]
    fn windows() {
        for query in [
            "from=1516060800000&until=1516147200000",
            "from=2018-01-16&until=2018-01-17",
            "from=2018-01-16T01:00:00%2B01:00&until=2018-01-17T00:00:00.000Z&layout=hazelcast",
        ] {
            let window = read(query).ok().unwrap();
            assert_eq!(
                (&*window.min, &*window.max),
                ("5435817984000000", "5798205849599999"),
                "{query}"
            );
        }
    }

    #[test]
    fn a_node_by_its_fields() {
        let window = |node: &str| {
            let query = format!("from=2018-01-16&until=2018-01-17&layout=twitter&node={node}");
            read(&query).map_err(|problem| problem.detail.clone())
        };
        let number = |node| window(node).ok().unwrap().node;
        for node in ["101", "datacenter=3,worker=5", "datacenter%3D3%2Cworker%3D5"] {
            assert_eq!(number(node).as_deref(), Some("101"), "{node}");
        }
        assert_eq!(number("datacenter=31,worker=31").as_deref(), Some("1023"));
        for (node, refused) in [
            ("datacenter=3,worker=40", "worker is 40: at most 31 is allowed"),
            ("datacenter=32,worker=40", "datacenter is 32: at most 31 is allowed"),
        ] {
            assert_eq!(window(node).err().unwrap(), refused);
        }
        for node in [
            "datacenter=3",
            "worker=5,datacenter=3",
            "datacenter=3,worker=5,rack=1",
            "101,worker=5",
        ] {
            assert!(window(node).err().unwrap().starts_with("node is \""), "{node}");
        }
    }

    #[test]
    fn refusals() {
        let detail = |query: &str| read(query).err().unwrap().detail.clone();
        assert_eq!(
            detail("until=1"),
            "the parameter \"from\" is missing: give Unix ms or an RFC 3339 date"
        );
        assert_eq!(
            detail("from=2018-02-29&until=1"),
            "the parameter \"from\" is \"2018-02-29\": date text at position 8: expected a day of \
             the month; give Unix ms or an RFC 3339 date"
        );
        assert_eq!(
            detail("from=0&until=8640000000000001"),
            "the parameter \"until\" is \"8640000000000001\": Unix ms are at most \
             8640000000000000; give Unix ms or an RFC 3339 date"
        );
        let fields = "a whole number, or each of its fields as in datacenter=3,worker=5";
        for node in ["-1", "", "node=1,node=1", "worker=5", "node=", "node=-1", "nod=1,e=2"] {
            assert_eq!(
                detail(&format!("from=1&until=2&node={node}")),
                format!("node is \"{node}\": give {fields}")
            );
        }
        assert_eq!(
            detail("from=2018-01-16&until=2018-01-17&node=65536"),
            "node 65536 is too large: at most 65535 is allowed"
        );
        assert_eq!(
            detail("from=2&until=1"),
            "a window from 1970-01-01T00:00:00.002Z until 1970-01-01T00:00:00.001Z is empty: the end \
             must be after the start"
        );
    }
}
