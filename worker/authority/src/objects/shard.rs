//! The object that grants leases: a shell around [`edgeflake::lease::Authority`].
//!
//! It keeps two invariants. A reply that confirms a span is sent only after a compare-and-set has
//! written the span's row and the witness has confirmed the write. The table in memory is never
//! newer than the rows. [`Shard::answer`] reads, decides, writes and replies in one call that
//! awaits nothing; `witnessed.js` does the waiting before and after the call.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::ops::Range;

use edgeflake::Instant;
use edgeflake::lease::{BoundConfig, Error, Opened, Reply, Request, Stamp, Status, Version, Write};
use edgeflake_wire::{
    Json, WitnessCall, parse, read_confirmed, read_opened, read_request, write_reply,
    write_witness_call,
};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::clock::now_ms;
use crate::console;
use crate::objects::address::Address;
use crate::objects::health::Health;
use crate::objects::plain::plain;
use crate::objects::sql::{DurableObjectState, Result, Sql};
use crate::objects::store::Store;
use crate::objects::unreadable::{is_unreadable, unreadable};
use crate::settings::variables::{Variables, check_names, variable};
use crate::target::target;

/// The status of the answer when an object cannot read what is stored, see `call.js`.
const UNREADABLE: u16 = 507;

/// What a caller is told when a request fails.
const UNREACHABLE: &str = "authority-unreachable";

/// The authority of one shard.
#[wasm_bindgen]
pub struct Shard {
    state: DurableObjectState,
    env: JsValue,
    /// Every error drops the table, which is then read again from the rows.
    table: RefCell<Option<Table>>,
    health: RefCell<Health>,
}

struct Table {
    store: Store,
    authority: edgeflake::lease::Authority,
    stamp: Stamp,
    /// The configuration to which the first use binds the default sequencer; `None` once it is
    /// bound.
    first_use: Option<BoundConfig>,
    /// The session with the witness. Before it is open, the shard answers only for its status.
    session: Session,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Session {
    /// The witness has not answered yet.
    Unknown,
    /// There is no witness.
    Unwitnessed,
    /// The witness has opened the session, and has counted this many rollbacks.
    Open { rollbacks: u64 },
}

#[wasm_bindgen]
impl Shard {
    /// Makes the object; the platform calls this.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(state: DurableObjectState, env: JsValue) -> Self {
        let mut health = Health::default();
        health.count(UNREACHABLE, state.failures().unwrap_or(0).into());
        Self { state, env, table: RefCell::new(None), health: RefCell::new(health) }
    }

    /// Reads what is stored, even if a session is open, and returns what to ask the witness; `None`
    /// for an unknown path.
    ///
    /// # Errors
    /// Why the storage cannot be read.
    pub fn opening(&self, url: &str) -> Result<Option<String>, JsValue> {
        let Some((address, _)) = Address::read(target(url).0) else { return Ok(None) };
        let table = self.load(&address).map_err(thrown)?;
        let open = WitnessCall::Open(table.stamp);
        self.table.replace(Some(table));
        Ok(Some(write_witness_call(&open)))
    }

    /// Begins the session that the witness has opened; `answer` is `None` if there is no witness.
    ///
    /// # Errors
    /// Why the session cannot begin.
    #[expect(clippy::needless_pass_by_value, reason = "wasm-bindgen has no optional reference")]
    pub fn open(&self, url: &str, answer: Option<String>) -> Result<(), JsValue> {
        let Some((address, _)) = Address::read(target(url).0) else { return Ok(()) };
        // The table is taken out, so that any error drops it.
        let Some(mut table) = self.table.take() else { return Ok(()) };
        table.open(&address, answer.as_deref()).map_err(thrown)?;
        self.table.replace(Some(table));
        Ok(())
    }

    /// The number of the newest write; -1 if no session is open, so that the object does not
    /// answer.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "it is below 2^53, as all that is stored")]
    pub fn written(&self) -> f64 {
        match &*self.table.borrow() {
            Some(table) if table.session != Session::Unknown => table.stamp.version.write as f64,
            _ => -1.0,
        }
    }

    /// What to ask the witness so that it confirms all writes so far; `None` if no session is open.
    #[must_use]
    pub fn confirming(&self) -> Option<String> {
        let table = self.table.borrow();
        let table = table.as_ref().filter(|table| table.session != Session::Unknown)?;
        Some(write_witness_call(&WitnessCall::Confirm(table.stamp)))
    }

    /// Takes the witness's answer to [`confirming`](Self::confirming).
    ///
    /// # Errors
    /// The witness has opened another session, so this object is not the newest of its shard; or
    /// the answer cannot be read.
    pub fn confirmed(&self, answer: &str) -> Result<(), JsValue> {
        let confirmed = parse(answer).and_then(|answer| read_confirmed(&answer));
        let error = match confirmed {
            Ok(true) => return Ok(()),
            Ok(false) => "its witness has opened another session".to_owned(),
            Err(error) => format!("its witness: {error}"),
        };
        self.table.replace(None);
        Err(thrown(error))
    }

    /// Answers an isolate.
    #[must_use]
    pub fn answer(&self, method: &str, url: &str, text: &str) -> JsValue {
        let (path, query) = target(url);
        let answer = match (method, Address::read(path)) {
            ("POST", Some((_, ""))) => self.reply(text),
            ("GET", Some((_, "status"))) => self.unproved(),
            ("GET", Some((_, "proof"))) => self.with_table(|table| self.status(table, true)),
            ("GET", Some((address, "nodes"))) => self.nodes(&address, page(query)),
            _ => return plain(404, "this authority does not understand this"),
        };
        answer.map_or_else(|error| self.failed(url, &error, 500), |text| plain(200, &text))
    }

