//! Reads the settings of sequencers and their leases from the variables.

pub mod table;
pub mod variables;

use edgeflake::lease::{self, BoundConfig};
use wasm_bindgen::JsValue;

use self::variables::{Variables, check_names, variable};
use crate::objects::call::Namespace;
use crate::problem::Problem;

/// The settings of all sequencers, and the configuration of the default sequencer.
pub struct SequencerSettings {
    /// The configuration that the default sequencer is bound to when it is created.
    pub config: BoundConfig,
    /// The settings of the default sequencer, checked against the layout in `config`.
    pub settings: lease::Settings,
    /// The settings of all sequencers that no variable names.
    of_others: lease::Settings,
    /// The settings of each sequencer that a variable names.
    named: Vec<(String, lease::Settings)>,
}

impl SequencerSettings {
    /// Reads the variables.
    ///
    /// # Errors
    /// A text that names the variable, what was found and what is allowed.
    pub fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let variables = Variables::new(variable);
        let config = variables.bound_config()?;
        let settings = variables.lease_settings_for(config.layout())?;
        let named = variables.named()?;
        let of_others = variables.of("").lease_settings()?;
        Ok(Self { config, settings, of_others, named })
    }

    /// Returns the settings of a sequencer.
    #[must_use]
    pub fn settings_of(&self, sequencer: &str) -> &lease::Settings {
        let named = self.named.iter().find(|(name, _)| name == sequencer);
        named.map_or(&self.of_others, |(_, settings)| settings)
    }

    /// Reads the variables of an environment.
    ///
    /// # Errors
    /// A problem that names the unusable variable.
    pub fn of(env: &JsValue) -> Result<Self, Problem> {
        Namespace::check_witness(env)?;
        let read = check_names(env).and_then(|()| Self::read(&|name| variable(env, name)));
        read.map_err(Problem::configuration)
    }
}
