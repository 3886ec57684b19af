//! Decides whether a request reaches the code of its route. No other code decides this.
//!
//! An [`AdmittedRequest`] is the proof of admission, and every route takes this proof. Only
//! [`AdmittedRequest::admit`] makes an `AdmittedRequest`, if the request meets the requirements in
//! `routes.rs`.

use std::cell::{Cell, RefCell};

use edgeflake_workers::admin::audit;
use edgeflake_workers::admin::outcome::Outcome;
use edgeflake_workers::found::message;
use edgeflake_workers::isolate;
use edgeflake_workers::log::{self, Audit, Event};
use edgeflake_workers::platform::now_ms;
use edgeflake_workers::problem::Problem;
use edgeflake_workers::recent_texts::RecentTexts;
use futures_util::future::try_join_all;
use wasm_bindgen::JsValue;
use worker::Env;
use worker::js_sys::{Object, Reflect};
use worker::web_sys::Request;

use crate::http::request::{self, HeaderName, header};
use crate::routes::parameters::Values;
use crate::routes::route::{Body, Route, Weight};
use crate::settings::access::Role;
use crate::settings::{RateLimit, RateLimitOutcome, Settings};

/// The number of ids per unit of the rate limit.
const IDS_PER_UNIT: u64 = 1_000;

thread_local! {
    /// The addresses of clients whose refused tokens have used up the rate limit. For `BARRED_MS`,
    /// all tokens from these addresses are refused without a comparison.
    static BARRED: RefCell<RecentTexts> = const { RefCell::new(RecentTexts::new(BARRED_MS)) };
    /// The time of the newest log line about refused tokens, in Unix ms, and the number of tokens
    /// that were refused after that line.
    static REFUSED: Cell<(u64, u32)> = const { Cell::new((0, 0)) };
}

/// The time for which an address is barred, in ms: the shorter of the two periods that a rate-limit
/// binding can have.
const BARRED_MS: u64 = 10_000;

/// The shortest time between two log lines about refused tokens, in ms, so that a flood of requests
/// does not flood the log.
const SAMPLED_MS: u64 = 1_000;

/// A request that meets the requirements of its route.
pub(crate) struct AdmittedRequest<'a> {
    /// This field is private, so that only [`AdmittedRequest::admit`] can create an
    /// `AdmittedRequest`.
    request: &'a Request,
    /// The role of the request's token; `None` if the request needs no token.
    role: Option<Role>,
    /// The values of the query's parameters, in the order of [`Route::parameters`].
    pub(crate) parameters: Values<'a>,
    pub(crate) env: &'a Env,
    pub(crate) settings: &'a Settings,
}

impl<'a> AdmittedRequest<'a> {
    /// Admits a request that meets its route's requirements and has only allowed parameters and an
    /// allowed body. Notes where in the world the isolate is.
    ///
    /// # Errors
    /// A problem that says which secret to set or to send, or that the rate limit is used up, or
    /// which parameter or body is not allowed.
    pub(crate) async fn admit(
        route: &Route,
        request: &'a Request,
        query: &'a str,
        env: &'a Env,
        settings: &'a Settings,
    ) -> Result<Self, Problem> {
        let role = match route.role {
            Some(role) if !settings.access.is_public(role) => {
                let authorized = authorize(role, request, settings).await;
                authorized.inspect_err(|problem| log_refusal(role, request, problem))?
            }
            _ => None,
        };
        if let Weight::Units(units) = route.weight {
            spend(settings, role, request, units).await?;
        }
        let parameters = route.read(query)?;
        if route.body == Body::None && !request::is_empty(request).await? {
            return Err(route.no_body());
        }
        isolate::locate(request);
        Ok(Self { request, role, parameters, env, settings })
    }

    /// Returns the body as JSON; `None` if the body is empty.
    ///
    /// # Errors
    /// A problem for a body that is too large, takes too long, is interrupted, or is not JSON.
    pub(crate) async fn body(&self) -> Result<Option<JsValue>, Problem> {
        request::body(self.request).await
    }

