//! How an isolate asks the objects of a sequencer.

use edgeflake::{CallFailed, Courier, Destruction, Errand, Reply, Request};
use worker::{Env, Error, Method, RequestInit, Response, Result, console_error};

use crate::address::Address;
use crate::region;
use crate::wire;

/// The binding of the Durable Object namespace.
const BINDING: &str = "AUTHORITY";

/// A sequencer, and where it is asked from.
#[derive(Clone, Debug)]
pub(crate) struct Sequencer {
    pub(crate) name: String,
    /// How many shards it has, as far as is known.
    pub(crate) shards: u64,
    /// Of this isolate, see `region.rs`.
    pub(crate) place: u16,
}

impl Sequencer {
    /// Asks for a span or a batch at the nearest shard, all else at the shard that it is about.
    pub(crate) async fn ask(
        &self,
        env: &Env,
        shard: Option<u64>,
        request: Request,
    ) -> std::result::Result<Reply, CallFailed> {
        match shard {
            Some(shard) => self.send(env, shard, &request).await,
            None => {
                let mut courier = Courier::new(request, self.place, self.shards);
                loop {
                    match courier.errand() {
                        Errand::Done(reply) => return reply,
                        Errand::Send { shard, request } => {
                            courier.receive(self.send(env, shard, &request).await);
                        }
                    }
                }
            }
        }
    }

    /// Ends the sequencer in all its shards.
    pub(crate) async fn destroy(&self, env: &Env) -> std::result::Result<Reply, CallFailed> {
        let mut destruction = Destruction::new();
        loop {
            match destruction.errand() {
                Errand::Done(reply) => return reply,
                Errand::Send { shard, request } => {
                    destruction.receive(self.send(env, shard, &request).await);
                }
            }
        }
    }

    async fn send(
        &self,
        env: &Env,
        shard: u64,
        request: &Request,
    ) -> std::result::Result<Reply, CallFailed> {
        let reply = async {
            let text = |error: wire::Unreadable| Error::from(error.to_string());
            let body = wire::write_request(request).map_err(text)?;
            let answer = self.fetch(env, shard, Method::Post, "", Some(body)).await?;
            wire::read_reply(&answer).map_err(text)
        };
        reply.await.map_err(|error: Error| {
            console_error!("shard {shard} of {} did not answer: {error}", self.name);
            CallFailed
        })
    }

    /// What a shard says of itself: `status` or `nodes`.
    pub(crate) async fn look(&self, env: &Env, shard: u64, what: &str) -> Result<String> {
        self.fetch(env, shard, Method::Get, what, None).await
    }

    async fn fetch(
        &self,
        env: &Env,
        shard: u64,
        method: Method,
        what: &str,
        body: Option<String>,
    ) -> Result<String> {
        let address = Address { sequencer: &self.name, shard };
        let namespace = env.durable_object(BINDING)?;
        // A stub is not used again after an exception, so each call has its own.
        let stub = match region::location_hint(shard, self.shards) {
            None => namespace.get_by_name(&address.object())?,
            Some(hint) => namespace.get_by_name_with_location_hint(&address.object(), hint)?,
        };
        let mut init = RequestInit::new();
        init.with_method(method).with_body(body.map(Into::into));
        let request = worker::Request::new_with_init(&address.url(what), &init)?;
        let mut response: Response = stub.fetch_with_request(request).await?;
        let answer = response.text().await?;
        match response.status_code() {
            200 => Ok(answer),
            status => Err(Error::from(format!("status {status}: {answer}"))),
        }
    }
}
