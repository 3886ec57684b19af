//! The Durable Object that knows the names of all sequencers that were created, so that a request
//! for an unknown name starts no object. Other objects of its class are the witnesses of the
//! shards.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::console;
#[cfg(feature = "fetch")]
use crate::objects::message::Message;
use crate::objects::plain::plain;
use crate::objects::sql::{DurableObjectState, Result, Sql, integer};
use crate::objects::witness;
use crate::target::target;

const CREATE: &str = "CREATE TABLE IF NOT EXISTS sequencer (\
    name TEXT PRIMARY KEY, \
    shards INTEGER NOT NULL\
    ) STRICT, WITHOUT ROWID";

/// The names of all sequencers, with the number of shards of each; or the witness of a shard.
#[wasm_bindgen]
pub struct Directory {
    state: DurableObjectState,
}

#[wasm_bindgen]
impl Directory {
    /// Makes the object; the platform calls this.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(state: DurableObjectState) -> Self {
        Self { state }
    }

    /// Answers an isolate.
    #[must_use]
    pub fn answer(&self, method: &str, url: &str, text: &str) -> JsValue {
        let (path, _) = target(url);
        let name = path.trim_start_matches('/');
        let answer = match method {
            "GET" if name.is_empty() => self.names().map(Some),
            "GET" => self.shards(name),
            "POST" => witness::answer(&Sql::of(&self.state), name, text).map(Some),
            "PUT" => self.note(name, text).map(|()| Some(String::new())),
            _ => Ok(None),
        };
        match answer {
            Ok(Some(text)) => plain(200, &text),
            Ok(None) => plain(404, "no sequencer has this name"),
            Err(error) => {
                console::error("object-failed", &format!("the directory: {error}"));
                plain(500, &error)
            }
        }
    }
}

#[cfg(feature = "fetch")]
#[wasm_bindgen]
impl Directory {
    /// Answers a request of an isolate; the platform calls this.
    ///
    /// # Errors
    /// The platform's error if the request broke off.
    pub async fn fetch(&self, request: web_sys::Request) -> Result<JsValue, JsValue> {
        let Message { method, url, text } = Message::of(&request).await?;
        Ok(self.answer(&method, &url, &text))
    }
}

impl Directory {
    fn open(&self) -> Result<Sql> {
        let sql = Sql::of(&self.state);
        sql.run(CREATE, Vec::new())?;
        Ok(sql)
    }

    /// A line for each name, in which a space and the number of its shards follow the name.
    fn names(&self) -> Result<String> {
        let select = "SELECT name || ' ' || shards || char(10) FROM sequencer ORDER BY name";
        let rows = self.open()?.rows(select, Vec::new())?;
        Ok(rows.into_iter().filter_map(|row| row.get(0).as_string()).collect())
    }

    fn shards(&self, name: &str) -> Result<Option<String>> {
        // The number is selected as text because the answer is text.
        let select = "SELECT CAST(shards AS TEXT) FROM sequencer WHERE name = ?";
        let row = self.open()?.row(select, vec![name.into()])?;
        Ok(row.and_then(|row| row.get(0).as_string()))
    }

    fn note(&self, name: &str, shards: &str) -> Result<()> {
        let shards = shards.parse().map_err(|_| "the number of shards is not a number")?;
        let upsert = "INSERT INTO sequencer VALUES (?, ?) \
                      ON CONFLICT (name) DO UPDATE SET shards = excluded.shards";
        self.open()?.run(upsert, vec![name.into(), integer(shards)?])?;
        Ok(())
    }
}
