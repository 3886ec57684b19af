use edgeflake::{Layout, Parts};

/// A classic snowflake generator, as in nodejs-snowflake 2.0.1. Its node number is assigned to it,
/// and it trusts the clock.
///
/// Within one tick the sequence goes on. When the tick changes, to a later or an earlier one, the
/// sequence begins at 0. So after the clock has gone back, the generator issues the same ids again.
#[derive(Debug, Default)]
pub(crate) struct Classic {
    /// The tick and the sequence of the newest id.
    newest: Option<(u64, u64)>,
}

impl Classic {
    /// Returns the next id at a time in Unix ms; `None` where the library would spin until the
    /// clock shows another tick.
    pub(crate) fn next(&mut self, layout: &Layout, now_ms: u64, node: u64) -> Option<u64> {
        let tick = layout.tick(now_ms).ok()?;
        let sequence = match self.newest {
            Some((newest, sequence)) if newest == tick => sequence + 1,
            _ => 0,
        };
        let id = layout.encode(Parts { tick, node, sequence, tag: 0 }).ok()?;
        self.newest = Some((tick, sequence));
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use edgeflake::preset::NODEJS_SNOWFLAKE;

    use super::Classic;

    /// The expected values are the ticks and sequences that nodejs-snowflake 2.0.1 gives for the
    /// same clock.
    #[test]
    fn a_clock_that_went_back_makes_the_same_ids_again() {
        let now_ms = 1_700_000_000_000;
        let mut classic = Classic::default();
        let ids = [0, 0, 0, 5_000, 0, 0, 0].map(|later_ms| {
            let id = classic.next(&NODEJS_SNOWFLAKE, now_ms + later_ms, 3).unwrap();
            let parts = NODEJS_SNOWFLAKE.decode(id).unwrap();
            assert_eq!(parts.node, 3);
            (parts.tick, parts.sequence)
        });
        let (early, late) = (153_699_200_000, 153_699_205_000);
        let first = [(early, 0), (early, 1), (early, 2)];
        assert_eq!(ids[..3], first);
        assert_eq!(ids[3], (late, 0));
        assert_eq!(ids[4..], first);
    }

    #[test]
    fn it_would_spin_where_the_clock_stands_still() {
        let mut classic = Classic::default();
        let mut next = |now_ms| classic.next(&NODEJS_SNOWFLAKE, now_ms, 3);
        assert_eq!((0..2_000).filter_map(|_| next(1_700_000_000_000)).count(), 1_024);
        assert!(next(1_700_000_000_001).is_some());
    }
}
