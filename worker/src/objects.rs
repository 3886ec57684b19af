//! How an isolate asks Durable Objects.

use edgeflake::{CallFailed, Courier, Destruction, Errand, Refusal, Reply, Request};
use edgeflake_wire::{parse, read_reply, write_request};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use worker::js_sys::{Error, Promise, Reflect};
use worker::wasm_bindgen_futures::JsFuture;
use worker::{Env, console_error};

use crate::address::Address;
use crate::region;

/// The binding of the authorities' namespace.
const BINDING: &str = "AUTHORITY";

/// When to ask an object again that the platform finds overloaded, in ms: no sooner than where the
/// authority finds that itself.
const OVERLOADED_MS: u64 = 2_000;

#[wasm_bindgen(module = "/src/objects.js")]
extern "C" {
    #[wasm_bindgen(js_name = ask)]
    fn ask_js(
        env: &JsValue,
        binding: &str,
        name: &str,
        location_hint: Option<&str>,
        method: &str,
        url: &str,
        body: Option<&str>,
    ) -> Promise;

    fn limit(limiter: &JsValue, key: &str) -> Promise;
}

/// Whether a client may ask once more, as a rate-limit binding says.
pub(crate) async fn is_within_limit(limiter: &JsValue, client: &str) -> Result<bool, CallFailed> {
    let success = settled(limit(limiter, client), "the rate limit").await?;
    Ok(success.as_bool() == Some(true))
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unanswered {
    /// More waits for the object than the platform lets wait.
    Overloaded,
    Failed,
}

impl From<Unanswered> for CallFailed {
    fn from(_: Unanswered) -> Self {
        Self
    }
}

/// What a promise is resolved with. One that is rejected is logged.
async fn settled(promise: Promise, what: &str) -> Result<JsValue, Unanswered> {
    JsFuture::from(promise).await.map_err(|error| {
        let message = error.dyn_ref::<Error>().map(Error::message);
        let message = message.and_then(|message| message.as_string());
        console_error!("{what} did not answer: {}", message.unwrap_or_default());
        match Reflect::get(&error, &"overloaded".into()) {
            Ok(overloaded) if overloaded.is_truthy() => Unanswered::Overloaded,
            _ => Unanswered::Failed,
        }
    })
}

/// An object of a namespace.
pub(crate) struct Object<'a> {
    pub(crate) env: &'a Env,
    pub(crate) binding: &'a str,
    pub(crate) name: &'a str,
    pub(crate) location_hint: Option<&'a str>,
}

impl Object<'_> {
    /// What it answers; `None` for a 404. An object that does not answer is logged.
    pub(crate) async fn ask(
        &self,
        method: &str,
        url: &str,
        body: Option<&str>,
    ) -> Result<Option<String>, Unanswered> {
        let Self { env, binding, name, location_hint } = *self;
        let promise = ask_js(env.as_ref(), binding, name, location_hint, method, url, body);
        Ok(settled(promise, url).await?.as_string())
    }
}

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
    /// Asks for a span or a batch at the nearest shard, or where it was sent before at the next, and
    /// for all else at the shard that it is about.
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
        let mut courier = Courier::new(request, self.place, self.shards, tries);
        loop {
            match courier.errand() {
                Errand::Done(reply) => return reply,
                Errand::Send { shard, request } => {
                    courier.receive(self.send(env, shard, &request).await);
                }
            }
        }
    }

    /// Ends the sequencer in all its shards.
    pub(crate) async fn destroy(&self, env: &Env) -> Result<Reply, CallFailed> {
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

    /// Asks a shard.
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
            // Not the answer, in which the token of a lease may be.
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
            binding: BINDING,
            name: &address.object(),
            location_hint: region::location_hint(shard, self.shards),
        };
        object.ask(method, &address.url(what), body).await?.ok_or(Unanswered::Failed)
    }
}
