//! Tests holders that are bound to a layout and an incarnation, and what a holder does when its
//! sequencer is created or destroyed.

use super::transcript::Player;
use crate::transcript::transcripts;

transcripts! { Player:
    #[test]
    fn the_layout_that_is_bound_is_issued() "
        bind epoch=0; id -> acquire t0; grant 7 1000 1100 -> acquired [attached]; id -> 7:1000.0
        @1062 id -> renew t0 i3 7@1062 issued 2 to 0, 1 taken [renewing]; over -> false
    "

    #[test]
    fn s19_another_layout_is_an_error_and_its_lease_is_given_back() "
        bind epoch=1; id -> acquire t0; grant 7 1000 1100 -> other-layout [detached]
        id -> release t0 i3 7@1000 issued 0 to 0; attach; created; over -> true; id -> other-layout
        @9000000 id -> other-layout; ready -> other-layout; span -> none
        // The caller can still read the other configuration, to compare it.
        layout -> timestamp:40 node:4 sequence:2 @0 tick=1ms
        new prefetching -> [acquiring]; bind epoch=1; id -> prefetch
        batch 100 -> other-layout [detached]; over -> true; id -> other-layout
        @1000 id -> other-layout; ready -> other-layout
    "

    /// Here the reply to a renewal says that the sequencer was destroyed, or created again. The
    /// fourth holder is told so by another request of its isolate.
    #[test]
    fn s23_a_destroyed_one_stays_dead() "
        bind; id -> acquire t0; grant 7 1000 1100 -> acquired [attached]
        @1062 id -> renew t0 i3 7@1062 issued 1 to 0, 1 taken [renewing]
        refused destroyed i=3 -> sequencer-destroyed [destroyed]; over -> true; attach; created
        id -> sequencer-destroyed; @9000000 id -> sequencer-destroyed; ready -> sequencer-destroyed
        span -> none
        new holder -> [acquiring]; bind; id -> acquire t0
        grant 7 9000000 9000100 -> acquired [attached]
        @9000062 id -> renew t0 i3 7@9000062 issued 1 to 0, 1 taken [renewing]
        refused other i=4 -> other-incarnation [destroyed]; over -> true; created
        id -> other-incarnation
        new holder -> [acquiring]; bind; @9000124 id -> acquire t0
        grant 7 9000124 9000224 -> acquired [attached]; destroyed 3 -> [destroyed]; over -> true
        created; attach; id -> sequencer-destroyed
        // An unbound holder takes a lease of the next incarnation.
        new holder -> [acquiring]; id -> acquire t0; grant 7 9000124 9000224 -> acquired [attached]
        @9000186 id -> renew t0 i3 7@9000186 issued 1 to 0, 1 taken [renewing]
        refused other i=4 -> other-incarnation [acquiring]; over -> false
        @9000300 id -> acquire t1 i4
    "

    #[test]
    fn what_is_no_end_is_none() "
        bind; id -> acquire t0; grant 7 1000 1100 -> acquired [attached]
        @1062 id -> renew t0 i3 7@1062 issued 1 to 0, 1 taken [renewing]
        refused unknown i=0 -> unknown-sequencer [acquiring]; over -> false; incarnation -> Some(3)
        @9000 id -> acquire t1 i3; grant 7 9000 9100 -> acquired [attached]
        @9062 id -> renew t1 i3 7@9062 issued 1 to 0, 1 taken [renewing]
        refused overloaded ms=9 -> overloaded [attached]; over -> false; incarnation -> Some(3)
        @20000 id -> acquire t2 i3 [acquiring]
        // The shard was restored, or has not heard of the incarnation yet.
        grant 7 20000 20100 -> acquired [attached]
        @20062 id -> renew t2 i3 7@20062 issued 1 to 0, 1 taken [renewing]
        refused destroyed i=2 -> sequencer-destroyed [destroyed]; over -> false
        incarnation -> Some(3); @30000 id -> acquire t3 i3 [acquiring]
        grant 7 30000 30100 -> acquired [attached]
        @30062 id -> renew t3 i3 7@30062 issued 1 to 0, 1 taken [renewing]
        refused other i=2 -> other-incarnation [acquiring]; over -> false; incarnation -> Some(3)
        @40000 id -> acquire t4 i3
        // A holder that has had no grant waits until the sequencer is created.
        new holder; bind; id -> acquire t0; refused destroyed i=1 -> sequencer-destroyed [destroyed]
        over -> false; incarnation -> None
    "

    #[test]
    fn a_given_incarnation_is_asked_for() "
        bind i=3; id -> acquire t0 i3; grant 7 1000 1100 -> acquired [attached]; id -> 7:1000.0
        new holder -> [acquiring]; bind i=3; id -> acquire t0 i3
        refused other i=4 -> other-incarnation [destroyed]; over -> true; id -> other-incarnation
    "

    #[test]
    fn a_record_of_something_else_is_not_gone_on_with() "
        new storing; id -> acquire t0; grant 7 1000 1100 -> acquired [attached]
        record -> 7:1000..1100 below 1100; new storing -> [acquiring]; bind
        resume below=1010 -> 7:1010..1100 [attached]
        new storing -> [acquiring]; bind epoch=0 i=3; resume below=1010 -> 7:1010..1100 [attached]
        new storing -> [acquiring]; bind epoch=1
        resume below=1010 -> the holder is bound to another layout: change the sequencer, or use its layout
        span -> none; over -> false
        new storing; bind i=4
        resume below=1010 -> incarnation 3 is not the sequencer's: acquire another lease
        span -> none; over -> false
        // The holder stays bound to the incarnation of the record that it resumed from.
        new storing; bind; resume below=1010 -> 7:1010..1100 [attached]
        resume below=1010 i=4 -> incarnation 4 is not the sequencer's: acquire another lease
        id -> unwritten
    "
}
