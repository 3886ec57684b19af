//! Sends requests to a sequencer's shards and to the directory, and reads the status of a shard.

use edgeflake::lease::{Action, CallFailure, Reply, Request, Sequencer, ShardRouter, Status};
use edgeflake_wire::{Address, Unreadable, Value, location_hint, parse, read, write};
use serde::{Serialize, Serializer};
use wasm_bindgen::{JsCast, JsValue};

use crate::log::{self, Event};
use crate::objects::call::{Namespace, NoAnswer, Object};
use crate::platform::{ANSWER_MAX_MS, in_time};
use crate::problem::{Problem, described};

/// Sends requests to the objects of a sequencer's shards.
#[derive(Clone, Debug)]
pub struct ShardClient {
    /// The name of the sequencer.
    pub name: String,
    /// The number of shards of the sequencer, as far as this isolate knows.
    pub shards: u64,
    /// The place of this isolate on the circle of shards, see [`edgeflake_wire::place`].
    pub place: u16,
}

impl ShardClient {
    /// Creates a client for a sequencer with this number of shards, in an isolate whose place is
    /// not known.
    #[must_use]
    pub fn new(name: &str, shards: u64) -> Self {
        Self { name: name.to_owned(), shards, place: 0 }
    }

    /// Sends a request to the shard with this number. For a request for a span or a batch, `shard`
    /// is `None`, and the shard router chooses the shards. This choice depends on `tries`, the
    /// number of earlier tries.
    ///
    /// # Errors
    /// A failure if no shard that was asked has answered.
    pub async fn ask(
        &self,
        env: &JsValue,
        shard: Option<u64>,
        request: Request,
        tries: u64,
    ) -> Result<Reply, CallFailure> {
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
    /// A failure if the shard does not answer.
    pub async fn send(
        &self,
        env: &JsValue,
        shard: u64,
        request: &Request,
    ) -> Result<Reply, CallFailure> {
        let body = write(request);
        let answer = match self.fetch(env, shard, "POST", "", Some(&body)).await {
            Ok(answer) => answer,
            Err(why) => {
                let refused = |refusal| Reply::refused(refusal, None);
                return why.refusal().map(refused).ok_or(CallFailure);
            }
        };
        parse(&answer).and_then(|message| read(&message)).map_err(|error| {
            // The log does not show the answer, because the answer may contain the token of a
            // lease.
            let message = format!("shard {shard} of {} answered wrongly: {error}", self.name);
            log::write(Event::CallFailed, &message);
            CallFailure
        })
    }

    /// Asks the registry to describe the sequencer.
    ///
    /// # Errors
    /// A problem if the registry knows no such sequencer, refuses, or does not answer.
    pub async fn registered(&self, env: &JsValue) -> Result<Sequencer, Problem> {
        let reply = self.send(env, Sequencer::REGISTRY, &Request::Describe).await;
        described(&reply)?.ok_or_else(|| Problem::unknown_sequencer(&self.name))
    }

    /// Asks a shard for `what`, and returns the answer. `what` is `status`, `nodes` or `proof`. A
    /// `proof` is the status, after the shard has proved that it can write.
    ///
    /// # Errors
    /// The reason why the shard does not answer.
    pub async fn look(&self, env: &JsValue, shard: u64, what: &str) -> Result<String, NoAnswer> {
        self.fetch(env, shard, "GET", what, None).await
    }

    async fn fetch(
        &self,
        env: &JsValue,
        shard: u64,
        method: &str,
        what: &str,
        body: Option<&str>,
    ) -> Result<String, NoAnswer> {
        let address = Address { sequencer: &self.name, shard };
        let object = Object {
            namespace: Namespace::authority(env).map_err(|_| NoAnswer::Misconfigured)?,
            name: address.object(),
            location_hint: location_hint(shard, self.shards),
        };
        let answer = in_time(ANSWER_MAX_MS, object.ask(method, &address.url(what), body)).await;
        answer.ok_or(NoAnswer::Failed)??.ok_or(NoAnswer::Failed)
    }
}

/// The status of a shard.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ShardStatus {
    /// The number of nodes that the shard can grant.
    pub nodes: u64,
    /// The number of the shard's nodes that were ever used.
    pub used: u64,
    /// The number of the shard's nodes that holders have now.
    pub held: u64,
    /// The number of ids that were issued, as far as holders have reported.
    pub issued: u64,
    /// The newest incarnation that the shard knows; 0 if the shard knows no incarnation.
    pub incarnation: u64,
    /// Whether the shard grants leases; false after the sequencer was destroyed.
    pub active: bool,
    /// Whether the shard has proved that it can write.
    pub proved: bool,
    /// Whether the shard runs with a witness.
    pub fence: bool,
    /// The number of times that the shard's storage was rolled back; `None` without a witness.
    pub rollbacks: Option<u64>,
    /// The time of the shard's last write, in s since 1970; 0 if the shard has never written.
    pub written_s: u64,
    /// The number of requests that were refused or have failed since the shard's object started,
    /// per error code.
    #[serde(serialize_with = "as_object")]
    pub refused: Vec<(String, u64)>,
}

