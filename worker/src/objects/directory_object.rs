//! The Durable Object that knows the names of the sequencers that were created, so that an unknown
//! name starts no object.

use edgeflake::lease::CallFailed;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::web_sys::Response;
use worker::{Env, SqlStorage, SqlStorageValue, State, console_error, worker_sys};

use crate::http::answer;
use crate::http::request::target;
use crate::objects::call::Object;

/// The binding of the directory's namespace.
const BINDING: &str = "DIRECTORY";

/// The only object of the namespace.
const OBJECT: &str = "directory";

const CREATE: &str = "CREATE TABLE IF NOT EXISTS sequencer (\
    name TEXT PRIMARY KEY, \
    shards INTEGER NOT NULL\
    ) STRICT, WITHOUT ROWID";

/// The names of all sequencers, with how many shards each has.
#[wasm_bindgen]
pub struct Directory {
    state: State,
}

#[wasm_bindgen]
impl Directory {
    /// Makes the object; the platform calls this.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(state: worker_sys::DurableObjectState) -> Self {
        Self { state: State::from(state) }
    }

    /// Answers an isolate.
    #[must_use]
    pub fn answer(&self, method: &str, url: &str, text: &str) -> Response {
        let (path, _) = target(url);
        let name = path.trim_start_matches('/');
        let answer = match method {
            "GET" if name.is_empty() => self.names().map(Some),
            "GET" => self.shards(name),
            "PUT" => self.note(name, text.parse().unwrap_or(1)).map(|()| Some(String::new())),
            _ => Ok(None),
        };
        match answer {
            Ok(Some(text)) => answer::plain(200, &text),
            Ok(None) => answer::plain(404, "no sequencer has this name"),
            Err(error) => {
                console_error!("the directory: {error}");
                answer::plain(500, &error.to_string())
            }
        }
    }
}

impl Directory {
    fn open(&self) -> worker::Result<SqlStorage> {
        let sql = self.state.storage().sql();
        sql.exec(CREATE, None)?;
        Ok(sql)
    }

    fn names(&self) -> worker::Result<String> {
        let mut names = String::new();
        let rows = self.open()?.exec("SELECT name FROM sequencer ORDER BY name", None)?;
        for row in rows.raw() {
            if let [SqlStorageValue::String(name)] = row?.as_slice() {
                names.push_str(name);
                names.push('\n');
            }
        }
        Ok(names)
    }

    fn shards(&self, name: &str) -> worker::Result<Option<String>> {
        let select = "SELECT shards FROM sequencer WHERE name = ?";
        let row = self.open()?.exec(select, vec![name.into()])?.raw().next().transpose()?;
        Ok(match row.as_deref() {
            Some([SqlStorageValue::Integer(shards)]) => Some(shards.to_string()),
            _ => None,
        })
    }

    fn note(&self, name: &str, shards: i32) -> worker::Result<()> {
        let upsert = "INSERT INTO sequencer VALUES (?, ?) \
                      ON CONFLICT (name) DO UPDATE SET shards = excluded.shards";
        self.open()?.exec(upsert, vec![name.into(), shards.into()])?;
        Ok(())
    }
}

/// The number of shards of a sequencer; `None` if it was never created.
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
    Ok(object.ask(method, &format!("https://directory/{name}"), body).await?)
}
