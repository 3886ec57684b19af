//! How an isolate asks the authorities of a sequencer.

use edgeflake::lease::{Action, CallFailed, Refusal, Reply, Request, ShardRouter};
use edgeflake_wire::{location_hint, parse, read_reply, write_request};
use worker::{Env, console_error};

use crate::objects::call::{Namespace, Object};
use crate::promise::Unanswered;
use edgeflake_authority::objects::address::Address;

/// The authorities' namespace.
const NAMESPACE: Namespace = Namespace { binding: "AUTHORITY", class: "Authority" };

/// When to ask an object again that the platform finds overloaded, in ms. It is no sooner than what
/// an authority says that finds itself overloaded.
const OVERLOADED_MS: u64 = 2_000;

/// What the platform's client is to an object, this is to a sequencer: it asks the objects of its
/// shards.
#[derive(Clone, Debug)]
pub(crate) struct ShardClient {
    /// The name of the sequencer.
    pub(crate) name: String,
    /// Number of its shards, as far as this isolate knows.
    pub(crate) shards: u64,
    /// The place of this isolate, see [`edgeflake_wire::place`].
    pub(crate) place: u16,
}

impl ShardClient {
    /// Asks this shard; without one, the shard router chooses who is asked for a span or a batch,
    /// by how many `tries` there were before.
    pub(crate) async fn ask(
        &self,
        env: &Env,
        shard: Option<u64>,
        request: Request,
        tries: u64,
    ) -> Result<Reply, CallFailed> {
        if let Some(shard) = shard {
            return self.send(env, shard, &request).await;
        }
        let mut router = ShardRouter::new(request, self.place, self.shards, tries);
        loop {
            match router.action() {
                Action::Done(reply) => return reply,
                Action::Send { shard, request } => {
                    router.receive(self.send(env, shard, &request).await);
                }
            }
        }
    }

    /// Sends a request to a shard.
    pub(crate) async fn send(
        &self,
        env: &Env,
        shard: u64,
        request: &Request,
    ) -> Result<Reply, CallFailed> {
        let answer = match self.fetch(env, shard, "POST", "", Some(&write_request(request))).await {
            Ok(answer) => answer,
            Err(Unanswered::Overloaded) => {
                let refusal = Refusal::Overloaded { retry_in_ms: OVERLOADED_MS };
                return Ok(Reply::Refused { refusal, incarnation: 0 });
            }
            Err(Unanswered::Failed) => return Err(CallFailed),
        };
        parse(&answer).and_then(|message| read_reply(&message)).map_err(|error| {
            // The answer is not logged because the token of a lease may be in it.
            console_error!("shard {shard} of {}: {error}", self.name);
            CallFailed
        })
    }

    /// What a shard says of itself: `status` or `nodes`.
    pub(crate) async fn look(
        &self,
        env: &Env,
        shard: u64,
        what: &str,
    ) -> Result<String, CallFailed> {
        Ok(self.fetch(env, shard, "GET", what, None).await?)
    }

    async fn fetch(
        &self,
        env: &Env,
        shard: u64,
        method: &str,
        what: &str,
        body: Option<&str>,
    ) -> Result<String, Unanswered> {
        let address = Address { sequencer: &self.name, shard };
        let object = Object {
            env,
            of: &NAMESPACE,
            name: &address.object(),
            location_hint: location_hint(shard, self.shards),
        };
        object.ask(method, &address.url(what), body).await?.ok_or(Unanswered::Failed)
    }
}
