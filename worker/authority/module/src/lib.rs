//! The authority as WebAssembly, for a Worker that has its own routes. It has the objects, and the
//! decisions of `admin` of `edgeflake/authority`. JavaScript sends the messages that `admin`
//! decides, because futures would add a tenth to the module.
#![cfg(target_arch = "wasm32")]
#![warn(clippy::expect_used, clippy::panic, clippy::string_slice, clippy::unwrap_used)]

use std::panic;

use edgeflake::lease::{Action, CallFailed, Destruction, Reply, Request, Sequencer, Shrinking};
use edgeflake_authority::admin::change::Change;
use edgeflake_authority::admin::lifecycle::{Creation, destroyed};
use edgeflake_authority::admin::registry::described;
use edgeflake_authority::admin::status;
use edgeflake_authority::admin::usage::{Answer, used};
use edgeflake_authority::admin::wanted::Wanted;
use edgeflake_authority::console;
use edgeflake_authority::objects::address::{
    Address, DEFAULT_SEQUENCER, REGISTRY, sequencer_name_of,
};
use edgeflake_authority::problem::Problem;
use edgeflake_authority::settings::Configured;
pub use edgeflake_authority::{Directory, Shard};
use edgeflake_wire::{location_hint, parse, read_described, write_request};
use js_sys::JSON;
use wasm_bindgen::JsValue;
use wasm_bindgen::handler::{schedule_reinit, set_on_abort};
use wasm_bindgen::prelude::wasm_bindgen;

/// Starts an instance of the module. A panic is logged and ends the instance; the next call starts
/// another one.
#[wasm_bindgen(start)]
fn begin() {
    panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        console::error("panic", &format!("a panic at {place}"));
    }));
    set_on_abort(schedule_reinit);
}

/// A call of `admin`: which message to send next, and what follows from the replies.
#[wasm_bindgen]
pub struct Call {
    name: String,
    /// Number of the sequencer's shards; `None` until the directory has said it.
    shards: Option<u64>,
    configured: Configured,
    does: Does,
}

enum Does {
    Create(Creation),
    Destroy(Destruction),
    Shrink(Change, Shrinking),
    Show { sequencer: Option<Sequencer>, answers: Vec<Answer> },
}

#[wasm_bindgen]
impl Call {
    /// Creates a sequencer as `PUT /v1/sequencers/{name}` does.
    ///
    /// # Errors
    /// A problem of the variables, the name or the options.
    pub fn create(env: &JsValue, name: &JsValue, options: &JsValue) -> Result<Self, JsValue> {
        Self::new(env, name, |configured, name| {
            let wanted = if options.is_undefined() {
                Wanted::default()
            } else {
                Wanted::read("options", options)?
            };
            let config = wanted.bound_config(configured, name)?;
            Ok((Some(config.shards()), Does::Create(Creation::new(config))))
        })
    }

    /// Destroys a sequencer as `DELETE /v1/sequencers/{name}` does.
    ///
    /// # Errors
    /// A problem of the variables or the name.
    pub fn destroy(env: &JsValue, name: &JsValue) -> Result<Self, JsValue> {
        Self::new(env, name, |_, _| Ok((None, Does::Destroy(Destruction::new()))))
    }

    /// Gives up nodes of a sequencer as `PATCH /v1/sequencers/{name}` does.
    ///
    /// # Errors
    /// A problem of the variables, the name or the options.
    pub fn shrink(env: &JsValue, name: &JsValue, options: &JsValue) -> Result<Self, JsValue> {
        Self::new(env, name, |_, _| {
            let change = Change::read("options", options)?;
            Ok((None, Does::Shrink(change, Shrinking::new(change.node_count))))
        })
    }

    /// Shows a sequencer as `GET /v1/sequencers/{name}` does.
    ///
    /// # Errors
    /// A problem of the variables or the name.
    pub fn status(env: &JsValue, name: &JsValue) -> Result<Self, JsValue> {
        let show = Does::Show { sequencer: None, answers: Vec::new() };
        Self::new(env, name, |_, _| Ok((None, show)))
    }

    /// The name of the sequencer.
    #[must_use]
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// The number of shards; `undefined` if the directory has to be asked first.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "there are 64 at most")]
    pub fn shards(&self) -> Option<f64> {
        self.shards.map(|shards| shards as f64)
    }

    /// Takes the number of shards that the directory knows; `None` if it does not know the name.
    ///
    /// # Errors
    /// A problem if no sequencer has this name.
    pub fn found(&mut self, shards: Option<String>) -> Result<(), JsValue> {
        self.shards = shards.and_then(|shards| shards.parse().ok());
        match self.shards {
            Some(_) => Ok(()),
            None => Err(Problem::unknown_sequencer(&self.name).into_js()),
        }
    }

