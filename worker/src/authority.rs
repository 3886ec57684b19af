//! The Durable Object that grants leases: a shell around [`edgeflake::Authority`].
//!
//! Invariant: a reply that confirms a span is sent only after its row was written by a
//! compare-and-set, and the table in memory is never newer than the rows. Between reading the
//! request and answering it nothing is awaited: read, decide, write, reply.
#![expect(missing_docs, reason = "the methods that `durable_object` makes have none")]

use std::cell::RefCell;
use std::fmt;

use edgeflake::{Identity, Reply};
use worker::{
    DurableObject, Env, Error, Request, Response, Result, State, console_error, console_warn,
    durable_object,
};

use crate::clock::now_ms;
use crate::config::{Config, variable};
use crate::store::Store;
use crate::wire;

/// The authority of one shard.
#[durable_object(fetch)]
pub struct Authority {
    state: State,
    env: Env,
    /// Dropped on every error, then read again from the rows.
    table: RefCell<Option<Table>>,
}

struct Table {
    store: Store,
    authority: edgeflake::Authority,
}

impl DurableObject for Authority {
    fn new(state: State, env: Env) -> Self {
        Self { state, env, table: RefCell::new(None) }
    }

    async fn fetch(&self, mut request: Request) -> Result<Response> {
        if request.path() != wire::PATH {
            let known = format!("this authority understands {}", wire::PATH);
            return Response::error(known, 404);
        }
        let text = request.text().await?;
        match self.answer(&text) {
            Ok(reply) => Response::ok(reply),
            Err(error) => {
                console_error!("{error}");
                Response::error(error.to_string(), 500)
            }
        }
    }
}

impl Authority {
    fn answer(&self, text: &str) -> Result<String> {
        let request = wire::read_request(text).map_err(|error| Error::from(error.to_string()))?;
        let reply = self.decide(&request)?;
        wire::write_reply(&reply).map_err(|error| Error::from(error.to_string()))
    }

    fn decide(&self, request: &edgeflake::Request) -> Result<Reply> {
        // Taken out, so that any error on the way drops it.
        let mut table = match self.table.take() {
            Some(table) => table,
            None => self.load()?,
        };
        let decision = table.authority.decide(now_ms(), request);
        if let Some(write) = &decision.write {
            table.store.write(write)?;
            table.authority.apply(write);
        }
        self.table.replace(Some(table));
        Ok(decision.reply)
    }

    fn load(&self) -> Result<Table> {
        let variable = |name: &str| variable(&self.env, name);
        let config = Config::new(&variable);
        let store = Store::open(self.state.storage().sql())?;
        let configured = config.identity();
        // A sequencer that is bound goes on, whatever the variables say of its identity by now.
        let bound = match (store.bound()?, configured) {
            (Some(bound), Ok(identity)) => {
                if bound.identity != identity {
                    console_warn!(
                        "the variables say {}; ids go on with what the sequencer is bound to, {}",
                        Shown(&identity),
                        Shown(&bound.identity)
                    );
                }
                bound
            }
            (Some(bound), Err(error)) => {
                console_warn!("{error}; ids go on with {}", Shown(&bound.identity));
                bound
            }
            (None, Ok(identity)) => store.bind(identity)?,
            (None, Err(error)) => return Err(Error::from(error)),
        };
        let tunables = config.tunables(bound.identity.layout()).map_err(Error::from)?;
        let authority = edgeflake::Authority::load(
            bound.identity,
            0,
            bound.incarnation,
            tunables,
            store.rows()?,
        )
        .map_err(|error| Error::from(error.to_string()))?;
        Ok(Table { store, authority })
    }
}

/// An identity for the log.
struct Shown<'a>(&'a Identity);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(identity) = self;
        write!(
            f,
            "{} nodes from {} on of the layout {}",
            identity.node_count(),
            identity.first_node(),
            identity.layout()
        )
    }
}
