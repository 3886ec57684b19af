//! Checks at the end of every world.

use super::World;
use crate::shard::Work;

impl World {
    /// Checks that nothing was counted twice or left out.
    pub(super) fn check(&self) {
        let seconds = &self.measure.seconds;
        let starts: u32 = seconds.iter().map(|second| second.starts).sum();
        assert_eq!(starts, self.lives, "starts");
        let lost = self.isolates.iter().filter(|isolate| isolate.life == 0).count();
        assert_eq!(self.isolates.len() - lost, self.live as usize, "isolates that are there");
        let calls: u64 = seconds.iter().map(|second| second.objects.calls).sum();
        let work = self.shards.iter().fold(Work::default(), |sum, one| sum.with(&one.work));
        assert_eq!(calls, work.calls, "calls");
        for second in seconds {
            let waited = second.slow + second.failed;
            // The followed request may come in addition to the isolate's rate.
            let most = second.requests * 1.1 + f64::from(second.isolates + second.starts);
            assert!(waited <= most, "{second:?}");
        }
    }
}
