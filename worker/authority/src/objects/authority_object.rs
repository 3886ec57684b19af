//! The Durable Object that grants leases: a shell around [`edgeflake::lease::Authority`].
//!
//! Invariant: a reply that confirms a span is sent only after its row was written by a
//! compare-and-set, and the table in memory is never newer than the rows. An answer is one call, in
//! which nothing can be awaited: read, decide, write, reply.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::ops::Range;

use edgeflake::lease::{BoundConfig, Error, Reply, Request, Status, Write};
use edgeflake_wire::{Json, parse, read_request, write_reply};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::clock::now_ms;
use crate::console;
use crate::objects::address::Address;
use crate::objects::health::Health;
#[cfg(feature = "fetch")]
use crate::objects::message::Message;
use crate::objects::plain::plain;
use crate::objects::sql::{DurableObjectState, Result, Sql};
use crate::objects::store::{Store, is_unreadable, unreadable};
use crate::settings::variables::{Variables, check_names, variable};
use crate::target::target;

/// The status of the answer of an object that cannot read what is stored, see `call.js`.
const UNREADABLE: u16 = 507;

/// What a caller is told when a request fails.
const UNREACHABLE: &str = "authority-unreachable";

/// The authority of one shard.
#[wasm_bindgen]
pub struct Authority {
    state: DurableObjectState,
    env: JsValue,
    /// The table is dropped on every error, then read again from the rows.
    table: RefCell<Option<Table>>,
    health: RefCell<Health>,
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
        let mut health = Health::default();
        health.count(UNREACHABLE, state.failures().unwrap_or(0).into());
        Self { state, env, table: RefCell::new(None), health: RefCell::new(health) }
    }

    /// Answers an isolate.
    #[must_use]
    pub fn answer(&self, method: &str, url: &str, text: &str) -> JsValue {
        let (path, query) = target(url);
        let answer = match (method, Address::read(path)) {
            ("POST", Some((address, ""))) => self.reply(&address, text),
            ("GET", Some((address, "status"))) => self.status(&address, false),
            ("GET", Some((address, "proof"))) => self.status(&address, true),
            ("GET", Some((address, "nodes"))) => self.nodes(&address, page(query)),
            _ => return plain(404, "this authority does not understand this"),
        };
        answer.map_or_else(
            |error| {
                console::error(&format!("{path}: {error}"));
                self.health.borrow_mut().count(UNREACHABLE, 1);
                plain(if is_unreadable(&error) { UNREADABLE } else { 500 }, &error)
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
            let mut answer = |request: &Request| {
                let now_ms = now_ms();
                let mut health = self.health.borrow_mut();
                let store = |write: &Write| store.write(write).map(|()| health.wrote(now_ms));
                let reply = authority.answer(now_ms, request, store)?;
                health.replied(&reply);
                Result::Ok(reply)
            };
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

    /// What the shard says of itself; `is_proof` if it writes before that.
    fn status(&self, address: &Address<'_>, is_proof: bool) -> Result<String> {
        self.with_table(address, |table| {
            let mut health = self.health.borrow_mut();
            if is_proof {
                health.prove(&table.store)?;
            }
            let Status { nodes, used, held, issued } = table.authority.status(now_ms());
            let mut json = Json::object();
            json.number("nodes", nodes);
            json.number("used", used);
            json.number("held", held);
            json.number("issued", issued);
            let sequencer = table.authority.sequencer();
            json.number("incarnation", sequencer.map_or(0, |sequencer| sequencer.incarnation));
            if !is_proof {
                json.number("unproved", 1);
            }
            health.describe(&table.store, &mut json);
            Ok(json.end())
        })
    }

    /// The nodes that were ever used, as columns of numbers in which ticks are counted from now: of
    /// a page, which is a range of the shard's nodes counted from its first one.
    fn nodes(&self, address: &Address<'_>, page: Range<u64>) -> Result<String> {
        self.with_table(address, |table| {
            let authority = &table.authority;
            let now = authority
                .sequencer()
                .and_then(|sequencer| sequencer.config.layout().tick(now_ms()).ok())
                .unwrap_or(0);
            let [mut node, mut from, mut until, mut held] = [const { String::new() }; 4];
            let nodes = authority.nodes();
            let end = nodes.start.saturating_add(page.end);
            let page = nodes.start.saturating_add(page.start)..end;
            for (number, row) in authority.rows_of(page) {
                // Writing into a string cannot fail.
                let _ = write!(node, "{number},");
                let _ = write!(from, "{},", row.from_tick.cast_signed() - now.cast_signed());
                let _ = write!(until, "{},", row.until_tick.cast_signed() - now.cast_signed());
                held.push_str(if row.token.is_some() { "1," } else { "0," });
            }
            let column = |text: &str| text.strip_suffix(',').unwrap_or(text).to_owned();
            let is_last = authority.rows_of(end..u64::MAX).next().is_none();
            Ok(format!(
                r#"{{"shard":{},"last":{is_last},"tick":{now},"node":[{}],"from":[{}],"until":[{}],"held":[{}]}}"#,
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
        let rows = store.rows()?.map_while(|row| row.map_err(|error| unread = Some(error)).ok());
        let authority = edgeflake::lease::Authority::load(address.shard, sequencer, settings, rows);
        if let Some(error) = unread {
            return Err(error);
        }
        let authority = authority.map_err(|error| match error {
            Error::StoredRow { .. } => unreadable(&error),
            error => error.to_string(),
        })?;
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

/// The page that a query such as `cursor=1000&limit=1000` names; without one, all. It was checked by
/// the isolate that asks.
fn page(query: &str) -> Range<u64> {
    let number = |name: &str| {
        let mut parameters = query.split('&').filter_map(|parameter| parameter.split_once('='));
        parameters.find(|(known, _)| *known == name)?.1.parse().ok()
    };
    let start: u64 = number("cursor").unwrap_or(0);
    start..number("limit").map_or(u64::MAX, |limit| start.saturating_add(limit))
}

/// Warns if the variables differ from the configuration that the sequencer is bound to, which goes
/// on.
fn warn_of_difference(bound: &BoundConfig, configured: Result<BoundConfig>) {
    match configured {
        Ok(configured) => {
            if let Some(difference) = bound.difference(&configured) {
                console::warn(&format!(
                    "ids go on with what the sequencer is bound to: {difference}"
                ));
            }
        }
        Err(error) => {
            console::warn(&format!("{error}; ids go on with what the sequencer is bound to"));
        }
    }
}
