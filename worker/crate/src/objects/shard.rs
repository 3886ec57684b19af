//! Stores one shard of an authority. [`edgeflake::lease::Authority`] makes the shard's decisions.
//!
//! Each method reads, decides and writes, without an `await`. A write is one statement, or a
//! transaction of several statements, and fails if the stored row has changed since the decision.
//! The table in memory changes only after the write, so it is never newer than the stored rows.
//! After any error, the shard drops the table in memory.

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::ops::Range;

use edgeflake::Instant;
use edgeflake::code::AUTHORITY_UNREACHABLE;
use edgeflake::lease::fence::{Fence, Ticket};
use edgeflake::lease::{
    BoundConfig, Error, Reply, Request, Sequencer, SessionStart, Stamp, Status, Version, Write,
};
use edgeflake_wire::{Address, DEFAULT_SEQUENCER, misconfigured, parse, read, write};
use wasm_bindgen::JsValue;

use crate::log::{self, Event};
use crate::objects::client::ShardStatus;
use crate::objects::sql::{DurableObjectState, Result, Storage, unreadable};
use crate::objects::store::Store;
use crate::platform::now_ms;
use crate::settings::variables::{Variables, check_names, variable};
use crate::value::{json, target};

/// The error if another request has dropped the table in memory.
const NO_TABLE: &str = "the shard must read its storage again";

/// If a shard has written nothing for this time, in ms, a request for a proof makes the shard write
/// a row. So proofs cost at most one row per minute, and nothing while leases are written.
const PROOF_MS: u64 = 60_000;

/// Reads and stores the state of a shard, and answers requests.
pub(crate) struct Shard {
    pub(crate) storage: Storage,
    env: JsValue,
    table: RefCell<Option<Table>>,
    /// The number of refused or failed requests since the object started, per error code.
    refused: RefCell<Vec<(&'static str, u64)>>,
    /// The time at which the newest row was written, in Unix ms; 0 if this object has not written
    /// yet, or if the write may have been undone.
    written_ms: Cell<u64>,
}

struct Table {
    store: Store,
    authority: edgeflake::lease::Authority,
    /// The version that the storage had when this table was loaded.
    loaded: Version,
    /// The configuration that the default sequencer is bound to at its first use; `None` once the
    /// sequencer is bound.
    first_use: Option<BoundConfig>,
}

impl Shard {
    pub(crate) fn new(state: &DurableObjectState, env: JsValue) -> Self {
        Self {
            storage: state.storage(),
            env,
            table: RefCell::default(),
            // With this entry, the metric of refusals exists before the first refusal.
            refused: RefCell::new(vec![(AUTHORITY_UNREACHABLE, 0)]),
            written_ms: Cell::default(),
        }
    }

    /// Loads the storage, and returns the shard's stamp, which tells the witness how far the shard
    /// has got.
    ///
    /// # Errors
    /// The reason why the storage cannot be read.
    pub(crate) fn load(&self, address: &Address<'_>) -> Result<Stamp> {
        // Drop the old table first, because two tables would need twice the memory.
        self.table.take();
        let table = self.storage.transaction(|| self.read(address))?;
        let stamp = table.authority.stamp(table.loaded);
        self.table.replace(Some(table));
        Ok(stamp)
    }

    /// If a witness has opened a session, begins this session. If the storage was rolled back,
    /// every node then starts after all spans that the storage may have forgotten.
    ///
    /// # Errors
    /// The reason why the session cannot begin.
    pub(crate) fn begin(
        &self,
        fence: &mut Fence,
        address: &Address<'_>,
        loaded: Version,
        opened: Option<SessionStart>,
    ) -> Result<()> {
        let Some(SessionStart { session, newer, .. }) = opened else {
            fence.begin();
            return Ok(());
        };
        self.with_table(|table| {
            self.storage.transaction(|| {
                table.store.begin(session, loaded)?;
                fence.begin();
                newer.map_or(Ok(()), |newer| table.restart(fence, address, &newer))
            })
        })
    }

