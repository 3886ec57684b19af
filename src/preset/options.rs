use super::library::{hazelcast, snowcast};
use super::{Kind, Preset};
use crate::error::Error;
use crate::layout::{Layout, Role};

/// What the users of a preset's software choose; `None` is the preset's default.
///
/// ```
/// use edgeflake::preset::{self, Options, SNOWCAST};
///
/// let snowcast = preset::named("snowcast").unwrap();
/// let options = Options { nodes: Some(129), ..Options::default() };
/// assert_eq!(snowcast.with(&options)?.nodes(), 256);
/// assert_eq!(snowcast.with(&Options::default())?, SNOWCAST);
/// # Ok::<(), edgeflake::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// When tick 0 begins, in Unix ms; of all presets but those of services.
    pub epoch_ms: Option<u64>,
    /// Number of nodes, of `snowcast`: 128 to 8,192, rounded up to a power of two.
    pub nodes: Option<u64>,
    /// Bits of the sequence, of `hazelcast`.
    pub bits_sequence: Option<u8>,
    /// Bits of the node, of `hazelcast`.
    pub bits_node_id: Option<u8>,
}

impl Preset {
    /// The layout with these options.
    ///
    /// # Errors
    /// [`Error::PresetOption`] for an option that the preset does not have, and those of
    /// [`hazelcast()`], [`snowcast()`] and [`Layout::with_epoch`].
    ///
    /// ```
    /// use edgeflake::Error;
    /// use edgeflake::preset::{self, Options};
    ///
    /// let options = Options { bits_node_id: Some(10), ..Options::default() };
    /// assert_eq!(preset::named("hazelcast").unwrap().with(&options)?.nodes(), 1_024);
    ///
    /// let options = Options { epoch_ms: Some(1_700_000_000_000), ..Options::default() };
    /// assert!(preset::named("leaf").unwrap().with(&options).is_ok());
    /// assert_eq!(
    ///     preset::named("twitter").unwrap().with(&options).unwrap_err().to_string(),
    ///     "the preset twitter has no epoch to choose: all of its ids have the same"
    /// );
    /// # Ok::<(), Error>(())
    /// ```
    pub fn with(&self, options: &Options) -> Result<Layout, Error> {
        let Options { epoch_ms, nodes, bits_sequence, bits_node_id } = *options;
        let is_snowcast = self.name == "snowcast";
        let is_hazelcast = self.name == "hazelcast";
        for (is_given, has, option, hint) in [
            (
                epoch_ms.is_some(),
                self.kind != Kind::Service,
                "epoch",
                "all of its ids have the same",
            ),
            (nodes.is_some(), is_snowcast, "number of nodes", "snowcast has"),
            (bits_sequence.is_some(), is_hazelcast, "sequence bits", "hazelcast has"),
            (bits_node_id.is_some(), is_hazelcast, "node bits", "hazelcast has"),
        ] {
            if is_given && !has {
                return Err(Error::PresetOption { preset: self.name, option, hint });
            }
        }
        let epoch_ms = epoch_ms.unwrap_or(self.layout.epoch_ms());
        if let Some(nodes) = nodes {
            return snowcast(nodes, epoch_ms);
        }
        if is_hazelcast {
            return hazelcast(
                epoch_ms,
                bits_sequence.unwrap_or(self.layout.role_bits(Role::Sequence)),
                bits_node_id.unwrap_or(self.layout.role_bits(Role::Node)),
            );
        }
        self.layout.with_epoch(epoch_ms)
    }
}
