//! Tests when a holder sends calls, and which replies count. Batches have their own file.

use edgeflake::lease::{CallFailure, Refusal, Request, Step};

use super::isolate::{Isolate, refused};
use super::transcript::Player;
use crate::transcript::transcripts;

transcripts! { Player:
    /// Ids can reveal the generator's seed, so seed and secret token are drawn separately.
    #[test]
    fn s3_many_cold_requests_make_one_call() "
        a=1 -> acquire t0; b=1 -> sleep 1; c=1 -> sleep 1; drawn -> 2
        @1003 grant 7 1000 1100 -> acquired [attached]; a -> 7:1003.0; b -> 7:1003.1; c -> 7:1003.2
    "

    #[test]
    fn a_reply_says_what_it_changed() "
        id -> acquire t0; @1001 grant 7 1000 1100 -> acquired [attached]
        #0 grant 7 1000 1100 -> dropped; span -> 7:1000..1100; incarnation -> Some(3)
        layout -> timestamp:40 node:4 sequence:2 @0 tick=1ms
        @1070 id -> renew t0 i3 7@1070 issued 1 to 0, 1 taken [renewing]
        @1071 renewed 1170 -> renewed [attached]
        @1140 id -> renew t0 i3 7@1140 issued 2 to 0, 1 taken [renewing]; ended -> ended [attached]
        new holder -> [acquiring]; id -> acquire t0; lost -> authority-unreachable
        @2000 id -> acquire t0; batch 100 -> unexpected-reply; @3000 id -> acquire t0
        refused full ms=60000 -> no-node-free
    "

    #[test]
    fn a_grant_that_does_not_fit_is_not_adopted() "
        id -> acquire t0; grant 7 1000 1100 nodes=7 -> unexpected-reply; span -> none
        @2000 id -> acquire t0; grant 7 1000 1100 t=9 -> unexpected-reply; span -> none
        @4000 id -> acquire t0; grant 7 4000 4100 -> acquired [attached]
        @4100 id -> acquire t1 i3 [acquiring]; grant 8 4100 4200 i=4 -> unexpected-reply [attached]
        span -> 7:4000..4100
    "

    #[test]
    fn a_call_without_a_reply_is_sent_again_with_the_same_number_and_token() "
        id -> acquire t0; @2499 id -> sleep 1; @2500 id -> acquire t0, try 1; @5499 id -> sleep 1
        @5500 id -> acquire t0, try 2; @5501 #1 grant 7 5500 5600 -> acquired [attached]
        @5502 #2 grant 8 5500 5600 -> dropped; span -> 7:5500..5600; id -> 7:5502.0
    "

    #[test]
    fn a_frozen_clock_does_not_stop_the_deadlines() "
        a=1 -> acquire t0; a -> sleep 1; a+1 -> sleep 1; a+1 -> sleep 1; a+1497 -> sleep 25
        a+1 -> acquire t0, try 1; a+2999 -> sleep 1; a+1 -> sleep 1; a+474 -> sleep 25
        a+25 -> authority-unreachable, retry in 25
    "

    // The fourth call waits for 12 s. When the clock goes back, at most 4 s of this wait are left,
    // so that one request, which waits for at most 5 s, can send the retry.
    #[test]
    fn a_clock_that_goes_back_does_not_stop_the_deadlines() "
        @3600000 id -> acquire t0; @1000 id -> sleep 1; @2499 id -> sleep 1
        @2500 id -> acquire t0, try 1; @5499 id -> sleep 1; @5500 id -> acquire t0, try 2
        id -> sleep 1; @11499 id -> sleep 1; @11500 id -> acquire t0, try 3; id -> sleep 1
        @1000 id -> sleep 1; @4999 id -> sleep 1; @5000 id -> acquire t0, try 4
    "

    #[test]
    fn a_request_waits_five_seconds_at_most() "
        a=1 -> acquire t0; @1001 a -> sleep 1; @5999 a -> acquire t0, try 1
        @6000 a -> authority-unreachable, retry in 25
    "

    /// While a request waits for a call, it checks again after a quarter of its wait so far, but
    /// after at least 1 and at most 25 ms.
    #[test]
    fn a_request_that_waits_for_the_call_of_another_looks_again_soon() "
        id -> acquire t0; a=1 -> sleep 1; a+7 -> sleep 1; a+1 -> sleep 2; a+32 -> sleep 10
        a+60 -> sleep 25; a+1300 -> sleep 25
    "

    #[test]
    fn a_refusal_says_when_to_come_back() "
        a=1 -> acquire t0; refused full ms=60000 -> no-node-free; a -> prefetch
        refused full ms=60000 -> no-node-free; @6000 a -> no-node-free, retry in 60000
        new holder; @1000 id -> acquire t0; refused full ms=60000 -> no-node-free; id -> prefetch
        refused exhausted ms=300 -> batches-exhausted; @1100 a=1 -> sleep 51; @1151 a -> acquire t0
        refused exhausted ms=300 -> batches-exhausted; @6200 a -> batches-exhausted, retry in 300
    "

    /// Waiting does not help the caller, so the error names no time. The holder still retries from
    /// time to time.
    #[test]
    fn what_no_wait_helps_against_fails_at_once_without_a_retry() "
        id -> acquire t0; refused outside ms=1000 -> before-epoch; id -> before-epoch
        @5000 id -> acquire t0; refused outside ms=9000 -> layout-ended; id -> layout-ended
        @9000 id -> acquire t0; refused unreadable -> authority-unreadable
        id -> authority-unreadable; @13000 id -> acquire t0
        refused unsuitable -> invalid-configuration; id -> invalid-configuration
        @17000 id -> acquire t0; refused misconfigured -> invalid-configuration
        id -> invalid-configuration; @21000 id -> acquire t0
        grant 7 21000 21100 -> acquired [attached]
        @21060 id -> renew t0 i3 7@21060 issued 1 to 0, 1 taken [renewing]
        // The lease is used to its end.
        refused unreadable -> authority-unreadable [attached]; id -> 7:21060.1
    "

    #[test]
    fn a_destroyed_sequencer_fails_at_once_and_comes_back() "
        id -> acquire t0; grant 7 1000 1100 -> acquired [attached]
        @1050 id -> renew t0 i3 7@1050 issued 1 to 0, 1 taken [renewing]
        refused destroyed -> sequencer-destroyed [destroyed]; span -> none; incarnation -> None
        id -> sequencer-destroyed, retry in 2023; ready -> sequencer-destroyed
        @3073 id -> acquire t1 [acquiring]; refused unknown -> unknown-sequencer
        id -> unknown-sequencer, retry in 2039; @5112 id -> acquire t2
        grant 7 5112 5212 i=4 -> acquired [attached]; id -> 7:5112.0; incarnation -> Some(4)
    "

    /// The pause is longer than any request waits. If the clock stands still, a timer of 4 s ends
    /// the pause.
    #[test]
    fn a_long_pause_ends_for_a_request_whose_clock_stands_still() "
        id -> acquire t0; refused overloaded ms=60000 -> overloaded
        @1001 id -> overloaded, retry in 60200; @1000 a=1 -> sleep 4000; a+3999 -> sleep 1
        a+1 -> acquire t0
    "

    #[test]
    fn an_overloaded_authority_is_left_alone_for_longer_and_longer() "
        id -> acquire t0; refused overloaded ms=1200 -> overloaded; created; id -> sleep 1401
        @2401 id -> acquire t0; refused overloaded ms=1200 -> overloaded; id -> sleep 1604
        @4005 id -> acquire t0; refused overloaded ms=1200 -> overloaded; id -> sleep 2012
        // After a grant, the pauses begin at their shortest again. A refusal does not end the span.
        @6017 id -> acquire t0; grant 7 6017 6117 -> acquired [attached]; id -> 7:6017.0
        @6072 id -> renew t0 i3 7@6072 issued 2 to 0, 1 taken [renewing]
        refused overloaded ms=1200 -> overloaded [attached]; id -> 7:6072.1; @6116 id -> 7:6116.0
        @6117 id -> sleep 1359
    "

    /// A large request gives up. The next large request then behaves as if it were the first.
    #[test]
    fn a_request_that_failed_is_in_nobodys_way() "
        id -> acquire t0; grant 7 1000 1100 -> acquired [attached]
        @5000 A=2000 -> acquire t1 i3 [acquiring]
        run A -> authority-unreachable, retry in 25, 4979 ms, 2 calls; B=2000 -> sleep 1
    "

    /// If a request took its ids before the clock went back, its timers decide when it is answered.
    #[test]
    fn a_clock_that_goes_back_while_ids_are_waited_for() "
        id -> acquire t0; grant 7 1000 9000 lease=8000 -> acquired [attached]
        A=100 -> sleep 14, 100 taken; @10 A+5 -> sleep 9, 100 taken; A+9 -> 7:1000.0..=1024.3
        new holder -> [acquiring]; @1000 id -> acquire t0
        grant 7 1000 9000 lease=8000 -> acquired [attached]; A=2000 -> sleep 11, 124 taken
        @10 A+14 -> acquire t1 i3 not 7, 124 taken [acquiring]; A+900 -> sleep 1, 124 taken
    "

    #[test]
    fn what_is_there_is_ready() "
        ready -> authority-unreachable; id -> acquire t0; ready -> authority-unreachable
        grant 7 1000 1100 -> acquired [attached]; ready -> ready; id -> 7:1000.0
        ids 43 -> 7:1000.1..=1010.3; ready -> exhausted; id -> sleep 1, 1 taken
        @1099 ready -> ready; @1100 ready -> span-ended
        new storing -> [acquiring]; @1000 id -> acquire t0
        grant 7 1000 9000 lease=8000 -> acquired [attached]; ready -> unwritten
        write -> 7:1000..9000 below 2000; ready -> ready; @2001 ready -> unwritten
        new holder -> [acquiring]; @1000 id -> acquire t0; refused overloaded ms=2000 -> overloaded
        ready -> overloaded; detach -> [detached]; ready -> detached
        new prefetching -> [acquiring]; a=1 -> prefetch; ready -> authority-unreachable
        batch 4 -> prefetched [batching]; ready -> ready; a -> 0:1000.0
        ids 2 -> prefetch 100, 2 taken; ready -> ready; id -> 0:1000.3 [acquiring]
        ready -> authority-unreachable
    "

    #[test]
    fn s22_a_holder_that_is_told_drops_its_lease_at_once() "
        id -> acquire t0; grant 7 1000 1100 -> acquired [attached]; @1010 destroyed 2
        id -> 7:1010.0; @1060 id -> renew t0 i3 7@1060 issued 2 to 0, 1 taken [renewing]
        destroyed 3 -> [destroyed]; span -> none; id -> sequencer-destroyed, retry in 4000
        // A late reply does not bring the lease back.
        @1061 grant 7 1000 2000 -> dropped; id -> sequencer-destroyed, retry in 3999
        // If the sequencer is created again through the same isolate, the isolate can use it at
        // once.
        created -> [acquiring]; id -> acquire t1; grant 7 1061 1161 -> acquired [attached]
        id -> 7:1061.0
    "

    #[test]
    fn what_is_about_a_lease_goes_to_its_shard() "
        id -> acquire t0; grant 1 1000 1100 shards=4 -> acquired [attached]
        @1050 id -> renew t0 i3 1@1050 issued 1 to 0, 1 taken [renewing]; detach -> [detached]
        id -> release t0 i3 1@1051 issued 1 to 0; attach -> [acquiring]; id -> acquire t1 i3
        grant 7 1000 1100 shards=4 -> acquired [attached]
        @1060 id -> renew t1 i3 7@1060 issued 1 to 1, 1 taken [renewing]; detach -> [detached]
        id -> release t1 i3 7@1061 issued 1 to 1; attach -> [acquiring]; id -> acquire t2 i3
        grant 15 1000 1100 shards=4 -> acquired [attached]
        @1064 id -> renew t2 i3 15@1064 issued 1 to 3, 1 taken [renewing]; detach -> [detached]
        id -> release t2 i3 15@1065 issued 1 to 3
    "
}

