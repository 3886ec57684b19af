//! What the variables, secrets and bindings say, read once for as long as they stay the same.

use std::cell::RefCell;
use std::rc::Rc;

use edgeflake::{Identity, Tunables};
use wasm_bindgen::JsValue;
use worker::Env;
use worker::js_sys::Reflect;

use crate::access::Access;
use crate::config::{self, Config};
use crate::cors::Cors;
use crate::problem::Problem;
use crate::query;

/// What the variables, secrets and bindings say.
pub(crate) struct Settings {
    pub(crate) access: Access,
    pub(crate) cors: Cors,
    /// Counts the requests for ids of each client, if it is bound.
    pub(crate) limiter: Option<JsValue>,
    sequencer: Result<(Identity, Tunables), String>,
}

/// The rate-limit binding.
const LIMITER: &str = "ISSUE_RATE_LIMIT";

thread_local! {
    /// Of the `env` that they were read from. An isolate may outlive a deployment that changes only
    /// variables or secrets, so what was read of another one must not be used.
    static SETTINGS: RefCell<Option<(JsValue, Rc<Settings>)>> = const { RefCell::new(None) };
}

/// Checks variables as the Worker will before it answers, so that `npm run check` says of
/// `wrangler.toml` what every request would be told after a deploy.
///
/// # Errors
/// A text that names the variable, what was found and what is allowed.
pub fn check(variables: &[(String, String)]) -> Result<(), String> {
    if let Some((name, _)) = variables.iter().find(|(name, _)| !config::NAMES.contains(&&**name)) {
        let allowed = query::Allowed(&config::NAMES);
        return Err(format!("there is a variable {name}: {allowed} allowed"));
    }
    let variable = |name: &str| {
        variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    Access::read(&variable)?;
    Cors::read(&variable)?;
    let config = Config::new(&variable);
    config.tunables_for(config.identity()?.layout())?;
    Ok(())
}

impl Settings {
    /// Those of this environment.
    ///
    /// # Errors
    /// A problem that names the variable that cannot be used.
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

    /// What the default sequencer is created with.
    ///
    /// # Errors
    /// A problem that names the variable that cannot be used.
    pub(crate) fn sequencer(&self) -> Result<&(Identity, Tunables), Problem> {
        self.sequencer.as_ref().map_err(|error| Problem::configuration(error.clone()))
    }

    fn read(env: &Env) -> Result<Self, String> {
        let variable = |name: &str| config::variable(env, name);
        let config = Config::new(&variable);
        Ok(Self {
            access: Access::read(&variable)?,
            cors: Cors::read(&variable)?,
            limiter: Reflect::get(env.as_ref(), &LIMITER.into()).ok().filter(JsValue::is_object),
            sequencer: config.identity().and_then(|identity| {
                let tunables = config.tunables_for(identity.layout())?;
                Ok((identity, tunables))
            }),
        })
    }
}
