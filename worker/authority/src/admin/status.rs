//! The status of a sequencer.

use edgeflake::lease::Sequencer;

use crate::admin::described::Described;
use crate::admin::usage::Usage;
use crate::objects::address::DEFAULT_SEQUENCER;
use crate::settings::Configured;

/// The status of a sequencer as JSON, given how much of it is in use.
#[must_use]
pub fn written(
    name: &str,
    sequencer: &Sequencer,
    usage: &Usage,
    configured: &Configured,
) -> String {
    let described = Described::new(name, sequencer);
    let described = match &usage.status {
        Some(status) => {
            described.with_status(status, configured.settings_of(name).terms.statistics)
        }
        None => described,
    };
    let described = described.with_troubles(usage);
    let difference = match name {
        DEFAULT_SEQUENCER => sequencer.config.difference(&configured.config),
        _ => None,
    };
    match difference {
        Some(difference) => described.with_difference(&difference),
        None => described,
    }
    .json()
}
