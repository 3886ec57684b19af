//! How a sequencer is created and destroyed.

use edgeflake::lease::{Action, BoundConfig, CallFailed, Life, Refusal, Reply, Request, Sequencer};
use edgeflake::preset::{self, Options};
use edgeflake_wire::{Object, Value};
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};

use crate::admin::described::Described;
use crate::admin::registry::described;
use crate::found::{Found, shown};
use crate::names::{Allowed, is_alike, unknown};
use crate::objects::address::REGISTRY;
use crate::problem::Problem;
use crate::settings::Configured;
use crate::settings::variables::{all_nodes, setting};
use crate::value::{self, INSTANTS};

/// The configuration that a sequencer shall be bound to. What is missing is taken from the
/// variables; if there is a layout, it is all of the layout's nodes in one shard.
#[derive(Default)]
pub struct Wanted {
    /// The key that says the layout, and its text.
    layout: Option<(&'static str, String)>,
    options: Options,
    first_node: Option<u64>,
    node_count: Option<u64>,
    shards: Option<u64>,
}

impl Wanted {
    /// The names of what a caller may want.
    pub const NAMES: [&str; 9] = [
        "layout",
        "preset",
        "nodes",
        "epoch",
        "bits_sequence",
        "bits_node_id",
        "first_node",
        "node_count",
        "shards",
    ];

    /// Reads an object, which an error calls `what`.
    ///
    /// # Errors
    /// A problem that names a key that is not known, or says what cannot be read.
    pub fn read(what: &str, given: &JsValue) -> Result<Self, Problem> {
        if !given.is_object() || Array::is_array(given) {
            let (found, allowed) = (shown(given), Self::NAMES.join(", "));
            let allowed = format_args!("an object of {allowed} is allowed");
            return Err(Problem::body(format!("{what} is {found}: {allowed}")));
        }
        let keys = js_sys::Object::keys(given.unchecked_ref::<js_sys::Object>());
        let unknown = keys.iter().filter_map(|key| key.as_string()).find_map(|key| refusal(&key));
        if let Some(refusal) = unknown {
            return Err(Problem::body(format!("of {what}, {refusal}")));
        }
        Self::values(&Object(given)).map_err(|error| Problem::body(format!("of {what}, {error}")))
    }

    fn values(given: &Object<'_, JsValue>) -> Result<Self, String> {
        let text = |name| given.text_or_none(name).map_err(|error| error.to_string());
        let number = |name| given.number_or_none(name).map_err(|error| error.to_string());
        let bits = |name| {
            let number = number(name)?;
            let shown = || shown(&given.0.get(name).unwrap_or_default());
            let bits = number.map(|number| value::bits(Some(number))).transpose();
            bits.map_err(|allowed| format!("{name} is {}: {allowed}", shown()))
        };
        let layout = match (text("layout")?, text("preset")?) {
            (Some(_), Some(_)) => {
                return Err("layout and preset are there: one is allowed".to_owned());
            }
            (Some(text), None) => Some(("layout", text)),
            (None, preset) => preset.map(|name| ("preset", name)),
        };
        let options = Options {
            epoch_ms: given.0.get("epoch").map(|epoch| instant("epoch", &epoch)).transpose()?,
            nodes: number("nodes")?,
            bits_sequence: bits("bits_sequence")?,
            bits_node_id: bits("bits_node_id")?,
        };
        if layout.is_none() && options != Options::default() {
            return Err("nodes, epoch and bits are of a preset: preset is not there".to_owned());
        }
        Ok(Self {
            layout,
            options,
            first_node: number("first_node")?,
            node_count: number("node_count")?,
            shards: number("shards")?,
        })
    }

