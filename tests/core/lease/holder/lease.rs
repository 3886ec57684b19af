//! Tests the life of a lease: it is renewed from half of its time on, used to its end, given back,
//! and swapped if the clock goes back.

use edgeflake::lease::{Request, Step, Terms, Wait};
use edgeflake::{Layout, Span};

use super::isolate::{Isolate, layout, terms};
use super::transcript::Player;
use crate::transcript::transcripts;

transcripts! { Player:
    #[test]
    fn h27_a_lease_is_renewed_from_its_half_on_and_reports_what_was_issued() "
        id -> acquire t0; grant 7 1000 1100 -> acquired [attached]
        @1001 ids 30 -> 7:1001.0..=1008.1; @1049 id -> 7:1049.0
        @1050 id -> renew t0 i3 7@1050 issued 32 to 0, 1 taken [renewing]; id -> 7:1050.1
        @1051 renewed 1150 statistics=0 -> renewed [attached]; @1099 id -> 7:1099.0
        @1100 id -> renew t0 i3 7@1100 to 0, 1 taken [renewing]; renewed 1200 -> renewed [attached]
        @1150 id -> renew t0 i3 7@1150 issued 36 to 0, 1 taken [renewing]; ended -> ended [attached]
        @1199 id -> 7:1199.0; @1200 id -> acquire t1 i3 [acquiring]
        // For a new lease, the count of issued ids begins again at 0.
        grant 8 1200 1300 -> acquired [attached]
        @1250 id -> renew t1 i3 8@1250 issued 1 to 0, 1 taken [renewing]; @1251 detach -> [detached]
        id -> release t1 i3 8@1251 issued 1 to 0
    "

    /// A reply with a wrong token or incarnation has no effect: the lease's end stays as it is, and
    /// the next call follows after a pause.
    #[test]
    fn a_reply_that_says_nothing_of_the_lease_is_followed_by_a_pause() "
        id -> acquire t0; grant 7 1000 1100 -> acquired [attached]
        @1050 id -> renew t0 i3 7@1050 issued 1 to 0, 1 taken [renewing]
        renewed 1200 i=4 -> unexpected-reply [attached]; id -> 7:1050.1; @1099 id -> 7:1099.0
        @1100 id -> acquire t1 i3 [acquiring]
        new holder; @1000 id -> acquire t0; grant 7 1000 1100 -> acquired [attached]
        @1050 id -> renew t0 i3 7@1050 issued 1 to 0, 1 taken [renewing]
        renewed 1200 t=9 -> unexpected-reply [attached]; id -> 7:1050.1; @1099 id -> 7:1099.0
        span -> 7:1000..1100
        new holder -> [acquiring]; @1000 id -> acquire t0; grant 7 1000 1100 -> acquired [attached]
        @1050 id -> renew t0 i3 7@1050 issued 1 to 0, 1 taken [renewing]
        ended t=9 -> unexpected-reply [attached]; id -> 7:1050.1; @1099 id -> 7:1099.0
        @1101 id -> acquire t1 i3 [acquiring]; span -> 7:1000..1100
    "

    /// Here the holder's clock is ahead of the authority's clock by more than half a lease.
    #[test]
    fn a_renewal_that_reaches_less_far_than_half_a_lease_is_followed_by_another() "
        id -> acquire t0; grant 7 1000 1100 -> acquired [attached]
        @1050 id -> renew t0 i3 7@1050 issued 1 to 0, 1 taken [renewing]
        renewed 1100 -> renewed [attached]; id -> 7:1050.1; @1061 id -> 7:1061.0
        @1062 id -> renew t0 i3 7@1062 issued 4 to 0, 1 taken [renewing]
        renewed 1110 -> renewed [attached]; @1073 id -> 7:1073.0
        @1074 id -> renew t0 i3 7@1074 issued 6 to 0, 1 taken [renewing]
        renewed 1180 -> renewed [attached]; @1129 id -> 7:1129.0
        @1130 id -> renew t0 i3 7@1130 issued 8 to 0, 1 taken [renewing]
        new holder -> [acquiring]; @1000 id -> acquire t0; grant 7 1000 1100 -> acquired [attached]
        @1050 id -> renew t0 i3 7@1050 issued 1 to 0, 1 taken [renewing]
        renewed 1090 -> renewed [attached]; span -> 7:1000..1100
        @1099 id -> renew t0 i3 7@1099 issued 2 to 0, 1 taken [renewing]
    "

    #[test]
    fn an_exhausted_request_waits_for_timers_and_keeps_what_it_has() "
        // 11 ticks of 4 ids are within the allowed future. The request takes 7 more ids, and
        // waits until it may return them.
        id -> acquire t0; grant 7 1000 1100 -> acquired [attached]; @1001 a=51 -> sleep 2, 51 taken
        @1002 a -> sleep 1, 51 taken; @1003 a -> 7:1001.0..=1013.2
        // Timers end a wait when the clock stands still.
        new holder -> [acquiring]; id -> acquire t0; grant 7 1000 1100 -> acquired [attached]
        a=49 -> sleep 2, 49 taken; a+1 -> sleep 1, 49 taken; a+1 -> 7:1003.0..=1015.0
    "

    #[test]
    fn ids_are_no_further_ahead_of_the_clock_than_the_authority_was() "
        // The authority's clock has passed 1,990, so the holder counts from 1,990, not from 1,900.
        // The timer of 1 s adds nothing, because the holder's clock has stood still since the
        // grant. The next 20 ids are of 5 ticks, so the last tick is due after 5 ms.
        @1900 id -> acquire t0; grant 7 2000 3000 lease=1000 -> acquired [attached]
        a=4 -> 7:2000.0..=2000.3; a+1000 -> 7:2000.0..=2000.3; @1905 ids 20 -> sleep 5, 20 taken
        a=24 -> sleep 11, 24 taken; id -> sleep 12, 1 taken
    "

    /// The next id is of the tick 1,030. With an allowed future of 10 ms, it is due at 1,020.
    #[test]
    fn q8_q9_a_clock_that_goes_back_far_swaps_the_lease() "
        id -> acquire t0; grant 7 1000 1100 -> acquired [attached]; @1030 id -> 7:1030.0
        @1005 id -> sleep 15, 1 taken
        new holder -> [acquiring]; @1000 id -> acquire t0; grant 7 1000 1100 -> acquired [attached]
        @1030 id -> 7:1030.0; @1004 id -> acquire t1 i3 not 7 [acquiring]
        grant 8 1004 1130 -> acquired [attached]; span -> 8:1004..1130
        // The release names the first tick that the lease did not use.
        id -> release t0 i3 7@1031 issued 1 to 0; released -> dropped; ended -> dropped
        id -> 8:1004.0
    "

    #[test]
    fn a_swap_that_was_refused_is_forgotten_when_the_clock_has_caught_up() "
        id -> acquire t0; grant 7 1000 1100 -> acquired [attached]; @1040 id -> 7:1040.0
        @1000 id -> acquire t1 i3 not 7 [acquiring]
        refused full ms=60000 -> no-node-free [attached]; id -> prefetch
        batch 100 -> prefetched [batching]
        // Until the clock catches up, ids come from a batch, and no other swap is tried.
        id -> 0:1000.0; @1040 id -> 7:1040.1 [attached]; @1049 id -> 7:1049.0
        @1050 id -> renew t0 i3 7@1050 issued 4 to 0, 1 taken [renewing]
        renewed 9100 -> renewed [attached]; @4000 id -> 7:4000.0; @8000 id -> 7:8000.0
        @9000 id -> 7:9000.0
    "

    #[test]
    fn s39_h11_g10_a_lost_authority_is_noticed_when_the_span_ends() "
        id -> acquire t0; grant 7 1000 1100 -> acquired [attached]; @1049 id -> 7:1049.0
        @1050 id -> renew t0 i3 7@1050 issued 2 to 0, 1 taken [renewing]
        lost -> authority-unreachable [attached]; @1099 id -> 7:1099.0
        @1100 id -> acquire t1 i3 [acquiring]
    "

    #[test]
    fn s4_s27_s30_s33_detached_gives_the_lease_back_and_attached_acquires_another() "
        id -> acquire t0; grant 7 1000 1100 -> acquired [attached]; @1020 id -> 7:1020.0
        detach -> [detached]; span -> none; id -> release t0 i3 7@1021 issued 1 to 0
        released -> dropped; id -> detached; detach; id -> detached; attach -> [acquiring]
        id -> acquire t1 i3; grant 7 1021 1121 -> acquired [attached]; @1021 id -> 7:1021.0
        // A release that was not sent is sent when the holder is attached.
        detach -> [detached]; attach -> [acquiring]; id -> release t1 i3 7@1022 issued 1 to 0
        id -> acquire t2 i3; grant 7 1022 1122 -> acquired [attached]; detach -> [detached]
        id -> release t2 i3 7@1022 issued 0 to 0
    "
}

