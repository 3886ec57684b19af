//! A Worker in Rust that calls each function of `edgeflake-workers`. The path names the function,
//! and the query has its arguments.
#![expect(missing_docs, reason = "the macro adds items without documentation")]

use std::cell::Cell;
use std::collections::HashMap;

use edgeflake_workers::admin::{self, NewSequencer};
use edgeflake_workers::objects::schema::{UPGRADES, upgrade};
use edgeflake_workers::objects::sql::Sql;
use edgeflake_workers::{Encoding, Error, Ids};
use wasm_bindgen::JsCast;
use worker::{
    Context, DurableObject, Env, Request, Response, Result, ScheduleContext, ScheduledEvent,
    SqlStorage, State, durable_object, event,
};

thread_local! {
    static SCHEDULED: Cell<u64> = const { Cell::new(0) };
}

#[event(fetch)]
async fn fetch(request: Request, env: Env, _context: Context) -> Result<Response> {
    let url = request.url()?;
    let query: HashMap<String, String> = url.query_pairs().into_owned().collect();
    if url.path() == "/upgrade" {
        let object = env.durable_object("UPGRADED")?.get_by_name("one")?;
        return object.fetch_with_request(request).await;
    }
    if url.path() == "/object" {
        return env.durable_object("CALLER")?.get_by_name("one")?.fetch_with_request(request).await;
    }
    let call = Call { env: &env, path: url.path(), query };
    match call.answer().await {
        Ok(text) => Response::ok(text),
        Err(error) if call.get("told").is_some() => {
            let (code, seconds) = (error.code(), error.retry_after_s());
            Response::ok(format!("{code} {seconds:?} {error}"))
        }
        Err(error) => error.into_response(),
    }
}

#[event(scheduled)]
async fn scheduled(_event: ScheduledEvent, env: Env, _context: ScheduleContext) {
    SCHEDULED.set(Ids::new(&env).next().await.unwrap_or(0));
}

/// A Durable Object that asks for ids.
#[durable_object(fetch)]
pub struct Caller {
    env: Env,
}

impl DurableObject for Caller {
    fn new(_state: State, env: Env) -> Self {
        Self { env }
    }

    async fn fetch(&self, _request: Request) -> Result<Response> {
        Response::ok(Ids::new(&self.env).next().await?.to_string())
    }
}

/// A Durable Object with the storage of an authority, whose schema has an invented version 2.
#[durable_object(fetch)]
pub struct Upgraded {
    upgraded: Sql,
    sql: SqlStorage,
}

impl DurableObject for Upgraded {
    fn new(state: State, _env: Env) -> Self {
        let sql = state.storage().sql();
        let upgraded = sql.as_ref().clone().unchecked_into();
        Self { upgraded, sql }
    }

    /// Opens the storage with code that knows `?versions=` versions of the schema, and then runs
    /// `?sql=`.
    async fn fetch(&self, request: Request) -> Result<Response> {
        let query: HashMap<String, String> = request.url()?.query_pairs().into_owned().collect();
        let version_2 = [
            "ALTER TABLE proof ADD COLUMN added INTEGER NOT NULL DEFAULT 7",
            "UPDATE proof SET added = added + written_ms",
        ];
        let versions = [UPGRADES[0], &version_2];
        let known = if query["versions"] == "1" { &versions[..1] } else { &versions };
        match upgrade(&self.upgraded, known) {
            Ok(()) => {
                let rows = self.sql.exec(&query["sql"], None)?;
                Response::from_json(&rows.to_array::<HashMap<String, u64>>()?)
            }
            Err(error) => Response::ok(error),
        }
    }
}

struct Call<'a> {
    env: &'a Env,
    path: &'a str,
    query: HashMap<String, String>,
}

impl Call<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str)
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.get(name)?.parse().ok()
    }

    fn ids(&self) -> std::result::Result<Ids, Error> {
        match self.get("sequencer") {
            Some(name) => Ids::sequencer(self.env, name),
            None => Ok(Ids::new(self.env)),
        }
    }

    async fn answer(&self) -> std::result::Result<String, Error> {
        let name = self.get("name").unwrap_or_default();
        Ok(match self.path {
            "/next" => self.ids()?.next().await?.to_string(),
            "/next_string" => self.ids()?.next_string(Encoding::Base62).await?,
            "/batch" => {
                let count = self.number("count").unwrap_or_default();
                let ids = self.ids()?.batch(usize::try_from(count).unwrap_or_default()).await?;
                ids.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
            }
            "/create" => {
                let layout = self.get("layout").map(str::to_owned);
                let (first_node, shards) = (self.number("first_node"), self.number("shards"));
                let node_count = self.number("node_count");
                let wanted = NewSequencer { layout, first_node, node_count, shards };
                admin::create(self.env, name, wanted).await?;
                String::new()
            }
            "/destroy" => {
                admin::destroy(self.env, name).await?;
                String::new()
            }
            "/scheduled" => SCHEDULED.get().to_string(),
            path => panic!("nothing is at {path}"),
        })
    }
}