    /// Answers a request of an isolate.
    ///
    /// # Errors
    /// The reason why the decision cannot be stored.
    pub(crate) fn answer(&self, fence: &mut Fence, message: &Message<'_>) -> Result<String> {
        let Message { address, task, arrived_ms } = message;
        self.with_table(|table| {
            self.storage.grouped(|| match task {
                Task::Answer(request) => {
                    Ok(write(&self.decide(fence, table, request, *arrived_ms)?))
                }
                Task::Proof => {
                    self.prove(&table.store)?;
                    self.status(table, Some(fence), true)
                }
                Task::Status => self.status(table, Some(fence), false),
                Task::Nodes(page) => Ok(nodes(&table.authority, address.shard, page)),
            })
        })
    }

    /// Makes all writes durable.
    ///
    /// # Errors
    /// The reason why the writes were undone.
    pub(crate) fn commit(&self) -> Result<()> {
        self.storage.commit().inspect_err(|_| self.written_ms.set(0))
    }

    /// Returns the shard's status from the storage, without a session.
    ///
    /// # Errors
    /// The reason why the storage cannot be read.
    pub(crate) fn look(&self, address: &Address<'_>) -> Result<String> {
        let table = self.storage.transaction(|| self.read(address))?;
        self.status(&table, None, false)
    }

    /// Logs and counts a failed request.
    pub(crate) fn failed(&self, url: &str, error: &str) {
        log::write(Event::ObjectFailed, &format!("{}: {error}", target(url).0));
        self.count(AUTHORITY_UNREACHABLE);
    }

    /// Counts a request that was answered with this error code.
    fn count(&self, code: &'static str) {
        let refused = &mut self.refused.borrow_mut();
        match refused.iter_mut().find(|(known, _)| *known == code) {
            Some((_, count)) => *count += 1,
            None => refused.push((code, 1)),
        }
    }

    /// Proves that the storage accepts writes: writes a row, unless a row was written in the last
    /// minute.
    fn prove(&self, store: &Store) -> Result<()> {
        let now_ms = now_ms();
        if now_ms.abs_diff(self.written_ms.get()) >= PROOF_MS {
            store.prove(now_ms)?;
            self.written_ms.set(now_ms);
        }
        Ok(())
    }

