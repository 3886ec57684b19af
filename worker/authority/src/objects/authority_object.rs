//! The Durable Object that grants leases: a shell around [`edgeflake::lease::Authority`].
//!
//! Invariant: a reply that confirms a span is sent only after its row was written by a
//! compare-and-set, and the table in memory is never newer than the rows. An answer is one call, in
//! which nothing can be awaited: read, decide, write, reply.

use std::cell::RefCell;
use std::fmt::Write as _;

use edgeflake::lease::{BoundConfig, Reply, Request, Status};
use edgeflake_wire::{Json, parse, read_request, write_reply};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::clock::now_ms;
use crate::console;
use crate::objects::address::Address;
#[cfg(feature = "fetch")]
use crate::objects::message::Message;
use crate::objects::plain::plain;
use crate::objects::sql::{DurableObjectState, Result, Sql};
use crate::objects::store::Store;
use crate::settings::variables::{Variables, check_names, variable};
use crate::target::target;

/// The authority of one shard.
#[wasm_bindgen]
pub struct Authority {
    state: DurableObjectState,
    env: JsValue,
    /// The table is dropped on every error, then read again from the rows.
    table: RefCell<Option<Table>>,
}

struct Table {
    store: Store,
    authority: edgeflake::lease::Authority,
    /// What the default sequencer is bound to by its first use; nothing once it is bound.
    first_use: Option<BoundConfig>,
}

#[wasm_bindgen]
impl Authority {
    /// Makes the object; the platform calls this.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(state: DurableObjectState, env: JsValue) -> Self {
        Self { state, env, table: RefCell::new(None) }
    }

    /// Answers an isolate.
    #[must_use]
    pub fn answer(&self, method: &str, url: &str, text: &str) -> JsValue {
        let (path, _) = target(url);
        let answer = match (method, Address::read(path)) {
            ("POST", Some((address, ""))) => self.reply(&address, text),
            ("GET", Some((address, "status"))) => self.status(&address),
            ("GET", Some((address, "nodes"))) => self.nodes(&address),
            _ => return plain(404, "this authority does not understand this"),
        };
        answer.map_or_else(
            |error| {
                console::error("object-failed", &format!("{path}: {error}"));
                plain(500, &error)
            },
            |text| plain(200, &text),
        )
    }
}

#[cfg(feature = "fetch")]
#[wasm_bindgen]
impl Authority {
    /// Answers a request of an isolate; the platform calls this.
    ///
    /// # Errors
    /// The error of the platform, for a request that broke off.
    pub async fn fetch(&self, request: web_sys::Request) -> Result<JsValue, JsValue> {
        let Message { method, url, text } = Message::of(&request).await?;
        Ok(self.answer(&method, &url, &text))
    }
}

impl Authority {
    fn reply(&self, address: &Address<'_>, text: &str) -> Result<String> {
        let request = parse(text).and_then(|message| read_request(&message));
        let request = request.map_err(|error| error.to_string())?;
        Ok(write_reply(&self.decide(address, &request)?))
    }

    fn decide(&self, address: &Address<'_>, request: &Request) -> Result<Reply> {
        self.with_table(address, |table| {
            let Table { store, authority, first_use } = table;
            let mut answer =
                |request: &Request| authority.answer(now_ms(), request, |write| store.write(write));
            if let Some(config) = first_use.take() {
                let created = match request {
                    Request::Create(_) => answer(request)?,
                    _ => answer(&Request::Create(config))?,
                };
                if matches!(created, Reply::Refused { .. }) {
                    *first_use = Some(config);
                    return Ok(created);
                }
            }
            answer(request)
        })
    }

    fn status(&self, address: &Address<'_>) -> Result<String> {
        self.with_table(address, |table| {
            let Status { nodes, used, held, issued } = table.authority.status(now_ms());
            let mut json = Json::object();
            json.number("nodes", nodes);
            json.number("used", used);
            json.number("held", held);
            json.number("issued", issued);
            let sequencer = table.authority.sequencer();
            json.number("incarnation", sequencer.map_or(0, |sequencer| sequencer.incarnation));
            Ok(json.end())
        })
    }

    /// All nodes that were ever used, as columns of numbers in which ticks are counted from now.
    fn nodes(&self, address: &Address<'_>) -> Result<String> {
        self.with_table(address, |table| {
            let authority = &table.authority;
            let now = authority
                .sequencer()
                .and_then(|sequencer| sequencer.config.layout().tick(now_ms()).ok())
                .unwrap_or(0);
            let [mut node, mut from, mut until, mut held] = [const { String::new() }; 4];
            for (number, row) in authority.rows() {
                // Writing into a string cannot fail.
                let _ = write!(node, "{number},");
                let _ = write!(from, "{},", row.from_tick.cast_signed() - now.cast_signed());
                let _ = write!(until, "{},", row.until_tick.cast_signed() - now.cast_signed());
                held.push_str(if row.token.is_some() { "1," } else { "0," });
            }
            let column = |text: &str| text.strip_suffix(',').unwrap_or(text).to_owned();
            Ok(format!(
                r#"{{"shard":{},"tick":{now},"node":[{}],"from":[{}],"until":[{}],"held":[{}]}}"#,
                address.shard,
                column(&node),
                column(&from),
                column(&until),
                column(&held)
            ))
        })
    }

    /// Calls `with` with the table, which is taken out so that any error on the way drops it.
    fn with_table<T>(
        &self,
        address: &Address<'_>,
        with: impl FnOnce(&mut Table) -> Result<T>,
    ) -> Result<T> {
        let mut table = match self.table.take() {
            Some(table) => table,
            None => self.load(address)?,
        };
        let answer = with(&mut table)?;
        self.table.replace(Some(table));
        Ok(answer)
    }

    fn load(&self, address: &Address<'_>) -> Result<Table> {
        check_names(&self.env)?;
        let variable = |name: &str| variable(&self.env, name);
        let variables = Variables::new(&variable).of(address.sequencer);
        let store = Store::open(Sql::of(&self.state))?;
        let sequencer = store.sequencer()?;
        let settings = variables.lease_settings()?;
        let mut unread = None;
        let rows = store.rows().map_while(|row| row.map_err(|error| unread = Some(error)).ok());
        let authority = edgeflake::lease::Authority::load(address.shard, sequencer, settings, rows);
        if let Some(error) = unread {
            return Err(error);
        }
        let authority = authority.map_err(|error| error.to_string())?;
        let mut first_use = None;
        if address.is_default_registry() {
            match sequencer {
                None => first_use = Some(variables.bound_config()?),
                Some(bound) => warn_of_difference(&bound.config, variables.bound_config()),
            }
        }
        Ok(Table { store, authority, first_use })
    }
}

/// The event of variables that differ.
const DIFFERS: &str = "configuration-differs";

/// Warns if the variables differ from the configuration that the sequencer is bound to, which goes
/// on.
fn warn_of_difference(bound: &BoundConfig, configured: Result<BoundConfig>) {
    match configured {
        Ok(configured) => {
            if let Some(difference) = bound.difference(&configured) {
                console::warn(
                    DIFFERS,
                    &format!("ids go on with what the sequencer is bound to: {difference}"),
                );
            }
        }
        Err(error) => {
            console::warn(
                DIFFERS,
                &format!("{error}; ids go on with what the sequencer is bound to"),
            );
        }
    }
}