    /// Answers a request that failed, with this status unless the cause is a storage that cannot be
    /// read.
    #[must_use]
    pub fn failed(&self, url: &str, error: &str, status: u16) -> JsValue {
        console::error("object-failed", &format!("{}: {error}", target(url).0));
        self.health.borrow_mut().count(UNREACHABLE, 1);
        plain(if is_unreadable(error) { UNREADABLE } else { status }, error)
    }
}

impl Shard {
    fn reply(&self, text: &str) -> Result<String> {
        let request = parse(text).and_then(|message| read_request(&message));
        let request = request.map_err(|error| error.to_string())?;
        Ok(write_reply(&self.decide(&request)?))
    }

    fn decide(&self, request: &Request) -> Result<Reply> {
        self.with_table(|table| {
            let Table { store, authority, stamp, first_use, .. } = table;
            let mut answer = |request: &Request| {
                let now_ms = now_ms();
                let mut health = self.health.borrow_mut();
                let store = |write: &Write| {
                    store_stamped(store, stamp, write).map(|()| health.wrote(now_ms))
                };
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

    /// The shard's status, without a proof that it can write. It needs no session, because a shard
    /// that cannot write cannot store a session either.
    fn unproved(&self) -> Result<String> {
        let table = self.table.take().ok_or("its session has ended")?;
        let status = self.status(&table, false)?;
        self.table.replace(Some(table));
        Ok(status)
    }

    /// The shard's status. If `is_proof`, the shard first proves that it can write.
    fn status(&self, table: &Table, is_proof: bool) -> Result<String> {
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
        json.flag("fence", table.session != Session::Unwitnessed);
        if let Session::Open { rollbacks } = table.session {
            json.number("rollbacks", rollbacks);
        }
        health.describe(&table.store, &mut json);
        Ok(json.end())
    }

    /// The nodes of a page that were ever used, as columns of numbers in which ticks are counted
    /// from the present tick. `page` is a range of the shard's nodes, counted from its first one.
    fn nodes(&self, address: &Address<'_>, page: Range<u64>) -> Result<String> {
        self.with_table(|table| {
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

    /// Calls `with` with the table. The table is taken out, so that any error drops it.
    fn with_table<T>(&self, with: impl FnOnce(&mut Table) -> Result<T>) -> Result<T> {
        let table = self.table.take().filter(|table| table.session != Session::Unknown);
        let mut table = table.ok_or("its session has ended")?;
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
        let stamp = authority.stamp(store.version()?);
        let mut first_use = None;
        if address.is_default_registry() {
            match sequencer {
                None => first_use = Some(variables.bound_config()?),
                Some(bound) => warn_of_difference(&bound.config, variables.bound_config()),
            }
        }
        Ok(Table { store, authority, stamp, first_use, session: Session::Unknown })
    }
}

impl Table {
    /// Begins a session. If the storage was rolled back, every node starts at the end of everything
    /// that the storage may have forgotten.
    fn open(&mut self, address: &Address<'_>, answer: Option<&str>) -> Result<()> {
        let Some(answer) = answer else {
            self.session = Session::Unwitnessed;
            return Ok(());
        };
        let opened = parse(answer).and_then(|answer| read_opened(&answer));
        let opened = opened.map_err(|error| format!("its witness: {error}"))?;
        let Opened { session, newer, rollbacks } = opened;
        self.store.begin(session, self.stamp.version)?;
        let loaded = self.stamp.version;
        self.stamp.version.session = session;
        self.session = Session::Open { rollbacks };
        let Some(newer) = newer else { return Ok(()) };
        let Address { sequencer, shard } = address;
        let (from, to) = (newer.version, loaded);
        let mut told = format!(
            "the storage of shard {shard} of {sequencer} was rolled back from version {}.{} to {}.{}",
            from.session, from.write, to.session, to.write
        );
        if let Some(restart) = self.authority.restart(&newer) {
            store_stamped(&self.store, &mut self.stamp, &restart)?;
            self.authority.apply(&restart);
            self.first_use = None;
            if let Some(sequencer) = self.authority.sequencer() {
                let start_ms = sequencer.config.layout().start_ms(sequencer.from_tick);
                // Writing into a string cannot fail.
                let _ = write!(told, ": every node starts at {}", Instant(start_ms));
            }
        }
        console::error("storage-rolled-back", &told);
        Ok(())
    }
}

/// Stores a write as the next one.
fn store_stamped(store: &Store, stamp: &mut Stamp, write: &Write) -> Result<()> {
    let Version { session, write: number } = stamp.version;
    store.write(write, Version { session, write: number + 1 })?;
    stamp.wrote(write);
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "so that it maps errors")]
fn thrown(error: String) -> JsValue {
    js_sys::Error::new(&error).into()
}

/// The page that a query such as `cursor=1000&limit=1000` names; all nodes without a query. The
/// isolate that asks has checked the query.
fn page(query: &str) -> Range<u64> {
    let number = |name: &str| {
        let mut parameters = query.split('&').filter_map(|parameter| parameter.split_once('='));
        parameters.find(|(known, _)| *known == name)?.1.parse().ok()
    };
    let start: u64 = number("cursor").unwrap_or(0);
    start..number("limit").map_or(u64::MAX, |limit| start.saturating_add(limit))
}

/// The log event for variables that differ from the bound configuration.
const DIFFERS: &str = "configuration-differs";

/// Warns if the variables differ from the configuration that the sequencer is bound to. The
/// sequencer keeps the bound one.
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