    fn decide(
        &self,
        fence: &mut Fence,
        table: &mut Table,
        request: &Request,
        arrived_ms: u64,
    ) -> Result<Reply> {
        let Table { store, authority, first_use, .. } = table;
        authority.set_unseen_max_ms(self.storage.unseen_max_ms());
        let mut answer = |request: &Request| {
            let now_ms = now_ms();
            let store = |write: &Write| {
                store_next(store, fence, write).map(|()| self.written_ms.set(now_ms))
            };
            let reply = authority.answer(now_ms, &request.after_wait(arrived_ms, now_ms), store)?;
            if let Reply::Refused { refusal, .. } = &reply {
                self.count(refusal.code());
            }
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
    }

    /// Returns the shard's status; without an open session, `fence` is `None`.
    fn status(&self, table: &Table, fence: Option<&Fence>, is_proved: bool) -> Result<String> {
        let sequencer = table.authority.sequencer();
        let rollbacks = fence.and_then(Fence::rollbacks);
        let written_ms = match self.written_ms.get() {
            0 => table.store.proved_ms(),
            written_ms => written_ms,
        };
        let refused = self.refused.borrow();
        let Status { nodes, used, held, issued } = table.authority.status(now_ms());
        let status = ShardStatus {
            nodes,
            used,
            held,
            issued,
            incarnation: sequencer.map_or(0, |sequencer| sequencer.incarnation),
            active: sequencer.is_none_or(Sequencer::is_active),
            proved: is_proved,
            fence: fence.is_none() || rollbacks.is_some(),
            rollbacks,
            written_s: written_ms / 1_000,
            refused: refused.iter().map(|(code, count)| ((*code).to_owned(), *count)).collect(),
        };
        json(&status).map_err(|problem| problem.detail.clone())
    }

    /// Calls `with` with the table in memory. If there is an error, drops the table.
    fn with_table<T>(&self, with: impl FnOnce(&mut Table) -> Result<T>) -> Result<T> {
        let mut table = self.table.take().ok_or(NO_TABLE)?;
        let answer = with(&mut table).inspect_err(|_| self.written_ms.set(0))?;
        self.table.replace(Some(table));
        Ok(answer)
    }

    fn read(&self, address: &Address<'_>) -> Result<Table> {
        check_names(&self.env).map_err(misconfigured)?;
        let variable = |name: &str| variable(&self.env, name);
        let variables = Variables::new(&variable).of(address.sequencer);
        let store = Store::open(self.storage.clone())?;
        let sequencer = store.sequencer()?;
        let settings = variables.lease_settings().map_err(misconfigured)?;
        let mut rows = store.rows()?;
        let authority =
            edgeflake::lease::Authority::load(address.shard, sequencer, settings, &mut rows);
        let loaded = rows.version()?;
        let authority = authority.map_err(|error| match error {
            Error::StoredRow { .. } => unreadable(&error),
            error => error.to_string(),
        })?;
        let mut first_use = None;
        if address.sequencer == DEFAULT_SEQUENCER && address.shard == Sequencer::REGISTRY {
            match sequencer {
                None => first_use = Some(to_create(&variables).map_err(misconfigured)?),
                Some(bound) => warn_of_difference(&bound.config, variables.bound_config()),
            }
        }
        Ok(Table { store, authority, loaded, first_use })
    }
}

impl Table {
    /// Restarts a shard whose storage was rolled back.
    fn restart(&mut self, fence: &mut Fence, address: &Address<'_>, newer: &Stamp) -> Result<()> {
        let Address { sequencer, shard } = address;
        let (from, to) = (newer.version, self.loaded);
        let mut told = format!(
            "the storage of shard {shard} of {sequencer} was rolled back from version {}.{} to {}.{}",
            from.session, from.write, to.session, to.write
        );
        for write in self.authority.restart(newer) {
            store_next(&self.store, fence, &write)?;
            self.authority.apply(&write);
        }
        // Without a sequencer, nothing was granted, so there is nothing to restart.
        if newer.sequencer.is_some()
            && let Some(sequencer) = self.authority.sequencer()
        {
            self.first_use = None;
            let ends = self.authority.rows().map(|(_, row)| row.until_tick);
            let last_tick = ends.fold(sequencer.from_tick, u64::max);
            let [first, last] = [sequencer.from_tick, last_tick]
                .map(|tick| Instant(sequencer.config.layout().start_ms(tick)));
            // Writing into a string cannot fail.
            let _ = write!(told, ": every node starts at {first} or later, the last one at {last}");
        }
        log::write(Event::StorageRolledBack, &told);
        Ok(())
    }
}

/// Stores a write with the session's next version.
fn store_next(store: &Store, fence: &mut Fence, write: &Write) -> Result<()> {
    store.write(write, fence.next_version().ok_or("no session is open")?)?;
    fence.wrote(write);
    Ok(())
}

/// Returns those nodes of a page that were ever used, as columns of numbers. Ticks are relative to
/// the current tick. `page` is a range of the shard's nodes, counted from 0.
fn nodes(authority: &edgeflake::lease::Authority, shard: u64, page: &Range<u64>) -> String {
    let now = authority
        .sequencer()
        .and_then(|sequencer| sequencer.config.layout().tick(now_ms()).ok())
        .unwrap_or(0);
    let [mut node, mut from, mut until, mut held] = [const { String::new() }; 4];
    let nodes = authority.nodes();
    let end = nodes.start.saturating_add(page.end);
    for (number, row) in authority.rows_of(nodes.start.saturating_add(page.start)..end) {
        // Writing into a string cannot fail.
        let _ = write!(node, "{number},");
        let _ = write!(from, "{},", row.from_tick.cast_signed() - now.cast_signed());
        let _ = write!(until, "{},", row.until_tick.cast_signed() - now.cast_signed());
        held.push_str(if row.token.is_some() { "1," } else { "0," });
    }
    let [node, from, until, held] =
        [&node, &from, &until, &held].map(|column| column.strip_suffix(',').unwrap_or(column));
    let is_last = authority.rows_of(end..u64::MAX).next().is_none();
    format!(
        r#"{{"shard":{shard},"last":{is_last},"tick":{now},"node":[{node}],"from":[{from}],"until":[{until}],"held":[{held}]}}"#
    )
}

/// A request to a shard, from an isolate.
pub(crate) struct Message<'a> {
    pub(crate) address: Address<'a>,
    pub(crate) task: Task,
    /// The time at which the request arrived, in Unix ms.
    arrived_ms: u64,
}

/// The task of a request to a shard.
#[expect(clippy::large_enum_variant, reason = "there is one per request")]
pub(crate) enum Task {
    /// The shard decides, and sends its reply.
    Answer(Request),
    /// The shard sends its status after it has proved that it can write.
    Proof,
    /// The shard sends its status.
    Status,
    /// The shard sends a page of its nodes. The range counts the shard's nodes from 0.
    Nodes(Range<u64>),
}

impl<'a> Message<'a> {
    /// Reads a request; `None` if the request's path is unknown.
    ///
    /// # Errors
    /// The reason why the request's message cannot be read.
    pub(crate) fn read(method: &str, url: &'a str, text: &str) -> Result<Option<Self>> {
        let (path, query) = target(url);
        let Some((address, what)) = Address::read(path) else { return Ok(None) };
        let task = match (method, what) {
            ("POST", "") => {
                let request = parse(text).and_then(|message| read(&message));
                Task::Answer(request.map_err(|error| error.to_string())?)
            }
            ("GET", "status") => Task::Status,
            ("GET", "proof") => Task::Proof,
            ("GET", "nodes") => Task::Nodes(page(query)),
            _ => return Ok(None),
        };
        Ok(Some(Self { address, task, arrived_ms: now_ms() }))
    }