#[test]
fn a_layout_that_ended_fails_at_once_and_for_good() {
    let layout: Layout = "timestamp:10 sequence:2 @0".parse().unwrap();
    let span = Span::new(&layout, 0, 1_000, 1_024).unwrap();
    let mut isolate = Isolate::default().leased(layout, 1_000, span, terms());
    // A span that reaches to the end of the layout is not renewed.
    isolate.id(1_000);
    isolate.id(1_023);
    let error = edgeflake::Error::LayoutEnded { now_ms: 1_024, end_ms: 1_024 }.into();
    assert_eq!(isolate.first_step(1_024), Step::Failed { error, retry_in_ms: None });
}

#[test]
fn renewals_are_spread_over_an_eighth_of_the_lease() {
    let mut ticks = std::collections::BTreeSet::new();
    for drawn in 0..if cfg!(miri) { 20 } else { 256 } {
        let isolate = Isolate { drawn: drawn * 13, ..Isolate::default() };
        let span = Span::new(&layout(), 7, 1_000, 1_100).unwrap();
        let mut isolate = isolate.leased(layout(), 1_000, span, terms());
        let due = (1_000..1_100).find(|now_ms| {
            matches!(isolate.first_step(*now_ms), Step::Send(call)
                if matches!(call.request, Request::Renew(_)))
        });
        ticks.insert(due.unwrap());
    }
    // The lease lasts 100 ms. It is renewed after 50 ms plus a random delay of up to an eighth of
    // the lease, which is 12 ms.
    let (first, last) = (ticks.pop_first().unwrap(), ticks.pop_last().unwrap());
    if cfg!(miri) {
        assert!(first >= 1_050 && last <= 1_062);
    } else {
        assert_eq!((first, last, ticks.len()), (1_050, 1_062, 11));
    }
}