    /// Logs that a sequencer was created, shrunk or destroyed, or why this failed.
    pub(crate) fn audit(&self, event: Event, sequencer: &str, done: &Result<Outcome, Problem>) {
        Audit {
            role: self.role.map(Role::secret),
            ray: header(self.request, HeaderName::Ray).as_deref(),
            ..audit(event, Some(sequencer), done)
        }
        .write();
    }

    /// Counts `count` ids against the client's rate limit.
    ///
    /// # Errors
    /// A problem if the rate limit is used up.
    pub(crate) async fn spend_ids(&self, count: u64) -> Result<(), Problem> {
        let units = u32::try_from(count.div_ceil(IDS_PER_UNIT)).unwrap_or(u32::MAX);
        spend(self.settings, self.role, self.request, units).await
    }
}

/// Returns the role of a request's token. Each refused token counts against the rate limit of the
/// client's address. Once this rate limit is used up, tokens from that address are not compared at
/// all, so that an attacker learns nothing.
async fn authorize(
    needed: Role,
    request: &Request,
    settings: &Settings,
) -> Result<Option<Role>, Problem> {
    let authorization = || header(request, HeaderName::Authorization);
    let Some(limiter) = &settings.limiter else {
        return settings.access.admit(needed, authorization);
    };
    let address = header(request, HeaderName::Address).unwrap_or_default();
    if BARRED.with_borrow(|barred| barred.has(&address, now_ms())) {
        return Err(Problem::too_many_requests());
    }
    let admitted = settings.access.admit(needed, authorization);
    if admitted.is_err() && !is_within(limiter, &format!("refused {address}"), 1).await {
        BARRED.with_borrow_mut(|barred| barred.note(&address, now_ms()));
        return Err(Problem::too_many_requests());
    }
    admitted
}

/// Logs that a token was refused.
fn log_refusal(needed: Role, request: &Request, problem: &Problem) {
    let ((last_ms, count), now_ms) = (REFUSED.get(), now_ms());
    if now_ms.abs_diff(last_ms) < SAMPLED_MS {
        REFUSED.set((last_ms, count.saturating_add(1)));
        return;
    }
    REFUSED.set((now_ms, 0));
    Audit {
        message: &problem.detail,
        role: Some(needed.secret()),
        outcome: Some(problem.name),
        ray: header(request, HeaderName::Ray).as_deref(),
        count: Some(count + 1),
        ..Audit::of(Event::TokenRefused)
    }
    .write();
}

/// Counts units against the rate limit of a client. The client's address and the role of its token
/// identify the client.
async fn spend(
    settings: &Settings,
    role: Option<Role>,
    request: &Request,
    units: u32,
) -> Result<(), Problem> {
    let Some(limiter) = &settings.limiter else { return Ok(()) };
    let address = header(request, HeaderName::Address).unwrap_or_default();
    let client = format!("{} {address}", role.map_or("", Role::secret));
    if is_within(limiter, &client, units).await {
        Ok(())
    } else {
        Err(Problem::too_many_requests())
    }
}

/// Returns whether a rate limit has this many units left. Each call of the binding counts one unit,
/// so a request of several units calls the binding several times. These calls are fast, because the
/// binding counts in the machine's memory. If the binding does not answer, returns `true`.
async fn is_within(limiter: &RateLimit, key: &str, units: u32) -> bool {
    let options = Object::new();
    // Setting a property of a new object cannot fail.
    let _ = Reflect::set(&options, &"key".into(), &key.into());
    match try_join_all((0..units).map(|_| limiter.limit(&options))).await {
        Ok(outcomes) => outcomes.iter().all(RateLimitOutcome::success),
        Err(error) => {
            let message = format!("the rate limit did not answer: {}", message(&error));
            log::write(Event::CallFailed, &message);
            true
        }
    }
}