    pub(crate) fn ticket(&self) -> Ticket {
        if matches!(self.task, Task::Status) { Ticket::of_status() } else { Ticket::default() }
    }
}

/// Returns the range of nodes in a query such as `cursor=1000&limit=1000`. Without a query, returns
/// the range of all nodes. The isolate that sends the query has checked it.
fn page(query: &str) -> Range<u64> {
    let number = |name: &str| {
        let mut parameters = query.split('&').filter_map(|parameter| parameter.split_once('='));
        parameters.find(|(known, _)| *known == name)?.1.parse().ok()
    };
    let start: u64 = number("cursor").unwrap_or(0);
    start..number("limit").map_or(u64::MAX, |limit| start.saturating_add(limit))
}

/// Returns the configuration that the default sequencer is bound to at its first use.
fn to_create(variables: &Variables<'_>) -> Result<BoundConfig> {
    let config = variables.bound_config()?;
    variables.lease_settings_for(config.layout())?;
    Ok(config)
}

/// Warns if the variables differ from the configuration to which the sequencer stays bound.
fn warn_of_difference(bound: &BoundConfig, configured: Result<BoundConfig>) {
    let kept = "the sequencer keeps its bound configuration";
    let message = match configured.map(|configured| bound.difference(&configured)) {
        Ok(None) => return,
        Ok(Some(difference)) => format!("{kept}: {difference}"),
        Err(error) => format!("{error}; {kept}"),
    };
    log::write(Event::ConfigurationDiffers, &message);
}
