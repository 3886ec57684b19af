//! How an isolate asks the directory.

use edgeflake::lease::CallFailed;
use wasm_bindgen::JsValue;

use crate::clock::{ANSWER_MAX_MS, in_time};
use crate::objects::call::{Namespace, Object};

/// The name of the object that knows the names of all sequencers.
const OBJECT: &str = "directory";

/// The number of shards of a sequencer; `None` if it was never created.
///
/// # Errors
/// If the directory does not answer.
pub async fn shards(env: &JsValue, name: &str) -> Result<Option<u64>, CallFailed> {
    let shards = ask(env, name, "GET", None).await?;
    Ok(shards.and_then(|shards| shards.parse().ok()))
}

/// The names of all sequencers that were created by name, each with the number of its shards.
///
/// # Errors
/// If the directory does not answer.
pub async fn all(env: &JsValue) -> Result<Vec<(String, u64)>, CallFailed> {
    let lines = ask(env, "", "GET", None).await?.unwrap_or_default();
    let line = |line: &str| {
        let (name, shards) = line.split_once(' ')?;
        Some((name.to_owned(), shards.parse().ok()?))
    };
    lines.lines().map(line).collect::<Option<_>>().ok_or(CallFailed)
}

/// Notes that a sequencer was created.
///
/// # Errors
/// If the directory does not answer.
pub async fn note(env: &JsValue, name: &str, shards: u64) -> Result<(), CallFailed> {
    ask(env, name, "PUT", Some(&shards.to_string())).await?;
    Ok(())
}

async fn ask(
    env: &JsValue,
    name: &str,
    method: &str,
    body: Option<&str>,
) -> Result<Option<String>, CallFailed> {
    let namespace = Namespace::directory(env).map_err(|_| CallFailed)?;
    let object = Object { namespace, name: OBJECT.to_owned(), location_hint: None };
    let url = format!("https://directory/{name}");
    let answer = in_time(ANSWER_MAX_MS, object.ask(method, &url, body)).await;
    answer.and_then(Result::ok).ok_or(CallFailed)
}