    /// The configuration that this makes.
    ///
    /// # Errors
    /// A problem for one that cannot be.
    pub fn bound_config(self, configured: &Configured) -> Result<BoundConfig, Problem> {
        let variables = &configured.config;
        let Self { layout, options, first_node, node_count, shards } = self;
        let (layout, default) = match layout {
            None => (*variables.layout(), Some(variables)),
            Some(("preset", name)) if preset::named(&name).is_none() => {
                let allowed =
                    Allowed(&preset::ALL.each_ref().map(|preset| preset.name)).to_string();
                let found = Found(&name);
                return Err(Problem::body(format!("preset is {found}: {allowed} allowed")));
            }
            Some((name, text)) => {
                (value::layout_with(name, &text, &options).map_err(Problem::body)?, None)
            }
        };
        let shards = shards.unwrap_or_else(|| default.map_or(1, BoundConfig::shards));
        let first_node = first_node.unwrap_or_else(|| default.map_or(0, BoundConfig::first_node));
        let all = all_nodes(&layout, first_node, shards);
        let node_count = node_count.unwrap_or_else(|| default.map_or(all, BoundConfig::node_count));
        let config = BoundConfig::new(layout, first_node, node_count, shards)
            .map_err(|error| Problem::body(error.to_string()))?;
        // The settings fit the variables' layout, so if they do not fit this one, it is the body's.
        let checked = configured.settings.check(config.layout());
        checked.map_err(|error| Problem::body(error.to_string()))?;
        Ok(config)
    }
}

/// An instant as a number of Unix ms, or as a text.
fn instant(name: &str, value: &JsValue) -> Result<u64, String> {
    let read = match (value.number(), value.as_string()) {
        (Some(ms), _) => value::instant(&ms.to_string()),
        (None, Some(text)) => value::instant(&text),
        (None, None) => return Err(format!("{name} is {}: {INSTANTS} allowed", shown(value))),
    };
    read.map_err(|error| format!("{name} is {}: {error}; {INSTANTS} allowed", shown(value)))
}

/// Why a key is refused; nothing for one that is known.
fn refusal(key: &str) -> Option<String> {
    if Wanted::NAMES.contains(&key) {
        return None;
    }
    let refusal = unknown("key", key, &Wanted::NAMES);
    Some(match setting(key) {
        Some(variable) => format!("{refusal}; {variable} is a variable, for all sequencers"),
        None if is_alike(key, "maxLogicalNodeCount") => {
            format!("{refusal}; of snowcast it is nodes")
        }
        None if is_alike(key, "sequencerName") || key == "name" => {
            format!(
                "{refusal}; a sequencer's name is no key, it stands before the configuration: \
                     PUT /v1/sequencers/orders, admin.create(\"orders\")"
            )
        }
        None => refusal,
    })
}

/// Creates a sequencer: asks the registry whether it is there, then tells it to create it. It sends
/// nothing itself, as [`edgeflake::lease::Destruction`] does not: its caller sends what
/// [`Creation::action`] says.
#[derive(Debug)]
pub struct Creation {
    config: BoundConfig,
    /// Whether the sequencer was there before.
    existed: bool,
    next: Action,
}

impl Creation {
    /// To be started.
    #[must_use]
    pub const fn new(config: BoundConfig) -> Self {
        let next = Action::Send { shard: REGISTRY, request: Request::Describe };
        Self { config, existed: false, next }
    }

    /// What to do next. The answer is the registry's.
    #[must_use]
    pub const fn action(&self) -> Action {
        self.next
    }

    /// Takes the reply to what was sent last.
    ///
    /// # Errors
    /// A problem if the registry refuses, such as a layout that cannot issue now, or does not answer.
    pub fn receive(&mut self, reply: Result<Reply, CallFailed>) -> Result<(), Problem> {
        let is_outside =
            matches!(reply, Ok(Reply::Refused { refusal: Refusal::OutsideLayout { .. }, .. }));
        if !matches!(self.next, Action::Send { request: Request::Describe, .. }) {
            // Here it is the caller's own layout.
            described(&reply).map_err(|problem| {
                let status = if is_outside { 422 } else { problem.status };
                Problem { status, ..problem }
            })?;
            self.next = Action::Done(reply);
            return Ok(());
        }
        // The layout of the variables cannot be bound, but this one perhaps can.
        let found = if is_outside { None } else { described(&reply)? };
        self.existed = found.as_ref().is_some_and(Sequencer::is_active);
        self.next = Action::Send { shard: REGISTRY, request: Request::Create(self.config) };
        Ok(())
    }

    /// The sequencer that is there at the end, since now or before.
    ///
    /// # Errors
    /// A problem if it is being destroyed.
    pub fn created(&self, name: &str) -> Result<Created, Problem> {
        let Action::Done(reply) = self.next else { return Err(Problem::unreachable()) };
        let sequencer = described(&reply)?.ok_or_else(Problem::unreachable)?;
        if !sequencer.is_active() {
            return Err(Problem::being_destroyed(name));
        }
        let shards = sequencer.config.shards();
        let json = match sequencer.config.difference(&self.config) {
            Some(difference) => Err(Problem::already_registered(name, &difference)),
            None => Ok(Described::new(name, &sequencer).json()),
        };
        Ok(Created { existed: self.existed, shards, json })
    }
}

/// A sequencer that is there, since now or before.
#[derive(Debug)]
pub struct Created {
    /// Whether it was there before.
    pub existed: bool,
    /// Number of its shards.
    pub shards: u64,
    /// The sequencer as JSON, or the problem that it is bound to another configuration.
    pub json: Result<String, Problem>,
}

/// The sequencer that a destruction comes to, as JSON.
///
/// # Errors
/// A problem if not all shards have confirmed.
pub fn destroyed(name: &str, reply: &Result<Reply, CallFailed>) -> Result<String, Problem> {
    match described(reply)? {
        Some(destroyed) if matches!(destroyed.life, Life::Destroyed { .. }) => {
            Ok(Described::new(name, &destroyed).json())
        }
        _ => Err(Problem::unreachable()),
    }
}
