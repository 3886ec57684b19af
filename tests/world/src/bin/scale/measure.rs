//! Measurements per second.

use edgeflake::lease::Wait;

/// Longest wait that is not counted as slow, in ms.
const SLOW_MS: u64 = 1_000;

/// All is well in a second if at most this fraction of its requests is slow or fails.
const WELL: f64 = 0.001;

/// One second of the world.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Second {
    pub(crate) isolates: u32,
    pub(crate) starts: u32,
    pub(crate) requests: f64,
    /// How many of the requests that came in this second waited for over 1 s, and how many failed.
    pub(crate) slow: f64,
    pub(crate) failed: f64,
    /// Calls of the busiest shard, calls of all shards, and writes of all shards.
    pub(crate) calls_max: u64,
    pub(crate) calls: u64,
    pub(crate) writes: u64,
    /// Nodes with a span that has not ended, if they were counted in this second.
    pub(crate) held: Option<u64>,
}

pub(crate) struct Measure {
    start_ms: u64,
    pub(crate) seconds: Vec<Second>,
    /// Spans that were left over when isolates ended: their number, and their total remaining ms.
    pub(crate) left: (u64, u64),
}

impl Measure {
    pub(crate) fn new(start_ms: u64, seconds: u64) -> Self {
        let seconds = vec![Second::default(); usize::try_from(seconds).unwrap()];
        Self { start_ms, seconds, left: (0, 0) }
    }

    /// Returns the second of a time in ms. The very end of the world is part of its last second.
    pub(crate) fn at(&mut self, now_ms: u64) -> &mut Second {
        let second = usize::try_from((now_ms - self.start_ms) / 1_000).unwrap();
        let last = self.seconds.len() - 1;
        &mut self.seconds[second.min(last)]
    }

    /// Counts the requests that have come since `since_ms`, at this rate per second. At `until_ms`
    /// they were served, or have failed.
    pub(crate) fn waited(&mut self, since_ms: u64, until_ms: u64, rate: f64) {
        let failed_ms = until_ms.saturating_sub(Wait::MAX_MS).max(since_ms);
        let slow_ms = until_ms.saturating_sub(SLOW_MS).max(since_ms);
        self.spread(since_ms, failed_ms, rate, |second| &mut second.failed);
        self.spread(failed_ms, slow_ms, rate, |second| &mut second.slow);
        // The simulated request with which the wait began is counted, too.
        let waited_ms = until_ms - since_ms;
        if waited_ms > Wait::MAX_MS {
            self.at(since_ms).failed += 1.0;
        } else if waited_ms > SLOW_MS {
            self.at(since_ms).slow += 1.0;
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "ms of one second")]
    fn spread(
        &mut self,
        from_ms: u64,
        until_ms: u64,
        rate: f64,
        of: impl Fn(&mut Second) -> &mut f64,
    ) {
        let mut now_ms = from_ms;
        while now_ms < until_ms {
            let next_ms = (now_ms - now_ms % 1_000 + 1_000).min(until_ms);
            *of(self.at(now_ms)) += rate * (next_ms - now_ms) as f64 / 1_000.0;
            now_ms = next_ms;
        }
    }

    pub(crate) fn window(&self, from_s: u64, until_s: u64) -> Window<'_> {
        let [from, until] = [from_s, until_s].map(|second| usize::try_from(second).unwrap());
        Window(&self.seconds[from..until])
    }
}

/// A range of seconds.
#[derive(Clone, Copy)]
pub(crate) struct Window<'a>(&'a [Second]);

impl Window<'_> {
    pub(crate) fn sum(&self, of: impl Fn(&Second) -> f64) -> f64 {
        self.0.iter().map(of).sum()
    }

    #[expect(clippy::cast_precision_loss, reason = "some thousand seconds")]
    pub(crate) fn mean(&self, of: impl Fn(&Second) -> f64) -> f64 {
        self.sum(of) / self.0.len() as f64
    }

    pub(crate) fn calls_max(&self) -> u64 {
        self.0.iter().map(|second| second.calls_max).max().unwrap_or(0)
    }

    pub(crate) fn held_max(&self) -> u64 {
        self.0.iter().filter_map(|second| second.held).max().unwrap_or(0)
    }

    /// Mean number of nodes in use, over the seconds in which nodes were counted.
    #[expect(clippy::cast_precision_loss, reason = "at most 2^20 nodes")]
    pub(crate) fn held_mean(&self) -> f64 {
        let held: Vec<_> = self.0.iter().filter_map(|second| second.held).collect();
        held.iter().sum::<u64>() as f64 / held.len().max(1) as f64
    }

    /// Returns a sum over all seconds as a fraction of all requests.
    pub(crate) fn part(&self, of: impl Fn(&Second) -> f64) -> f64 {
        self.sum(of) / self.sum(|second| second.requests).max(1.0)
    }

    /// Number of seconds until all is well and stays well, or `None` if something is wrong at the
    /// end.
    pub(crate) fn recovered_s(&self) -> Option<usize> {
        let is_bad =
            |second: &Second| second.slow + second.failed > second.requests.max(1.0) * WELL;
        let good = self.0.iter().rposition(is_bad).map_or(0, |last| last + 1);
        (good < self.0.len()).then_some(good)
    }
}