#[test]
fn a_long_tick_is_waited_for() {
    let layout: Layout = "timestamp:40 node:4 sequence:2 @0 tick=100ms".parse().unwrap();
    let span = Span::new(&layout, 7, 10, 30).unwrap();
    let mut isolate = Isolate::default().leased(layout, 1_000, span, terms());
    assert_eq!(isolate.step(1_000, &mut Wait::default(), &mut [0; 5]), Step::Sleep { ms: 90 });
    // If the clock goes back by a tick (100 ms), the next request waits. If the clock goes back by
    // more, the holder swaps its lease.
    assert_eq!(isolate.first_step(900), Step::Sleep { ms: 190 });
    assert!(matches!(isolate.first_step(899), Step::Send(_)));
}

#[test]
fn five_seconds_are_waited_and_not_more() {
    for (tick_ms, waits) in [(2_000, true), (2_001, false)] {
        let text = format!("timestamp:40 node:4 sequence:2 @0 tick={tick_ms}ms");
        let layout: Layout = text.parse().unwrap();
        let span = Span::new(&layout, 7, 0, 30).unwrap();
        let terms = Terms { allowed_future_ms: 0, ..terms() };
        let mut isolate = Isolate::default().leased(layout, 1_000, span, terms);
        // A tick has 4 ids. The request begins 3 s before tick 2 and needs tick 3.
        let (mut wait, mut ids) = (Wait::default(), [0; 16]);
        let step = isolate.step(2 * tick_ms - 3_000, &mut wait, &mut ids[..]);
        let error = edgeflake::Error::Exhausted { retry_in_ms: 1 }.into();
        let failed = Step::Failed { error, retry_in_ms: Some(1) };
        assert_eq!(step, if waits { Step::Sleep { ms: 5_000 } } else { failed });
        if waits {
            assert_eq!(isolate.step(3 * tick_ms, &mut wait, &mut ids[..]), Step::Done);
        }
    }
}
