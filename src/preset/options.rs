/// What the users of a preset's software may choose; `None` is the preset's default.
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
    /// When tick 0 begins, in Unix ms. It is allowed for all presets except services.
    pub epoch_ms: Option<u64>,
    /// Number of nodes, 128 to 8,192, rounded up to a power of two. It is for `snowcast` only.
    pub nodes: Option<u64>,
    /// Bits of the sequence, for `hazelcast` only.
    pub bits_sequence: Option<u8>,
    /// Bits of the node, for `hazelcast` only.
    pub bits_node_id: Option<u8>,
}
