//! How an isolate asks the directory.

use edgeflake::lease::CallFailed;
use edgeflake_authority::objects::call::{Namespace, Object};
use worker::Env;

use crate::promise::settled;

/// The name of the object that knows the names of all sequencers.
const OBJECT: &str = "directory";

/// The number of shards of a sequencer; `None` if it was never created.
///
/// # Errors
/// If the directory does not answer.
pub async fn shards(env: &Env, name: &str) -> Result<Option<u64>, CallFailed> {
    let shards = ask(env, name, "GET", None).await?;
    Ok(shards.and_then(|shards| shards.parse().ok()))
}

/// The names of all sequencers that were created by name, each with the number of its shards.
///
/// # Errors
/// If the directory does not answer.
pub async fn all(env: &Env) -> Result<Vec<(String, u64)>, CallFailed> {
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
pub async fn note(env: &Env, name: &str, shards: u64) -> Result<(), CallFailed> {
    ask(env, name, "PUT", Some(&shards.to_string())).await?;
    Ok(())
}

async fn ask(
    env: &Env,
    name: &str,
    method: &str,
    body: Option<&str>,
) -> Result<Option<String>, CallFailed> {
    let env = env.as_ref();
    let object = Object { env, of: Namespace::DIRECTORY, name: OBJECT, location_hint: None };
    let url = format!("https://directory/{name}");
    Ok(settled(object.ask(method, &url, body), &url).await?.as_string())
}
