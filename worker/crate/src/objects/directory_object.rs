//! Defines the Durable Object that stores the names of all created sequencers, so that a request
//! for an unknown name does not create the object of a shard. Other objects of the same class are
//! the witnesses of the shards.

use std::cell::OnceCell;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Request, Response};

use crate::log::{self, Event};
use crate::objects::call::response;
use crate::objects::sql::{DurableObjectState, Result, Sql, Storage, integer, status_of};
use crate::objects::witness;
use crate::value::target;

const CREATE: &str = "CREATE TABLE IF NOT EXISTS sequencer (\
    name TEXT PRIMARY KEY, \
    shards INTEGER NOT NULL\
    ) STRICT, WITHOUT ROWID";

/// Stores each sequencer's name and number of shards. Other objects of this class are witnesses.
#[wasm_bindgen]
pub struct Directory {
    storage: Storage,
    /// The database, once the tables exist.
    sql: OnceCell<Sql>,
}

#[wasm_bindgen]
impl Directory {
    /// Creates the object; the platform calls this constructor.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(state: &DurableObjectState) -> Self {
        Self { storage: state.storage(), sql: OnceCell::new() }
    }

    /// Answers a request of an isolate or a shard; `text` is the request's body.
    ///
    /// # Errors
    /// The platform's error if the platform cannot make the response.
    pub fn answer(&self, method: &str, url: &str, text: &str) -> Result<Response, JsValue> {
        let (path, _) = target(url);
        let name = path.trim_start_matches('/');
        // Each method writes with one statement, so no method needs a transaction.
        let answer = self.open().and_then(|sql| match method {
            "GET" if name.is_empty() => names(sql).map(Some),
            "GET" => shards(sql, name),
            "POST" => witness::answer(sql, name, text).map(Some),
            "PUT" => note(sql, name, text).map(|()| Some(String::new())),
            _ => Ok(None),
        });
        match answer {
            Ok(Some(text)) => response(200, &text),
            Ok(None) => response(404, "no sequencer has this name"),
            Err(error) => {
                log::write(Event::ObjectFailed, &format!("the directory or a witness: {error}"));
                response(status_of(&error), &error)
            }
        }
    }

    /// Answers a request. The platform calls this method in a Worker that is written in Rust.
    ///
    /// # Errors
    /// The platform's error if the request was interrupted.
    pub async fn fetch(&self, request: Request) -> Result<Response, JsValue> {
        let text = JsFuture::from(request.text()?).await?.as_string().unwrap_or_default();
        self.answer(&request.method(), &request.url(), &text)
    }
}

impl Directory {
    fn open(&self) -> Result<&Sql> {
        if let Some(sql) = self.sql.get() {
            return Ok(sql);
        }
        let sql = self.storage.sql();
        for table in [CREATE, witness::CREATE] {
            sql.run(table, Vec::new())?;
        }
        Ok(self.sql.get_or_init(|| sql))
    }
}

/// Returns a line per sequencer: its name, a space and its number of shards.
fn names(sql: &Sql) -> Result<String> {
    let select = "SELECT name || ' ' || shards || char(10) FROM sequencer ORDER BY name";
    let lines = sql.column(select, Vec::new())?;
    Ok(lines.iter().filter_map(|line| line.as_string()).collect())
}

fn shards(sql: &Sql, name: &str) -> Result<Option<String>> {
    // The number is selected as text because the answer must be text.
    let select = "SELECT CAST(shards AS TEXT) FROM sequencer WHERE name = ?";
    Ok(sql.column(select, vec![name.into()])?.get(0).as_string())
}

fn note(sql: &Sql, name: &str, shards: &str) -> Result<()> {
    let shards = shards.parse().map_err(|_| "the given number of shards is not a whole number")?;
    let upsert = "INSERT INTO sequencer VALUES (?, ?) \
                  ON CONFLICT (name) DO UPDATE SET shards = excluded.shards";
    sql.run(upsert, vec![name.into(), integer(shards)?])?;
    Ok(())
}
