//! How a sequencer is created, changed and destroyed by name.
//!
//! ```no_run
//! # async fn example(env: worker::Env) -> Result<(), edgeflake_workers::Error> {
//! use edgeflake_workers::Ids;
//! use edgeflake_workers::admin::{self, Wanted};
//!
//! let wanted = Wanted { layout: Some("twitter".to_owned()), ..Wanted::default() };
//! admin::create(&env, "orders", wanted).await?;
//! let id = Ids::sequencer(&env, "orders")?.next().await?;
//! # Ok(())
//! # }
//! ```

use edgeflake::lease::{Action, BoundConfig, Destruction, Shrinking};
use edgeflake_authority::admin::audit::changed;
use edgeflake_authority::admin::change::Change;
use edgeflake_authority::admin::lifecycle::{Created, Creation, destroyed};
pub use edgeflake_authority::admin::wanted::Wanted;
use edgeflake_authority::objects::address::sequencer_name;
use edgeflake_authority::objects::call::Namespace;
use edgeflake_authority::problem::Problem;
use edgeflake_authority::settings::Configured;
use worker::Env;

use crate::error::Error;
use crate::{directory, isolate};

/// Creates a sequencer. Repeating it with the same configuration changes nothing.
///
/// # Errors
/// `sequencer-already-registered` for a configuration that differs from the bound one,
/// `invalid-body` for an invalid configuration, or why the objects do not answer.
pub async fn create(env: &Env, name: &str, wanted: Wanted) -> Result<(), Error> {
    let create = async {
        let name = sequencer_name(name)?;
        let config = wanted.bound_config(&Configured::of(env.as_ref())?, name)?;
        bind(env, name, config).await?.json
    };
    noted("sequencer-created", name, create.await)
}

/// Ends a sequencer in all its shards. If an earlier attempt broke off, it goes on from there.
///
/// # Errors
/// `unknown-sequencer` if no sequencer has this name, or why not all shards have confirmed.
pub async fn destroy(env: &Env, name: &str) -> Result<(), Error> {
    let destroy = async { end(env, sequencer_name(name)?).await };
    noted("sequencer-destroyed", name, destroy.await)
}

/// Shrinks a sequencer to its first `node_count` nodes, while it goes on granting them. It gives up
/// the others for good, so another sequencer of the same layout may use them. Only nodes that were
/// never granted can be given up.
///
/// # Errors
/// `nodes-in-use` with the fewest nodes that the sequencer can have, `invalid-body` if `node_count`
/// is more than it has, `unknown-sequencer`, or why an object does not answer. If the call broke
/// off, repeat it.
pub async fn shrink(env: &Env, name: &str, node_count: u64) -> Result<(), Error> {
    let shrink = async { change(env, sequencer_name(name)?, Change { node_count }).await };
    noted("sequencer-shrunk", name, shrink.await)
}

/// Writes the log line about a change, whether it was made or not.
fn noted(event: &str, name: &str, answered: Result<String, Problem>) -> Result<(), Error> {
    changed(event, name, &answered).write();
    answered?;
    Ok(())
}

/// Changes a sequencer, and returns it as JSON.
///
/// # Errors
/// A problem if no sequencer has this name, the change is refused, or an object does not answer.
#[doc(hidden)]
pub async fn change(env: &Env, name: &str, change: Change) -> Result<String, Problem> {
    let client = isolate::client(env, name).await?;
    let mut shrinking = Shrinking::new(change.node_count);
    loop {
        match shrinking.action() {
            Action::Done(reply) => return change.made(name, &reply),
            Action::Send { shard, request } => {
                shrinking.receive(client.send(env, shard, &request).await);
            }
        }
    }
}

/// Binds a name to a configuration.
///
/// # Errors
/// A problem if a namespace is missing, the registry refuses, or an object does not answer.
#[doc(hidden)]
pub async fn bind(env: &Env, name: &str, config: BoundConfig) -> Result<Created, Problem> {
    for namespace in [Namespace::AUTHORITY, Namespace::DIRECTORY] {
        namespace.check(env.as_ref())?;
    }
    let client = isolate::client_with(name, config.shards());
    let mut creation = Creation::new(config);
    while let Action::Send { shard, request } = creation.action() {
        creation.receive(client.send(env, shard, &request).await)?;
    }
    let created = creation.created(name)?;
    let noted = directory::note(env, name, created.shards).await;
    noted.map_err(|_| Problem::unreachable())?;
    isolate::note_created(name, created.shards);
    Ok(created)
}

/// Ends a sequencer, and returns it as JSON.
///
/// # Errors
/// A problem if no sequencer has this name, or not all shards have confirmed.
#[doc(hidden)]
pub async fn end(env: &Env, name: &str) -> Result<String, Problem> {
    let client = isolate::client(env, name).await?;
    let mut destruction = Destruction::new();
    loop {
        match destruction.action() {
            Action::Done(reply) => return destroyed(name, &reply),
            Action::Send { shard, request } => {
                let reply = client.send(env, shard, &request).await;
                // The isolate drops its lease now, because it need not wait until the other shards
                // confirm.
                isolate::note_destroyed(name, &reply);
                destruction.receive(reply);
            }
        }
    }
}
