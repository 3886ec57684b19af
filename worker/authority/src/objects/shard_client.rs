//! How an isolate asks the authorities of a sequencer.

use edgeflake::lease::{Action, CallFailed, Refusal, Reply, Request, ShardRouter};
use edgeflake_wire::{location_hint, parse, read_reply, write_request};
use wasm_bindgen::JsValue;

use crate::clock::{ANSWER_MAX_MS, in_time};
use crate::console;
use crate::objects::address::Address;
use crate::objects::call::{Namespace, Object, Unanswered};

/// How long to wait, in ms, before asking an object again that the platform finds overloaded. It is
/// at least as long as the wait that an overloaded authority itself names.
const OVERLOADED_MS: u64 = 2_000;

/// A client for a sequencer: it sends requests to the objects of its shards.
#[derive(Clone, Debug)]
pub struct ShardClient {
    /// The name of the sequencer.
    pub name: String,
    /// Number of its shards, as far as this isolate knows.
    pub shards: u64,
    /// The place of this isolate, see [`edgeflake_wire::place`].
    pub place: u16,
}

impl ShardClient {
    /// A client for a sequencer with this number of shards, in an isolate whose place is not known.
    #[must_use]
    pub fn new(name: &str, shards: u64) -> Self {
        Self { name: name.to_owned(), shards, place: 0 }
    }

    /// Asks this shard. If `shard` is `None`, the shard router chooses the shards that it asks for
    /// a span or a batch, depending on how many `tries` there were before.
    ///
    /// # Errors
    /// If no shard that was asked answers.
    pub async fn ask(
        &self,
        env: &JsValue,
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
    ///
    /// # Errors
    /// If the shard does not answer.
    pub async fn send(
        &self,
        env: &JsValue,
        shard: u64,
        request: &Request,
    ) -> Result<Reply, CallFailed> {
        let body = write_request(request);
        let answer = match self.fetch(env, shard, "POST", "", Some(&body)).await {
            Ok(answer) => answer,
            Err(Unanswered::Overloaded) => {
                let refusal = Refusal::Overloaded { retry_in_ms: OVERLOADED_MS };
                return Ok(Reply::Refused { refusal, incarnation: 0 });
            }
            Err(Unanswered::Unreadable) => {
                return Ok(Reply::Refused { refusal: Refusal::Unreadable, incarnation: 0 });
            }
            Err(Unanswered::Unwitnessed | Unanswered::Failed) => return Err(CallFailed),
        };
        parse(&answer).and_then(|message| read_reply(&message)).map_err(|error| {
            // The answer is not logged because the token of a lease may be in it.
            console::error("call-failed", &format!("shard {shard} of {}: {error}", self.name));
            CallFailed
        })
    }

    /// What a shard says about itself: `status`, `proof` (the status after it has proved that it
    /// can write) or `nodes`.
    ///
    /// # Errors
    /// Why the shard does not answer.
    pub async fn look(&self, env: &JsValue, shard: u64, what: &str) -> Result<String, Unanswered> {
        self.fetch(env, shard, "GET", what, None).await
    }

    async fn fetch(
        &self,
        env: &JsValue,
        shard: u64,
        method: &str,
        what: &str,
        body: Option<&str>,
    ) -> Result<String, Unanswered> {
        let address = Address { sequencer: &self.name, shard };
        let object = Object {
            namespace: Namespace::authority(env).map_err(|_| Unanswered::Failed)?,
            name: address.object(),
            location_hint: location_hint(shard, self.shards),
        };
        let answer = in_time(ANSWER_MAX_MS, object.ask(method, &address.url(what), body)).await;
        answer.ok_or(Unanswered::Failed)??.ok_or(Unanswered::Failed)
    }
}
