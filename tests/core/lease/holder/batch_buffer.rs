//! Tests batches while no node is free: how many ids each has, how long it is used, and what ends
//! it.

use super::transcript::Player;
use crate::transcript::transcripts;

transcripts! { Player:
    #[test]
    fn s34_h5_h13_where_no_node_is_free_ids_come_from_batches_until_there_is_one() "
        // The first call for a batch comes at once, without a pause.
        a=1 -> acquire t0; refused full ms=60000 -> no-node-free; a -> prefetch
        batch 100 -> prefetched [batching]; a -> 0:1000.0
        // The holder asks for a span after about 2 s, then after twice as long, and no request
        // waits for the reply. While the holder has a span, it fetches no batches.
        @3007 id -> 0:1000.1; @3030 id -> acquire t0 i3, 1 taken; id -> 0:1000.3
        refused full ms=60000 -> no-node-free; id -> 0:1001.0; @7077 id -> 0:1001.1
        @7137 id -> acquire t0 i3, 1 taken; grant 7 7137 7237 -> acquired [attached]; id -> 7:7137.0
        @7236 id -> renew t0 i3 7@7236 issued 2 to 0, 1 taken [renewing]; ended -> ended [attached]
        @7237 id -> acquire t1 i3 [acquiring]; refused full ms=60000 -> no-node-free [attached]
        a=1 -> prefetch; batch 100 -> prefetched [batching]; a -> 0:1026.0
    "

    /// The first call of a holder that only prefetches names no number of ids if one id is missing.
    /// If more ids are missing, the call names their number, but at least the default of 100.
    #[test]
    fn h20_one_is_fetched_while_one_is_used() "
        new prefetching; ids 2 -> prefetch 100; new prefetching; ids 100 -> prefetch 100
        new prefetching; ids 101 -> prefetch 101
        new prefetching; a=1 -> prefetch; batch 100 -> prefetched [batching]
        layout -> timestamp:40 node:4 sequence:2 @0 tick=1ms; incarnation -> Some(3); a -> 0:1000.0
        ids 49 -> 0:1000.1..=1012.1
        // No request waits for the batch.
        id -> prefetch 100, 1 taken; ids 48 -> 0:1012.3..=1024.2; a=1 -> 0:1024.3 [acquiring]
        batch 100 -> prefetched [batching]; a -> 0:1024.3; ids 40 -> 0:1026.0..=1035.3
        detach -> [detached]; id -> detached; attach -> [acquiring]; id -> prefetch
    "

    #[test]
    fn a_large_request_is_filled_from_several_batches() "
        new prefetching; a=1 -> prefetch; batch 100 -> prefetched [batching]; a -> 0:1000.0
        a=1000 -> prefetch 901, 99 taken [acquiring]; batch 901 -> prefetched [batching]
        a -> prefetch 1802, 1000 taken [acquiring]; batch 1802 -> prefetched [batching]
        a -> 0:1000.1..=1251.0
    "

    #[test]
    fn h8_a_holder_may_say_how_many_ids_a_batch_has_and_how_long_it_is_used() "
        new prefetching count=10 validity=50; a=1 -> prefetch 10; batch 10 -> prefetched [batching]
        a -> 0:1000.0; @1049 id -> 0:1000.1; @1050 a=1 -> prefetch 10; batch 10 -> prefetched
        a -> 0:1003.0
        // The configured size also counts after the holder was detached.
        detach -> [detached]; attach -> [acquiring]; ids 5 -> prefetch 10
        new prefetching validity=0; @1000 a=1 -> prefetch; batch 100 -> prefetched [batching]
        @9999999999 id -> 0:1000.0
    "

    /// Here the clock has gone back since the batch came.
    #[test]
    fn a_batch_of_the_future_is_valid() "
        new prefetching; @5000 id -> prefetch; batch 100 -> prefetched [batching]
        @1000 id -> 0:1000.0
    "

    #[test]
    fn large_requests_leave_small_ones_their_ids() "
        new prefetching; A=2000 -> prefetch 1000; B=1 -> sleep 1; batch 500 -> prefetched [batching]
        A -> prefetch 100, 499 taken; B -> 0:1124.3 [acquiring]
        // An id is kept for C, but not for ever: C has not asked for 5 s, and D gets the id.
        C=1 -> sleep 1; batch 10 -> prefetched [batching]; A -> prefetch 1000, 508 taken
        @6001 D=1 -> prefetch 100, try 1, 1 taken [acquiring]
    "

    #[test]
    fn where_there_is_no_batch_either_a_span_is_asked_for_again() "
        id -> acquire t0; refused full ms=60000 -> no-node-free; id -> prefetch
        refused exhausted ms=300 -> batches-exhausted; @1150 id -> sleep 1; @1151 id -> acquire t0
        grant 7 1151 1251 -> acquired [attached]
    "

    #[test]
    fn a_batch_that_does_not_fit_is_not_used() "
        // The layout does not have the batch's node or counters, or the batch is empty.
        new prefetching; a=1 -> prefetch; batch 100 node=16 -> too-large; a -> sleep 50
        new prefetching; a=1 -> prefetch; batch 100 sequence=4 -> too-large; a -> sleep 50
        new prefetching; a=1 -> prefetch; batch 0 -> invalid-span; a -> sleep 50
        new prefetching; a=1 -> prefetch; batch 100 until=99999999999999 -> invalid-span
        a -> sleep 50
        // The batch is of an incarnation that the holder does not know.
        new prefetching; a=1 -> prefetch; batch 100 -> prefetched [batching]; a -> 0:1000.0
        ids 98 -> prefetch 100, 98 taken; a=2 -> sleep 1, 1 taken [acquiring]
        batch 100 i=9 -> unexpected-reply; a -> sleep 50, 1 taken
    "

    #[test]
    fn what_ends_a_lease_ends_batches() "
        new prefetching; a=1 -> prefetch; batch 100 -> prefetched [batching]; a -> 0:1000.0
        ids 49 -> 0:1000.1..=1012.1; id -> prefetch 100, 1 taken
        refused destroyed i=4 -> sequencer-destroyed [destroyed]
        id -> sequencer-destroyed, retry in 2015
        new prefetching -> [acquiring]; a=1 -> prefetch; batch 100 -> prefetched [batching]
        a -> 0:1000.0; ids 49 -> 0:1000.1..=1012.1; id -> prefetch 100, 1 taken
        refused other i=4 -> other-incarnation [acquiring]; id -> sleep 50; incarnation -> Some(4)
    "

    #[test]
    fn batches_double_while_they_are_short_and_halve_when_they_are_long() "
        new prefetching base=10; @1000 a=1 -> prefetch; batch 40 -> prefetched [batching]
        a -> 0:1000.0; @1999 ids 39 -> prefetch 80, 39 taken [acquiring]
        new prefetching base=10; @1000 a=1 -> prefetch; batch 40 -> prefetched [batching]
        a -> 0:1000.0; @2000 ids 39 -> prefetch 40, 39 taken [acquiring]
        new prefetching base=10; @1000 a=1 -> prefetch; batch 40 -> prefetched [batching]
        a -> 0:1000.0; @4999 ids 39 -> prefetch 40, 39 taken [acquiring]
        new prefetching base=10; @1000 a=1 -> prefetch; batch 40 -> prefetched [batching]
        a -> 0:1000.0; @5000 ids 39 -> prefetch 20, 39 taken [acquiring]
        // The number of ids is never below the authority's setting, and never above the maximum.
        new prefetching base=10; @1000 a=1 -> prefetch; batch 19 -> prefetched [batching]
        a -> 0:1000.0; @5000 ids 18 -> prefetch 10, 18 taken [acquiring]
        new prefetching base=10; @1000 a=1 -> prefetch; batch 50001 -> prefetched [batching]
        a -> 0:1000.0; ids 50000 -> prefetch 100000, 50000 taken [acquiring]
    "

    /// A validity of 0 means no limit.
    #[test]
    fn h6_h18_h19_a_batch_is_used_for_as_long_as_it_is_valid() "
        new prefetching; @1000 a=1 -> prefetch; batch 9 -> prefetched [batching]; a -> 0:1000.0
        @600999 id -> 0:1000.1; @601000 id -> prefetch 100
        new prefetching valid=1 -> [acquiring]; @1000 a=1 -> prefetch
        batch 9 -> prefetched [batching]; a -> 0:1000.0; id -> 0:1000.1; @1001 id -> prefetch 100
        new prefetching valid=0 -> [acquiring]; @1000 a=1 -> prefetch
        batch 9 -> prefetched [batching]; a -> 0:1000.0; @9223372036854775807 id -> 0:1000.1
    "

    /// A request's first waits for each call are short, even after long waits for earlier calls.
    #[test]
    fn a_request_of_many_batches_looks_soon_after_each_call() "
        new prefetching; a=12 -> prefetch 100; @1100 a+100 -> sleep 25; a+25 -> sleep 25
        batch 4 -> prefetched [batching]; a -> prefetch 100, 4 taken [acquiring]
        a -> sleep 1, 4 taken; a+7 -> sleep 1, 4 taken; a+1 -> sleep 2, 4 taken
        @1900 a+300 -> sleep 25, 4 taken; batch 4 -> prefetched [batching]
        a -> prefetch 100, 8 taken [acquiring]; a -> sleep 1, 8 taken; a+7 -> sleep 1, 8 taken
        a+1 -> sleep 2, 8 taken; batch 4 -> prefetched [batching]
        a -> prefetch 100, 12 taken [acquiring]
    "

    /// If no future is allowed, a batch has at most the ids of one tick. A request that begins
    /// later still waits its full time, whatever calls came before.
    #[test]
    fn batches_that_are_too_small_are_no_silent_authority() "
        new prefetching; A=2000 -> prefetch 1000; batch 4 -> prefetched [batching]
        run A batch=4 calls=999 -> exhausted, retry in 25, 1004 taken, 5000 ms, 250 calls [acquiring]
        B=1 -> prefetch 100; batch 4 -> prefetched [batching]; B -> 0:1502.0
        new prefetching -> [acquiring]; A=2000 -> prefetch 1000
        run A -> authority-unreachable, retry in 25, 4979 ms, 2 calls; B=1 -> sleep 1
        run B -> authority-unreachable, retry in 25, 4996 ms, 0 calls
        new prefetching; A=2000 -> prefetch 1000; batch 4 -> prefetched [batching]
        run A batch=4 calls=10 -> exhausted, retry in 25, 44 taken, 4979 ms, 13 calls [acquiring]
        B=1 -> sleep 1; run B -> authority-unreachable, retry in 25, 4996 ms, 0 calls
    "
}
