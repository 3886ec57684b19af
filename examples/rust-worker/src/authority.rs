//! How an isolate asks edgeflake's Durable Objects.

use edgeflake::lease::{Action, CallFailed, Reply, Request, ShardRouter};
use edgeflake_wire::{parse, read_reply, write_request};
use worker::{Env, Method, Request as HttpRequest, RequestInit, Result, console_error};

/// The sequencer of edgeflake's variables; others are created by `PUT /v1/sequencers/{name}`.
const SEQUENCER: &str = "default";

/// Where this isolate is on the circle of shards, in 2^-16 of it: with several of them, draw it.
const PLACE: u16 = 0;

/// Asks a shard, or for a span or a batch the nearest one that has it.
pub(crate) async fn ask(
    env: &Env,
    shard: Option<u64>,
    request: Request,
    tries: u64,
) -> Result<Reply, CallFailed> {
    if let Some(shard) = shard {
        return send(env, shard, &request).await;
    }
    let mut router = ShardRouter::new(request, PLACE, 1, tries);
    loop {
        match router.action() {
            Action::Done(reply) => return reply,
            Action::Send { shard, request } => router.receive(send(env, shard, &request).await),
        }
    }
}

async fn send(env: &Env, shard: u64, request: &Request) -> Result<Reply, CallFailed> {
    let text = fetch(env, shard, write_request(request)).await.map_err(|error| {
        console_error!("shard {shard} did not answer: {error}");
        CallFailed
    })?;
    parse(&text).and_then(|message| read_reply(&message)).map_err(|error| {
        console_error!("shard {shard}: {error}");
        CallFailed
    })
}

/// A stub is not used again after an error, so each call has its own.
async fn fetch(env: &Env, shard: u64, message: String) -> Result<String> {
    let stub = env.durable_object("AUTHORITY")?.get_by_name(&format!("{SEQUENCER}/{shard}"))?;
    let mut init = RequestInit::new();
    init.with_method(Method::Post).with_body(Some(message.into()));
    let url = format!("https://authority/v1/{SEQUENCER}/{shard}/");
    let mut response = stub.fetch_with_request(HttpRequest::new_with_init(&url, &init)?).await?;
    response.text().await
}
