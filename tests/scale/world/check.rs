//! Checks at the end of every world.

use super::World;
use crate::object::Tally;

impl World {
    /// Checks that nothing was counted twice or left out, and that no node has two holders.
    pub(super) fn check(&self) {
        let seconds = &self.measure.seconds;
        let starts: u32 = seconds.iter().map(|second| second.starts).sum();
        assert_eq!(starts, self.lives, "starts");
        let lost = self.isolates.iter().filter(|isolate| isolate.life == 0).count();
        assert_eq!(self.isolates.len() - lost, self.live as usize, "isolates that are there");
        let calls: u64 = seconds.iter().map(|second| second.objects.calls).sum();
        let tally = self.objects.iter().fold(Tally::default(), |sum, one| sum.with(&one.tally));
        assert_eq!(calls, tally.calls, "calls");
        for second in seconds {
            let waited = second.slow + second.failed;
            // The followed request may come in addition to the isolate's rate.
            let most = second.requests * 1.1 + f64::from(second.isolates + second.starts);
            assert!(waited <= most, "{second:?}");
        }

        let now = self.setting.layout().tick(self.now_ms).unwrap();
        let spans = self.isolates.iter().filter_map(|isolate| isolate.holder.span());
        let mut nodes: Vec<_> =
            spans.filter(|span| span.until_tick() > now).map(|span| span.node()).collect();
        nodes.sort_unstable();
        assert!(nodes.is_sorted_by(|one, other| one < other), "a node has two holders");
        let held: u64 = self.objects.iter().map(|object| object.held(self.now_ms)).sum();
        assert!(nodes.len() as u64 <= held, "{} nodes are held of {held}", nodes.len());
    }
}
