//! How a sequencer is created, changed and destroyed.

use edgeflake_authority::admin::change::Change;
use edgeflake_authority::admin::wanted::Wanted;
use edgeflake_authority::problem::Problem;
use edgeflake_workers::admin;
use wasm_bindgen::JsValue;
use worker::web_sys;

use crate::admission::Admitted;
use crate::http::answer;

/// Binds a name to a configuration. Repeating it with the same configuration changes nothing.
///
/// # Errors
/// A problem for a configuration that differs from the bound one, or that is not valid.
pub(crate) async fn create(
    request: &Admitted<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    let (mut status, create) = (201, async {
        let configured = request.settings.configured()?;
        let wanted = match request.body().await? {
            None => Wanted::default(),
            Some(body) => Wanted::read("the body", &body)?,
        };
        let config = wanted.bound_config(configured, name)?;
        admin::bind(request.env, name, config).await
    });
    let created = create.await.and_then(|created| {
        if created.existed {
            status = 200;
        }
        created.json
    });
    request.audit("sequencer-created", name, &created);
    Ok(answer::json_with_status(status, &created?))
}

/// Gives up nodes at the end of a sequencer's range, while it goes on granting the others.
///
/// # Errors
/// A problem if one of these nodes was ever granted, there is no such sequencer, or an object that
/// must confirm does not answer.
pub(crate) async fn change(
    request: &Admitted<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    let change = async {
        let body = request.body().await?.unwrap_or(JsValue::UNDEFINED);
        admin::change(request.env, name, Change::read("the body", &body)?).await
    };
    let changed = change.await;
    request.audit("sequencer-shrunk", name, &changed);
    Ok(answer::json(&changed?))
}

/// Ends a sequencer in all its shards. If an earlier attempt broke off, it goes on from there.
///
/// # Errors
/// A problem if no sequencer has this name, or not all shards have confirmed.
pub(crate) async fn destroy(
    request: &Admitted<'_>,
    name: &str,
) -> Result<web_sys::Response, Problem> {
    let ended = admin::end(request.env, name).await;
    request.audit("sequencer-destroyed", name, &ended);
    Ok(answer::json(&ended?))
}
