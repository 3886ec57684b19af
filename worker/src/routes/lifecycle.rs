//! How a sequencer is created and destroyed.

use edgeflake::lease::{Action, Destruction};
use edgeflake_authority::admin::lifecycle::{Creation, destroyed};
use edgeflake_authority::admin::wanted::Wanted;
use edgeflake_authority::problem::Problem;
use worker::web_sys;

use crate::admission::Admitted;
use crate::http::answer;
use crate::isolate;
use crate::objects::directory;

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
        Some(body) => Wanted::read("the body", &body)?,
    };
    let config = wanted.bound_config(configured)?;
    let client = isolate::client_with(name, config.shards());
    let mut creation = Creation::new(config);
    while let Action::Send { shard, request: message } = creation.action() {
        creation.receive(client.send(request.env, shard, &message).await)?;
    }
    let created = creation.created(name)?;
    let noted = directory::note(request.env, name, created.shards).await;
    noted.map_err(|_| Problem::unreachable())?;
    isolate::note_created(name, created.shards);
    Ok(answer::json_with_status(if created.existed { 200 } else { 201 }, &created.json?))
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
    let mut destruction = Destruction::new();
    loop {
        match destruction.action() {
            Action::Done(reply) => return Ok(answer::json(&destroyed(name, &reply)?)),
            Action::Send { shard, request: message } => {
                let reply = client.send(request.env, shard, &message).await;
                // Also if the other shards do not confirm it: nothing is granted any more.
                isolate::note_destroyed(name, &reply);
                destruction.receive(reply);
            }
        }
    }
}
