//! Sequencers that are created and destroyed.

use edgeflake::{CallFailed, Identity, Life, Reply, Request, Sequencer};
use edgeflake_wire::{Object, Unreadable};
use wasm_bindgen::JsValue;
use worker::web_sys;

use crate::access::Role;
use crate::address::REGISTRY;
use crate::config;
use crate::incoming::Incoming;
use crate::problem::Problem;
use crate::status::Described;
use crate::{answer, directory, isolate, objects};

/// What a sequencer shall be bound to. Without a layout, what the variables say is meant; with one,
/// all of its nodes in one shard.
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

    fn identity(self, variables: &Identity) -> Result<Identity, Problem> {
        let Self { layout, first_node, node_count, shards } = self;
        let (layout, default) = match layout {
            None => (*variables.layout(), Some(variables)),
            Some(text) => (config::layout("layout", &text).map_err(Problem::body)?, None),
        };
        let shards = shards.unwrap_or_else(|| default.map_or(1, Identity::shards));
        let first_node = first_node.unwrap_or_else(|| default.map_or(0, Identity::first_node));
        let all = config::all_nodes(&layout, first_node, shards);
        let node_count = node_count.unwrap_or_else(|| default.map_or(all, Identity::node_count));
        Identity::new(layout, first_node, node_count, shards)
            .map_err(|error| Problem::body(error.to_string()))
    }
}

/// Binds a name to a configuration. The same again changes nothing.
///
/// # Errors
/// A problem for another configuration than the bound one, and for one that cannot be.
pub(crate) async fn create(
    incoming: &Incoming<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    incoming.admit(Role::Admin)?;
    let (variables, tunables) = incoming.settings.sequencer()?;
    let wanted = match incoming.body().await? {
        None => Wanted::default(),
        Some(body) => Wanted::read(&body).map_err(Problem::unreadable)?,
    };
    let identity = wanted.identity(variables)?;
    // They fit the variables' layout, so it is the body's that they do not fit.
    tunables.check(identity.layout()).map_err(|error| Problem::body(error.to_string()))?;

    let sequencer = isolate::found(name, identity.shards());
    let before = described(&sequencer.send(incoming.env, REGISTRY, &Request::Describe).await)?;
    let existed = before.as_ref().is_some_and(Sequencer::is_active);
    let created =
        described(&sequencer.send(incoming.env, REGISTRY, &Request::Create(identity)).await)?
            .ok_or_else(Problem::unreachable)?;
    if !created.is_active() {
        return Err(Problem::being_destroyed(name));
    }
    let shards = created.identity.shards();
    directory::note(incoming.env, name, shards).await.map_err(|_| Problem::unreachable())?;
    isolate::note_created(name, shards);
    if let Some(difference) = created.identity.difference(&identity) {
        return Err(Problem::already_registered(name, &difference));
    }
    let status = if existed { 200 } else { 201 };
    Ok(answer::json_with_status(status, &Described::new(name, &created).json()))
}

/// Ends a sequencer in all its shards. Again, it goes on where it was broken off.
///
/// # Errors
/// A problem if there is none of this name, or not all shards have confirmed.
pub(crate) async fn destroy(
    incoming: &Incoming<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    incoming.admit(Role::Admin)?;
    let sequencer = known(incoming, name).await?;
    let destroyed = described(&sequencer.destroy(incoming.env).await)?;
    match destroyed {
        Some(destroyed) if matches!(destroyed.life, Life::Destroyed { .. }) => {
            Ok(answer::json(&Described::new(name, &destroyed).json()))
        }
        _ => Err(Problem::unreachable()),
    }
}

/// A sequencer that was created.
///
/// # Errors
/// A problem if there is none of this name.
pub(crate) async fn known(
    incoming: &Incoming<'_>,
    name: &str,
) -> Result<objects::Sequencer, Problem> {
    isolate::locate(incoming.request);
    let Incoming { env, context, settings, .. } = *incoming;
    let known = isolate::know(env, context, name, settings).await?;
    known
        .then(|| isolate::sequencer(name))
        .flatten()
        .ok_or_else(|| Problem::unknown_sequencer(name))
}

/// What a registry says.
///
/// # Errors
/// A problem if it refuses or does not answer.
pub(crate) fn described(reply: &Result<Reply, CallFailed>) -> Result<Option<Sequencer>, Problem> {
    match reply {
        Ok(Reply::Described(sequencer)) => Ok(*sequencer),
        Ok(Reply::Refused { refusal, incarnation }) => {
            Err(Problem::refused(*refusal, *incarnation))
        }
        Ok(_) | Err(_) => Err(Problem::unreachable()),
    }
}