/// `pauses` lists the longest pause after each failure, in ms; the last entry holds for all further
/// failures. A drawn pause is at least half as long. The test also shows that nothing overflows.
#[test]
fn pauses_grow_up_to_a_maximum() {
    let overloaded = Ok(refused(Refusal::Overloaded { retry_in_ms: 1_200 }));
    let (full, unknown) = (Refusal::NoNodeFree { retry_in_ms: 1 }, Refusal::UnknownSequencer);
    let full = Ok(refused(full));
    // If a refusal names a turn (a time for the retry), the pause begins at that turn.
    for (reply, turn_ms, pauses) in [
        (Err(CallFailure), 0, &[100, 200, 400, 800, 1_600, 3_200, 4_000][..]),
        (overloaded, 1_200, &[400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200, 60_000]),
        (full, 0, &[4_000, 8_000, 16_000, 32_000, 64_000]),
        (Ok(refused(unknown)), 0, &[4_000]),
    ] {
        for drawn in [0, 127, 254] {
            let mut isolate = Isolate { drawn, ..Isolate::default() };
            let mut now_ms = 1_000;
            for failed in 0..if cfg!(miri) { 20 } else { 200 } {
                let call = isolate.sent(now_ms);
                assert!(matches!(call.request, Request::Acquire(_)), "{reply:?}");
                isolate.holder.receive(now_ms, call.number, reply);
                let most_ms = pauses[failed.min(pauses.len() - 1)];
                let is_acquire = |step| match step {
                    Step::Send(call) => matches!(call.request, Request::Acquire(_)),
                    _ => false,
                };
                let early = isolate.first_step(now_ms + turn_ms + most_ms / 2 - 1);
                assert!(!is_acquire(early), "{reply:?}: {failed}");
                if reply == full {
                    // Meanwhile the holder asks for a batch, and is refused the batch too.
                    let Step::Send(call) = early else { panic!("{early:?}") };
                    isolate.receive(now_ms, call, refused(Refusal::Overloaded { retry_in_ms: 0 }));
                }
                now_ms += turn_ms + most_ms;
            }
        }
    }
}
