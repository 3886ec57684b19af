//! The one place that decides whether a request reaches the code of its route.
//!
//! [`Admitted`] is the proof: every route takes one, and only [`Admitted::admit`] makes it, from
//! what stands beside the method in the table of `routes/table.rs`.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::Env;
use worker::js_sys::Promise;
use worker::web_sys::Request;

use crate::http::query::Values;
use crate::http::request::{self, HeaderName, header};
use crate::routes::table::{Body, Takes};
use crate::settings::Settings;
use crate::settings::access::Role;
use edgeflake_authority::problem::Problem;
use edgeflake_workers::isolate;
use edgeflake_workers::promise::settled;
use edgeflake_workers::shard_client::ShardClient;

#[wasm_bindgen(module = "/src/admission.js")]
extern "C" {
    fn limit(limiter: &JsValue, key: &str) -> Promise;
}

/// What is asked at a path.
pub(crate) struct Asked<'a> {
    pub(crate) request: &'a Request,
    /// The query of its URL, without the `?`.
    pub(crate) query: &'a str,
    /// Whether the request has a body; `None` if only reading it tells.
    pub(crate) has_body: Option<bool>,
}

/// A request that fulfils the requirement of its route.
pub(crate) struct Admitted<'a> {
    /// This field is private so that only [`Admitted::admit`] makes a value.
    request: &'a Request,
    /// The values of the parameters of its query, in the order of [`Takes::parameters`].
    pub(crate) parameters: Values<'a>,
    pub(crate) env: &'a Env,
    pub(crate) settings: &'a Settings,
}

impl<'a> Admitted<'a> {
    /// Admits a request that fulfils what its method requires, and brings nothing that the method
    /// does not take. Notes where in the world the isolate is.
    ///
    /// # Errors
    /// A problem that says which secret to set or to send, that the rate limit is used up, or that
    /// names a parameter or a body that the method does not take.
    pub(crate) async fn admit(
        takes: &Takes,
        asked: Asked<'a>,
        env: &'a Env,
        settings: &'a Settings,
    ) -> Result<Self, Problem> {
        let (Asked { request, query, has_body }, requirement) = (asked, takes.requirement);
        let authorization = || header(request, HeaderName::Authorization);
        let role = requirement.check(&settings.access, authorization)?;
        if requirement.is_limited()
            && let Some(limiter) = &settings.limiter
        {
            check_limit(limiter, role, request).await?;
        }
        let parameters = takes.read(query)?;
        if takes.body == Body::None {
            let is_empty = match has_body {
                Some(has_body) => !has_body,
                None => request::is_empty(request).await?,
            };
            if !is_empty {
                return Err(takes.no_body());
            }
        }
        isolate::locate(request);
        Ok(Self { request, parameters, env, settings })
    }

    /// The body, which is JSON; `None` for an empty one.
    ///
    /// # Errors
    /// A problem for a body that is too large, takes too long, broke off, or is no JSON.
    pub(crate) async fn body(&self) -> Result<Option<JsValue>, Problem> {
        request::body(self.request).await
    }

    /// The client of a sequencer that was created.
    ///
    /// # Errors
    /// A problem if no sequencer has this name, or the directory does not answer.
    pub(crate) async fn client(&self, name: &str) -> Result<ShardClient, Problem> {
        isolate::client(self.env, name).await
    }
}

/// Counts the request against the rate limit of its client: its address, and the role of its token.
async fn check_limit(
    limiter: &JsValue,
    role: Option<Role>,
    request: &Request,
) -> Result<(), Problem> {
    let address = header(request, HeaderName::Address).unwrap_or_default();
    let client = format!("{} {address}", role.map_or("", Role::secret));
    match settled(limit(limiter, &client), "the rate limit").await {
        Ok(success) if success.as_bool() != Some(true) => Err(Problem::too_many_requests()),
        // A rate limit that does not answer stops no request.
        Ok(_) | Err(_) => Ok(()),
    }
}
