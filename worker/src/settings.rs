//! Reads the variables, secrets and bindings. Reads them again only when they have changed.

pub(crate) mod access;

use std::cell::RefCell;
use std::rc::Rc;

use edgeflake_workers::problem::Problem;
use edgeflake_workers::settings::SequencerSettings;
use edgeflake_workers::settings::table::{LAYOUT, Scope};
use edgeflake_workers::settings::variables::{self, Variables};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use worker::Env;
use worker::js_sys::Reflect;

use self::access::Access;
use crate::http::answer::Cors;

#[wasm_bindgen(wasm_bindgen_futures = worker::wasm_bindgen_futures)]
extern "C" {
    /// A rate-limit binding. The type of the crate `worker` would add 19 KB to the compiled code,
    /// because that type reads outcomes with serde.
    pub(crate) type RateLimit;

    #[wasm_bindgen(method, catch)]
    pub(crate) async fn limit(
        this: &RateLimit,
        options: &JsValue,
    ) -> Result<RateLimitOutcome, JsValue>;

    pub(crate) type RateLimitOutcome;

    #[wasm_bindgen(method, getter)]
    pub(crate) fn success(this: &RateLimitOutcome) -> bool;
}

/// The settings from an environment's variables, secrets and bindings.
pub(crate) struct Settings {
    pub(crate) access: Access,
    pub(crate) cors: Cors,
    /// The rate-limit binding, which counts the units of each client (see `Weight` in `route.rs`).
    pub(crate) limiter: Option<RateLimit>,
    sequencers: Result<SequencerSettings, String>,
}

/// The scopes of the variables that every request needs.
const OF_WORKER: [Scope; 2] = [Scope::Worker, Scope::Secret];

/// The name of the rate-limit binding.
const LIMITER: &str = "ISSUE_RATE_LIMIT";

thread_local! {
    /// The settings, and the `env` from which they were read. The settings are read again for
    /// another `env`, because an isolate may outlive a deployment that changes only variables or
    /// secrets.
    static SETTINGS: RefCell<Option<(JsValue, Rc<Settings>)>> = const { RefCell::new(None) };
}

/// Checks variables as the Worker does before it answers, and as the authority does before it binds
/// a layout. `now_ms` is the time in Unix ms. `npm run check` uses this function to find mistakes
/// in `wrangler.toml` that would make every request fail after a deployment.
///
/// # Errors
/// A text that names the variable, what was found and what is allowed.
pub fn check(given: &[(String, String)], now_ms: u64) -> Result<(), String> {
    given.iter().try_for_each(|(name, _)| variables::check_name(name))?;
    let variable =
        |name: &str| given.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let variables = Variables::new(&variable);
    let values = variables.values(&OF_WORKER)?;
    Access::read(&values)?;
    Cors::read(&values.cors_origins)?;
    let tick = SequencerSettings::read(&variable)?.config.layout().tick(now_ms);
    let unset = if variable(LAYOUT).is_some() { "" } else { " is not set" };
    tick.map(|_| ()).map_err(|error| format!("{LAYOUT}{unset}: {error}"))
}

impl Settings {
    /// Returns the settings of this environment.
    ///
    /// # Errors
    /// A problem that names the unusable variable.
    pub(crate) fn of(env: &Env) -> Result<Rc<Self>, Problem> {
        let env_value: &JsValue = env.as_ref();
        let known = SETTINGS.with_borrow(|known| match known {
            Some((of, settings)) if of == env_value => Some(settings.clone()),
            _ => None,
        });
        if let Some(settings) = known {
            return Ok(settings);
        }
        let settings = Rc::new(Self::read(env).map_err(Problem::configuration)?);
        SETTINGS.set(Some((env_value.clone(), settings.clone())));
        Ok(settings)
    }

    /// Returns the settings of sequencers and their leases, from the variables.
    ///
    /// # Errors
    /// A problem that names the unusable variable.
    pub(crate) fn sequencers(&self) -> Result<&SequencerSettings, Problem> {
        self.sequencers.as_ref().map_err(|error| Problem::configuration(error.clone()))
    }

    fn read(env: &Env) -> Result<Self, String> {
        variables::check_names(env.as_ref())?;
        let variable = |name: &str| variables::variable(env.as_ref(), name);
        let values = Variables::new(&variable).values(&OF_WORKER)?;
        Ok(Self {
            access: Access::read(&values)?,
            cors: Cors::read(&values.cors_origins)?,
            limiter: Reflect::get(env.as_ref(), &LIMITER.into())
                .ok()
                .filter(JsValue::is_object)
                .map(JsCast::unchecked_into),
            sequencers: SequencerSettings::read(&variable),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_that_cannot_issue_now_is_named_by_its_variables() {
        let refused = |given: &[(&str, &str)]| {
            let given: Vec<_> =
                given.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
            check(&given, 0).unwrap_err()
        };
        let layout = ("EDGEFLAKE_LAYOUT", "hazelcast");
        for (given, names) in [
            (&[][..], "EDGEFLAKE_LAYOUT is not set: 1970-"),
            (&[("EDGEFLAKE_SHARDS", "4")], "EDGEFLAKE_LAYOUT is not set: 1970-"),
            (&[layout], "EDGEFLAKE_LAYOUT: 1970-"),
        ] {
            assert!(refused(given).starts_with(names), "{}", refused(given));
        }
    }
}
