/// What a generator has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Ids issued.
    pub issued: u64,
    /// Calls of `fill`.
    pub fills: u64,
    /// Ticks that were entered before the clock had reached them.
    pub ticks_borrowed: u64,
    /// The furthest that an id lay ahead of the clock, in ms.
    pub furthest_ahead_ms: u64,
    /// How often the clock was seen to have gone back.
    pub clock_steps_back: u64,
    /// How often there was no id within the look-ahead.
    pub exhausted: u64,
}
