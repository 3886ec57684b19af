//! How a sequencer is created and destroyed.

use edgeflake::Error;
use edgeflake::lease::{BoundConfig, Life, Request, Sequencer};
use edgeflake_wire::{Object, Unreadable};
use wasm_bindgen::JsValue;
use worker::web_sys;

use crate::admission::Admitted;
use crate::clock::now_ms;
use crate::http::answer;
use crate::http::problem::Problem;
use crate::objects::address::REGISTRY;
use crate::objects::directory_object as directory;
use crate::routes::registry::described;
use crate::routes::status::Described;
use crate::settings::variables::all_nodes;
use crate::{isolate, value};

/// The configuration that a sequencer shall be bound to. What is missing is taken from the
/// variables; if there is a layout, it is all of the layout's nodes in one shard.
#[derive(Default)]
struct Wanted {
    layout: Option<String>,
    first_node: Option<u64>,
    node_count: Option<u64>,
    shards: Option<u64>,
}

impl Wanted {
    fn read(body: &JsValue) -> Result<Self, Unreadable> {
        let body = Object(body);
        Ok(Self {
            layout: body.text_or_none("layout")?,
            first_node: body.number_or_none("first_node")?,
            node_count: body.number_or_none("node_count")?,
            shards: body.number_or_none("shards")?,
        })
    }

    fn bound_config(self, variables: &BoundConfig) -> Result<BoundConfig, Problem> {
        let Self { layout, first_node, node_count, shards } = self;
        let (layout, default) = match layout {
            None => (*variables.layout(), Some(variables)),
            Some(text) => (value::layout("layout", &text).map_err(Problem::body)?, None),
        };
        let shards = shards.unwrap_or_else(|| default.map_or(1, BoundConfig::shards));
        let first_node = first_node.unwrap_or_else(|| default.map_or(0, BoundConfig::first_node));
        let all = all_nodes(&layout, first_node, shards);
        let node_count = node_count.unwrap_or_else(|| default.map_or(all, BoundConfig::node_count));
        BoundConfig::new(layout, first_node, node_count, shards)
            .map_err(|error| Problem::body(error.to_string()))
    }
}

/// Binds a name to a configuration. To do so again with the same configuration changes nothing.
///
/// # Errors
/// A problem for another configuration than the bound one, and for one that cannot be.
pub(crate) async fn create(
    request: &Admitted<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    let configured = request.settings.configured()?;
    let wanted = match request.body().await? {
        None => Wanted::default(),
        Some(body) => Wanted::read(&body).map_err(Problem::unreadable)?,
    };
    let config = wanted.bound_config(&configured.config)?;
    // The settings fit the variables' layout, so if they do not fit this one, it is the body's.
    configured.settings.check(config.layout()).map_err(|error| Problem::body(error.to_string()))?;

    let client = isolate::client_with(name, config.shards());
    let before = described(&client.send(request.env, REGISTRY, &Request::Describe).await)?;
    let existed = before.as_ref().is_some_and(Sequencer::is_active);
    // Before its epoch a layout can be bound: its time is yet to come.
    if !existed && let Err(error @ Error::LayoutEnded { .. }) = config.layout().tick(now_ms()) {
        return Err(Problem::body(error.to_string()));
    }
    let created = described(&client.send(request.env, REGISTRY, &Request::Create(config)).await)?
        .ok_or_else(Problem::unreachable)?;
    if !created.is_active() {
        return Err(Problem::being_destroyed(name));
    }
    let shards = created.config.shards();
    directory::note(request.env, name, shards).await.map_err(|_| Problem::unreachable())?;
    isolate::note_created(name, shards);
    if let Some(difference) = created.config.difference(&config) {
        return Err(Problem::already_registered(name, &difference));
    }
    let status = if existed { 200 } else { 201 };
    Ok(answer::json_with_status(status, &Described::new(name, &created).json()))
}

/// Ends a sequencer in all its shards. If that was broken off, it goes on from there.
///
/// # Errors
/// A problem if there is none of this name, or not all shards have confirmed.
pub(crate) async fn destroy(
    request: &Admitted<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    let client = request.client(name).await?;
    let destroyed = described(&client.destroy(request.env).await)?;
    match destroyed {
        Some(destroyed) if matches!(destroyed.life, Life::Destroyed { .. }) => {
            Ok(answer::json(&Described::new(name, &destroyed).json()))
        }
        _ => Err(Problem::unreachable()),
    }
}
