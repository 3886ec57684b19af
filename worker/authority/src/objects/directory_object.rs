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
        let (path, query) = target(url);
        let name = path.trim_start_matches('/');
        let answer = match method {
            "GET" if name.is_empty() => self.names(query == "shards").map(Some),
            "GET" => self.shards(name),
            "POST" => witness::answer(&Sql::of(&self.state), name, text).map(Some),
            "PUT" => self.note(name, text.parse().unwrap_or(1)).map(|()| Some(String::new())),
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

    /// The names, one per line, each followed by its number of shards if `with_shards`.
    fn names(&self, with_shards: bool) -> Result<String> {
        let mut names = String::new();
        // The number is selected as text because the answer is text.
        let select = "SELECT name, CAST(shards AS TEXT) FROM sequencer ORDER BY name";
        for row in self.open()?.rows(select, Vec::new())? {
            names.push_str(&row.get(0).as_string().unwrap_or_default());
            if with_shards {
                names.push(' ');
                names.push_str(&row.get(1).as_string().unwrap_or_default());
            }
            names.push('\n');
        }
        Ok(names)
    }

    fn shards(&self, name: &str) -> Result<Option<String>> {
        // The number is selected as text because the answer is text.
        let select = "SELECT CAST(shards AS TEXT) FROM sequencer WHERE name = ?";
        let row = self.open()?.row(select, vec![name.into()])?;
        Ok(row.and_then(|row| row.get(0).as_string()))
    }

    fn note(&self, name: &str, shards: u64) -> Result<()> {
        let upsert = "INSERT INTO sequencer VALUES (?, ?) \
                      ON CONFLICT (name) DO UPDATE SET shards = excluded.shards";
        self.open()?.run(upsert, vec![name.into(), integer(shards)?])?;
        Ok(())
    }
}