impl ShardStatus {
    /// Returns the counts of the shard's nodes and ids.
    #[must_use]
    pub const fn usage(&self) -> Status {
        let Self { nodes, used, held, issued, .. } = *self;
        Status { nodes, used, held, issued }
    }

    /// Reads the status from JSON. A reader that serde derives would add 19 KB to the compiled
    /// code.
    ///
    /// # Errors
    /// [`Unreadable`] if the text is not the JSON of a status.
    pub fn read(text: &str) -> Result<Self, Unreadable> {
        let status = parse(text)?;
        let refused = status.get("refused").unwrap_or_default();
        let codes = js_sys::Object::keys(refused.unchecked_ref::<js_sys::Object>());
        let codes = codes.iter().filter_map(|code| code.as_string());
        Ok(Self {
            nodes: status.field("nodes")?,
            used: status.field("used")?,
            held: status.field("held")?,
            issued: status.field("issued")?,
            incarnation: status.field("incarnation")?,
            active: status.field("active")?,
            proved: status.field("proved")?,
            fence: status.field("fence")?,
            rollbacks: status.optional("rollbacks")?,
            written_s: status.field("written_s")?,
            refused: codes
                .filter_map(|code| Some((code.clone(), refused.get(&code)?.number()?)))
                .collect(),
        })
    }
}

/// Serializes pairs as the fields of a JSON object.
fn as_object<S: Serializer>(pairs: &[(String, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// The name of the object that stores the names of all sequencers.
const DIRECTORY: &str = "directory";

/// Returns the number of shards of a sequencer; `None` if the sequencer was never created.
///
/// # Errors
/// The reason why the directory does not answer.
pub async fn shards_of(env: &JsValue, name: &str) -> Result<Option<u64>, NoAnswer> {
    let shards = ask_directory(env, name, "GET", None).await?;
    Ok(shards.and_then(|shards| shards.parse().ok()))
}

/// Returns the names of all sequencers that were created by name, each with the number of its
/// shards.
///
/// # Errors
/// The reason why the directory does not answer.
pub async fn sequencers(env: &JsValue) -> Result<Vec<(String, u64)>, NoAnswer> {
    let lines = ask_directory(env, "", "GET", None).await?.unwrap_or_default();
    let line = |line: &str| {
        let (name, shards) = line.split_once(' ')?;
        Some((name.to_owned(), shards.parse().ok()?))
    };
    lines.lines().map(line).collect::<Option<_>>().ok_or(NoAnswer::Failed)
}

/// Stores the name of a new sequencer and the number of its shards in the directory.
///
/// # Errors
/// The reason why the directory does not answer.
pub async fn note_shards(env: &JsValue, name: &str, shards: u64) -> Result<(), NoAnswer> {
    ask_directory(env, name, "PUT", Some(&shards.to_string())).await?;
    Ok(())
}

async fn ask_directory(
    env: &JsValue,
    name: &str,
    method: &str,
    body: Option<&str>,
) -> Result<Option<String>, NoAnswer> {
    let namespace = Namespace::directory(env).map_err(|_| NoAnswer::Misconfigured)?;
    let object = Object { namespace, name: DIRECTORY.to_owned(), location_hint: None };
    let url = format!("https://directory/{name}");
    let answer = in_time(ANSWER_MAX_MS, object.ask(method, &url, body)).await;
    answer.unwrap_or(Err(NoAnswer::Failed))
}
