use edgeflake::{Error, Identity, Layout, Life, Sequencer};
use serde::{Deserialize, Serialize};

use super::text::Text;

#[derive(Serialize, Deserialize)]
pub(crate) struct IdentityV1 {
    pub(crate) layout: Text<Layout>,
    pub(crate) first_node: u64,
    pub(crate) node_count: u64,
    pub(crate) shards: u64,
}

impl From<&Identity> for IdentityV1 {
    fn from(identity: &Identity) -> Self {
        Self {
            layout: Text(*identity.layout()),
            first_node: identity.first_node(),
            node_count: identity.node_count(),
            shards: identity.shards(),
        }
    }
}

impl TryFrom<IdentityV1> for Identity {
    type Error = Error;

    fn try_from(message: IdentityV1) -> Result<Self, Error> {
        let IdentityV1 { layout, first_node, node_count, shards } = message;
        Self::new(layout.0, first_node, node_count, shards)
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct SequencerV1 {
    identity: IdentityV1,
    incarnation: u64,
    from_tick: u64,
    life: LifeV1,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LifeV1 {
    Active,
    Destroying { confirmed: u64, until_tick: u64 },
    Destroyed { until_tick: u64 },
}

impl From<&Sequencer> for SequencerV1 {
    fn from(sequencer: &Sequencer) -> Self {
        Self {
            identity: (&sequencer.identity).into(),
            incarnation: sequencer.incarnation,
            from_tick: sequencer.from_tick,
            life: match sequencer.life {
                Life::Active => LifeV1::Active,
                Life::Destroying { confirmed, until_tick } => {
                    LifeV1::Destroying { confirmed, until_tick }
                }
                Life::Destroyed { until_tick } => LifeV1::Destroyed { until_tick },
            },
        }
    }
}

impl TryFrom<SequencerV1> for Sequencer {
    type Error = Error;

    fn try_from(message: SequencerV1) -> Result<Self, Error> {
        Ok(Self {
            identity: message.identity.try_into()?,
            incarnation: message.incarnation,
            from_tick: message.from_tick,
            life: match message.life {
                LifeV1::Active => Life::Active,
                LifeV1::Destroying { confirmed, until_tick } => {
                    Life::Destroying { confirmed, until_tick }
                }
                LifeV1::Destroyed { until_tick } => Life::Destroyed { until_tick },
            },
        })
    }
}
