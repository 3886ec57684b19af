//! Sends messages as text, also as older and newer code writes them.

use edgeflake::lease::{Release, Renew, Reply, Request};
use edgeflake_wire::{read, write};
use serde_json::Value;

use edgeflake_world::{Count, Random, Tally};

/// Returns the request as the receiver reads it.
pub(crate) fn request(
    request: &Request,
    is_old: bool,
    random: &mut Random,
    tally: &mut Tally,
) -> Request {
    let message = of_other_version(&write(request), is_old, random, tally);
    let read = read(&message).expect("a request is read as it was written");
    // The number of issued ids is optional, so it may be lost on the way.
    let without_issued = |mut request| {
        if let Request::Renew(Renew { issued, .. }) | Request::Release(Release { issued, .. }) =
            &mut request
        {
            *issued = None;
        }
        request
    };
    assert!(without_issued(read) == without_issued(*request), "{request:?} is read as {read:?}");
    read
}

/// Returns the reply as the receiver reads it.
pub(crate) fn reply(reply: &Reply, is_old: bool, random: &mut Random, tally: &mut Tally) -> Reply {
    let message = of_other_version(&write(reply), is_old, random, tally);
    read(&message).expect("a reply is read as it was written")
}

/// Returns a message as older or newer code writes it. Older code knows neither terms nor the
/// number of issued ids, and newer code adds fields.
fn of_other_version(text: &str, is_old: bool, random: &mut Random, tally: &mut Tally) -> Value {
    let mut message: Value = serde_json::from_str(text).expect("messages are JSON");
    let body = message.as_object_mut().and_then(|message| message.values_mut().next());
    if let Some(Value::Object(body)) = body {
        let said = ["terms", "issued"].map(|field| body.contains_key(field));
        if is_old && said != [false; 2] {
            body.retain(|field, _| field != "terms" && field != "issued");
            tally.count(Count::Old);
        } else if random.one_in(3) {
            body.insert("not_known_yet".to_owned(), Value::from("later"));
        }
    }
    message
}
