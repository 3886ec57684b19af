//! Tests holders that record their lease: what must be on disk first, and how another holder
//! resumes the lease. In the transcripts, `write` shows the record that must be written, and tells
//! the holder that it is written. `record` only shows the record.

use super::transcript::Player;
use crate::transcript::transcripts;

transcripts! { Player:
    #[test]
    fn ids_are_issued_up_to_what_is_written_down() "
        new storing; id -> acquire t0; grant 7 1000 61000 lease=60000 -> acquired [attached]
        id -> unwritten; write -> 7:1000..61000 below 2000; id -> 7:1000.0; @1999 id -> 7:1999.0
        @2000 id -> unwritten
        // The record was not confirmed.
        @2500 id -> unwritten; write -> 7:1000..61000 below 3500
        // When the clock goes back, the record still reserves all ticks that may be used.
        @1000 record -> 7:1000..61000 below 3500; @2500 id -> 7:2500.0; @2499 id -> 7:2500.1
        // The record of another lease does not count.
        @9000 record -> 7:1000..61000 below 10000; written t=9; @3500 id -> unwritten
    "

    /// The span starts at 5,000 and the allowed future is 10 ms, so the authority's clock has
    /// passed 4,990.
    #[test]
    fn a_record_reserves_beyond_the_time_of_the_authority() "
        new storing; @100 id -> acquire t0; grant 7 5000 61000 -> acquired [attached]
        write -> 7:5000..61000 below 6000; a=1 -> 7:5000.0; @2100 a+2000 -> 7:5000.0
        id -> unwritten; write -> 7:5000..61000 below 7990; id -> 7:6990.0
    "

    #[test]
    fn a_large_request_writes_as_often_as_it_must() "
        new storing; id -> acquire t0; grant 7 1000 61000 lease=60000 -> acquired [attached]
        record -> 7:1000..61000 below 2000; new storing -> [acquiring]
        resume below=1000 future=9000 lease=60000 -> 7:1000..61000 [attached]; a=10000 -> unwritten
        write -> 7:1000..61000 below 2000; a -> unwritten, 4000 taken
        write -> 7:1000..61000 below 3000; a -> unwritten, 8000 taken
        write -> 7:1000..61000 below 4000; a -> 7:1000.0..=3499.3
    "

    #[test]
    fn an_allowed_future_that_is_used_up_is_waited_for() "
        new storing; id -> acquire t0; grant 7 1000 61000 lease=60000 -> acquired [attached]
        record -> 7:1000..61000 below 2000; written below=1011; ids 44 -> 7:1000.0..=1010.3
        id -> unwritten; write -> 7:1000..61000 below 2011; id -> sleep 1, 1 taken
        @1001 id -> 7:1011.1
    "

    #[test]
    fn q11_another_holder_goes_on_behind_what_is_written_down() "
        new storing; id -> acquire t0; grant 7 1000 61000 lease=60000 -> acquired [attached]
        write -> 7:1000..61000 below 2000; @1300 id -> 7:1300.0
        // The new holder's clock is before the reserved tick 2,000, or after it.
        new storing drawn=100 -> [acquiring]; resume -> 7:2000..61000 [attached]
        incarnation -> Some(3); @1995 id -> unwritten; write -> 7:2000..61000 below 3000
        id -> 7:2000.0
        new storing drawn=100 -> [acquiring]; resume below=2000 -> 7:2000..61000 [attached]
        @5000 id -> unwritten; write -> 7:2000..61000 below 6000; id -> 7:5000.0
    "

    #[test]
    fn a_resumed_lease_is_renewed_with_its_token() "
        new storing; id -> acquire t0; grant 7 1000 61000 lease=60000 -> acquired [attached]
        write -> 7:1000..61000 below 2000; new storing drawn=100 -> [acquiring]
        resume -> 7:2000..61000 [attached]; @40000 id -> unwritten
        write -> 7:2000..61000 below 41000
        id -> renew t0 i3 7@40000 issued 1 to 0, 1 taken [renewing]
        renewed 100000 lease=60000 -> renewed [attached]
        // The later end is recorded with the next reservation.
        @41000 id -> unwritten; write -> 7:2000..100000 below 42000
    "

    #[test]
    fn a_lease_that_is_over_is_not_gone_on_with() "
        new storing; id -> acquire t0; grant 7 1000 61000 lease=60000 -> acquired [attached]
        write -> 7:1000..61000 below 2000; new storing -> [acquiring]
        resume -> 7:2000..61000 [attached]; @61000 id -> unwritten
        write -> 7:2000..61000 below 61000; id -> acquire t0 i3 [acquiring]
        // The whole span is reserved.
        new storing; @1000 id -> acquire t0; grant 7 1000 61000 lease=60000 -> acquired [attached]
        @60500 id -> unwritten; write -> 7:1000..61000 below 61000; new storing -> [acquiring]
        resume -> a span from tick 61000 until 61000 is empty: the end must be after the start
        span -> none
    "

    #[test]
    fn a_record_that_cannot_be_is_refused() "
        new storing; id -> acquire t0; grant 7 1000 61000 lease=60000 -> acquired [attached]
        write -> 7:1000..61000 below 2000; new storing -> [acquiring]
        resume nodes=4 -> the id or lease is of node 7, not 0; span -> none
        // If the record's tick is before the span, the holder resumes at the span's start.
        resume below=0 -> 7:1000..61000 [attached]
    "

    /// The next tick of the resumed lease is 2,000, and the allowed future is 10 ms.
    #[test]
    fn a_clock_that_went_back_over_a_restart_is_waited_for_or_swapped() "
        new storing; id -> acquire t0; grant 7 1000 61000 lease=60000 -> acquired [attached]
        write -> 7:1000..61000 below 2000; new storing drawn=100 -> [acquiring]
        resume -> 7:2000..61000 [attached]; @990 id -> unwritten; write -> 7:2000..61000 below 3000
        id -> sleep 1000, 1 taken
        new storing -> [acquiring]; @1000 id -> acquire t0
        grant 7 1000 61000 lease=60000 -> acquired [attached]; write -> 7:1000..61000 below 2000
        new storing drawn=100 -> [acquiring]; resume -> 7:2000..61000 [attached]
        @989 id -> unwritten; write -> 7:2000..61000 below 3000
        id -> acquire t0 i3 not 7 [acquiring]; grant 8 989 1089 -> acquired [attached]
        // The new lease is recorded in place of the old one before the old one is given back.
        id -> unwritten; write -> 8:989..1089 below 1089; id -> release t1 i3 7@2000 issued 0 to 0
        id -> 8:989.0
    "
}