    /// The shard that the next message goes to.
    #[must_use]
    pub fn shard(&self) -> u32 {
        self.next().map_or(0, |(shard, _)| shard)
    }

    /// The next message; `undefined` at the end.
    #[must_use]
    pub fn message(&self) -> Option<String> {
        self.next().map(|(_, request)| write_request(&request))
    }

    /// The name of the object of a shard.
    #[must_use]
    pub fn object(&self, shard: u32) -> String {
        self.address(shard).object()
    }

    /// The location hint for the object of a shard.
    #[must_use]
    pub fn hint(&self, shard: u32) -> Option<String> {
        location_hint(shard.into(), self.shards.unwrap_or(1)).map(str::to_owned)
    }

    /// The URL of a request to a shard.
    #[must_use]
    pub fn url(&self, shard: u32, what: &str) -> String {
        self.address(shard).url(what)
    }

    /// Takes the reply; `None` if there was no reply.
    ///
    /// # Errors
    /// A problem that ends the call.
    pub fn receive(&mut self, text: Option<String>) -> Result<(), JsValue> {
        let reply = text.and_then(|text| read_described(&parse(&text).ok()?).ok());
        let reply = reply.ok_or(CallFailed);
        self.take(reply).map_err(Problem::into_js)
    }

    /// Takes the status of the next shard; `None` if the shard does not answer.
    pub fn answer(&mut self, text: Option<String>) {
        if let Does::Show { answers, .. } = &mut self.does {
            answers.push(text.map_or(Answer::None, Answer::Status));
        }
    }

    /// The result of the call.
    ///
    /// # Errors
    /// A problem of the replies.
    pub fn end(self) -> Result<JsValue, JsValue> {
        JSON::parse(&self.json().map_err(Problem::into_js)?)
    }
}

impl Call {
    fn new(
        env: &JsValue,
        name: &JsValue,
        does: impl FnOnce(&Configured, &str) -> Result<(Option<u64>, Does), Problem>,
    ) -> Result<Self, JsValue> {
        let call = || {
            let name = sequencer_name_of(name)?;
            let configured = Configured::of(env)?;
            let (shards, does) = does(&configured, &name)?;
            let of_variables = || (name == DEFAULT_SEQUENCER).then(|| configured.config.shards());
            Ok(Self { shards: shards.or_else(of_variables), name, configured, does })
        };
        call().map_err(Problem::into_js)
    }

    fn address(&self, shard: u32) -> Address<'_> {
        Address { sequencer: &self.name, shard: shard.into() }
    }

    fn next(&self) -> Option<(u32, Request)> {
        let action = match &self.does {
            Does::Create(creation) => creation.action(),
            Does::Destroy(destruction) => destruction.action(),
            Does::Shrink(_, shrinking) => shrinking.action(),
            Does::Show { sequencer: None, .. } => {
                Action::Send { shard: REGISTRY, request: Request::Describe }
            }
            Does::Show { sequencer: Some(_), .. } => return None,
        };
        match action {
            Action::Send { shard, request } => Some((u32::try_from(shard).ok()?, request)),
            Action::Done(_) => None,
        }
    }

    fn take(&mut self, reply: Result<Reply, CallFailed>) -> Result<(), Problem> {
        match &mut self.does {
            Does::Create(creation) => {
                creation.receive(reply)?;
                if let Action::Done(_) = creation.action() {
                    self.shards = Some(creation.created(&self.name)?.shards);
                }
            }
            Does::Destroy(destruction) => destruction.receive(reply),
            Does::Shrink(_, shrinking) => shrinking.receive(reply),
            Does::Show { sequencer, .. } => {
                let found = described(&reply)?;
                let found = found.ok_or_else(|| Problem::unknown_sequencer(&self.name))?;
                // Cloudflare places an object at its first call, and the placement hint depends on
                // the number of shards, so the number must be right.
                self.shards = Some(found.config.shards());
                *sequencer = Some(found);
            }
        }
        Ok(())
    }

    fn json(self) -> Result<String, Problem> {
        let name = &self.name;
        match self.does {
            Does::Create(creation) => creation.created(name)?.json,
            Does::Destroy(destruction) => match destruction.action() {
                Action::Done(reply) => destroyed(name, &reply),
                Action::Send { .. } => Err(Problem::unreachable()),
            },
            Does::Shrink(change, shrinking) => match shrinking.action() {
                Action::Done(reply) => change.made(name, &reply),
                Action::Send { .. } => Err(Problem::unreachable()),
            },
            Does::Show { sequencer: None, .. } => Err(Problem::unreachable()),
            Does::Show { sequencer: Some(sequencer), answers } => {
                let usage = used(&sequencer, &answers)?;
                Ok(status::written(name, &sequencer, &usage, &self.configured))
            }
        }
    }
}
