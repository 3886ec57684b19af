//! The Durable Object that knows the names of the sequencers that were created, so that a name that
//! nobody created starts no object of its own.
#![expect(missing_docs, reason = "the methods that `durable_object` makes have none")]

use edgeflake::CallFailed;
use worker::{
    DurableObject, Env, Error, Method, Request, Response, SqlStorageValue, State, durable_object,
};

use crate::objects::Object;

/// The binding of its namespace.
const BINDING: &str = "DIRECTORY";

/// The only object of the namespace.
const OBJECT: &str = "directory";

const CREATE: &str = "CREATE TABLE IF NOT EXISTS sequencer (\
    name TEXT PRIMARY KEY, \
    shards INTEGER NOT NULL\
    ) STRICT, WITHOUT ROWID";

/// The names of all sequencers, with how many shards each has.
#[durable_object(fetch)]
pub struct Directory {
    state: State,
}

impl DurableObject for Directory {
    fn new(state: State, _: Env) -> Self {
        Self { state }
    }

    async fn fetch(&self, mut request: Request) -> worker::Result<Response> {
        let sql = self.state.storage().sql();
        sql.exec(CREATE, None)?;
        let path = request.path();
        let name = path.trim_start_matches('/');
        match request.method() {
            Method::Get if name.is_empty() => {
                let rows = sql.exec("SELECT name FROM sequencer ORDER BY name", None)?;
                let mut names = String::new();
                for row in rows.raw() {
                    if let [SqlStorageValue::String(name)] = row?.as_slice() {
                        names.push_str(name);
                        names.push('\n');
                    }
                }
                Response::ok(names)
            }
            Method::Get => {
                let select = "SELECT shards FROM sequencer WHERE name = ?";
                match sql.exec(select, vec![name.into()])?.raw().next().transpose()?.as_deref() {
                    Some([SqlStorageValue::Integer(shards)]) => Response::ok(shards.to_string()),
                    _ => Response::error("no sequencer has this name", 404),
                }
            }
            Method::Put => {
                let shards = request.text().await?.parse::<i32>();
                let shards = shards.map_err(|error| Error::from(error.to_string()))?;
                let upsert = "INSERT INTO sequencer VALUES (?, ?) \
                              ON CONFLICT (name) DO UPDATE SET shards = excluded.shards";
                sql.exec(upsert, vec![name.into(), shards.into()])?;
                Response::empty()
            }
            _ => Response::error("GET and PUT are allowed", 405),
        }
    }
}

/// How many shards a sequencer has; `None` if it was never created.
///
/// # Errors
/// If the directory does not answer.
pub(crate) async fn shards(env: &Env, name: &str) -> Result<Option<u64>, CallFailed> {
    let shards = ask(env, name, "GET", None).await?;
    Ok(shards.and_then(|shards| shards.parse().ok()))
}

/// The names of all sequencers that were created by name.
///
/// # Errors
/// If the directory does not answer.
pub(crate) async fn names(env: &Env) -> Result<Vec<String>, CallFailed> {
    let names = ask(env, "", "GET", None).await?;
    Ok(names.unwrap_or_default().lines().map(str::to_owned).collect())
}

/// Notes that a sequencer was created.
///
/// # Errors
/// If the directory does not answer.
pub(crate) async fn note(env: &Env, name: &str, shards: u64) -> Result<(), CallFailed> {
    ask(env, name, "PUT", Some(&shards.to_string())).await?;
    Ok(())
}

async fn ask(
    env: &Env,
    name: &str,
    method: &str,
    body: Option<&str>,
) -> Result<Option<String>, CallFailed> {
    let object = Object { env, binding: BINDING, name: OBJECT, location_hint: None };
    object.ask(method, &format!("https://directory/{name}"), body).await
}
