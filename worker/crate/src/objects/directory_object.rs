//! The Durable Object that knows the names of all sequencers that were created, so that a request
//! for an unknown name starts no object. Other objects of its class are the witnesses of the
//! shards.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Request, Response};

use crate::log::{self, Event};
use crate::objects::address::target;
use crate::objects::call::{UNREADABLE, response};
use crate::objects::sql::{DurableObjectState, Result, Sql, Storage, integer, is_unreadable};
use crate::objects::witness;

const CREATE: &str = "CREATE TABLE IF NOT EXISTS sequencer (\
    name TEXT PRIMARY KEY, \
    shards INTEGER NOT NULL\
    ) STRICT, WITHOUT ROWID";

/// The names of all sequencers, with the number of shards of each; or the witness of a shard.
#[wasm_bindgen]
pub struct Directory {
    storage: Storage,
}

#[wasm_bindgen]
impl Directory {
    /// Makes the object; the platform calls this.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(state: &DurableObjectState) -> Self {
        Self { storage: state.storage() }
    }

    /// Answers a request of an isolate or of a shard, of which `text` is the body.
    ///
    /// # Errors
    /// The platform's error if it cannot make the response.
    pub fn answer(&self, method: &str, url: &str, text: &str) -> Result<Response, JsValue> {
        let (path, _) = target(url);
        let name = path.trim_start_matches('/');
        let answer = self.storage.transaction(|| match method {
            "GET" if name.is_empty() => self.names().map(Some),
            "GET" => self.shards(name),
            "POST" => witness::answer(&self.storage.sql(), name, text).map(Some),
            "PUT" => self.note(name, text).map(|()| Some(String::new())),
            _ => Ok(None),
        });
        match answer {
            Ok(Some(text)) => response(200, &text),
            Ok(None) => response(404, "no sequencer has this name"),
            Err(error) => {
                log::write(Event::ObjectFailed, &format!("the directory: {error}"));
                response(if is_unreadable(&error) { UNREADABLE } else { 500 }, &error)
            }
        }
    }

    /// Answers a request; the platform calls this in a Worker in Rust.
    ///
    /// # Errors
    /// The platform's error if the request broke off.
    pub async fn fetch(&self, request: Request) -> Result<Response, JsValue> {
        let text = JsFuture::from(request.text()?).await?.as_string().unwrap_or_default();
        self.answer(&request.method(), &request.url(), &text)
    }
}

impl Directory {
    fn open(&self) -> Result<Sql> {
        let sql = self.storage.sql();
        sql.run(CREATE, Vec::new())?;
        Ok(sql)
    }

    /// Returns a line for each name, in which a space and the number of its shards follow the name.
    fn names(&self) -> Result<String> {
        let select = "SELECT name || ' ' || shards || char(10) FROM sequencer ORDER BY name";
        let lines = self.open()?.column(select, Vec::new())?;
        Ok(lines.iter().filter_map(|line| line.as_string()).collect())
    }

    fn shards(&self, name: &str) -> Result<Option<String>> {
        // The number is selected as text because the answer is text.
        let select = "SELECT CAST(shards AS TEXT) FROM sequencer WHERE name = ?";
        Ok(self.open()?.column(select, vec![name.into()])?.get(0).as_string())
    }

    fn note(&self, name: &str, shards: &str) -> Result<()> {
        let shards = shards.parse().map_err(|_| "the number of shards is not a number")?;
        let upsert = "INSERT INTO sequencer VALUES (?, ?) \
                      ON CONFLICT (name) DO UPDATE SET shards = excluded.shards";
        self.open()?.run(upsert, vec![name.into(), integer(shards)?])?;
        Ok(())
    }
}
