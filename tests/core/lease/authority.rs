//! Tests which node an authority grants, for which ticks, and what it refuses.

use edgeflake::lease::{Authority, BoundConfig, Error, Row, Sequencer, Settings, Status, Terms};
use edgeflake::{Layout, SequenceStart};

use super::objects::Objects;
use crate::transcript::transcripts;

const LEASE_MS: u64 = 100;

/// Ticks of 1 ms start at 0, so that a tick is a time in ms.
fn layout() -> Layout {
    "timestamp:20 node:4 sequence:2 @0".parse().unwrap()
}

fn settings() -> Settings {
    let terms = Terms { lease_ms: LEASE_MS, allowed_future_ms: 40, ..Terms::default() };
    Settings { terms, clock_disagreement_max_ms: 10, ..Settings::default() }
}

/// Makes a sequencer that grants `node_count` nodes from 4 on. Node 3 is kept for batches.
fn sequencer(node_count: u64) -> Sequencer {
    let config = BoundConfig::new(layout(), 3, node_count + 1, 1).unwrap();
    Sequencer::new(config)
}

fn load(node_count: u64, rows: &[(u64, Row)]) -> Result<Authority, Error> {
    Authority::load(0, Some(sequencer(node_count)), settings(), rows.iter().copied())
}

// With `first=3`, node 3 is kept for batches.
transcripts! { Objects:
    #[test]
    fn h10_h14_q10_nodes_never_used_come_first_then_those_free_longest() "
        new first=3; acquire 1 -> 4:1000..1100; @1001 acquire 2 -> 5:1001..1101
        // Node 4 is free, but has not been free for a whole lease time yet.
        @1199 acquire 3 -> 6:1199..1299; acquire 4 -> 4:1199..1299; acquire 5 -> 5:1199..1299
        @1200 acquire 6 -> no-node-free 99; @1299 acquire 6 -> 4:1299..1399
        // A node that was free for a lease time is granted before one that was never used.
        new first=3; @1000 acquire 1 -> 4:1000..1100; @1199 acquire 2 -> 5:1199..1299
        @1200 acquire 3 -> 4:1200..1300
    "

    #[test]
    fn s8_s32_a_holder_that_acquires_again_gets_another_node() "
        new first=3 nodes=3; acquire 1 -> 4:1000..1100; release 1 4 1010 -> released
        @1020 acquire 2 -> 5:1020..1120
    "

    /// Here the authority's clock is first far behind, so the node looks held, and later far ahead.
    #[test]
    fn s8_h12_a_node_is_granted_from_the_end_of_its_newest_span_whatever_the_clock_says() "
        new first=3 nodes=2; acquire 1 -> 4:1000..1100; @10 acquire 2 -> no-node-free 1090
        @1099 acquire 2 -> no-node-free 1; @1100 acquire 2 -> 4:1100..1200
        @87400 acquire 3 -> 4:87400..87500
    "

    #[test]
    fn a_released_node_is_free_when_its_end_is_within_the_allowed_future() "
        // If node 4 were granted now, its holder could issue no ids, and would ask for no batch.
        new first=3 nodes=2; load 4:1000..1090; @1010 acquire 1 -> no-node-free 40
        @1049 acquire 1 -> no-node-free 1; @1050 acquire 1 -> 4:1090..1150
        // The refusal names the time until the first node becomes free.
        new first=3 nodes=3; load 4:1000..1090 5:1000..1060t9; @1010 acquire 1 -> no-node-free 40
        load 4:1000..1090 5:1000..1049t9; @1010 acquire 1 -> no-node-free 39
    "

    #[test]
    fn a_retry_gets_the_same_answer_while_half_of_the_span_is_left() "
        new first=3 nodes=3; acquire 1 -> 4:1000..1100; @1050 acquire 1 -> 4:1000..1100
        @1051 acquire 1 -> 5:1051..1151; @1052 acquire 1 -> 5:1051..1151
        // The holder can renew the span that it adopted, whichever of the two that is.
        @1060 renew 1 4 1060 -> until 1160; renew 1 5 1060 -> until 1160
    "

    #[test]
    fn an_excluded_node_is_not_granted() "
        new first=3 nodes=3; load 4:1..10 5:1..20; acquire 1 not=4 -> 5:1000..1100
        new first=3 nodes=3; acquire 1 not=5 -> 4:1000..1100
        new first=3 nodes=3; acquire 1 not=4 -> 5:1000..1100
        // Here node 4 is unused, although node 5 has a row.
        new first=3; load 5:1..2000; acquire 1 not=4 -> 6:1000..1100
    "

    #[test]
    fn clocks_that_disagree_are_refused_at_a_grant_or_batch_only() "
        new first=3 disagreement=10; acquire 1 clock=989 -> clock-disagreement 1000 989 10
        acquire 1 clock=1011 -> clock-disagreement 1000 1011 10; row 4 -> none
        acquire 1 clock=990 -> 4:1000..1100; acquire 1 clock=1010 -> 4:1000..1100
        @1050 renew 1 4 1000 clock=1 -> until 1150
        prefetch clock=1039 -> clock-disagreement 1050 1039 10
        prefetch clock=1061 -> clock-disagreement 1050 1061 10
        prefetch clock=1040 -> 3:1050.0..1075.0; prefetch clock=1060 -> 3:1075.0..1091.0
    "

    #[test]
    fn a_renewal_comes_at_most_one_lease_late() "
        new first=3; acquire 1 -> 4:1000..1100; @1200 renew 1 4 1200 -> until 1200
        @1301 renew 1 4 1301 -> ended
    "

    #[test]
    fn tokens_differ() "
        new; acquire 1 -> 1:1000..1100; acquire 18446744073709551616 -> 2:1000..1100
        acquire 18446744073709551617 -> 3:1000..1100; @1001 acquire 1 -> 1:1000..1100
        acquire 18446744073709551616 -> 2:1000..1100; acquire 18446744073709551617 -> 3:1000..1100
    "

    #[test]
    fn the_last_lease_is_cut_at_the_end_of_the_layout() "
        new first=3; @1048546 acquire 1 -> 4:1048546..1048576
        @1048575 renew 1 4 1048575 -> until 1048576
        @1048576 acquire 2 -> layout-ended 1048576 0 1048576
        @18446744073709551615 acquire 2 -> layout-ended 18446744073709551615 0 1048576
    "

    /// The sums of issued ids never exceed the largest exact JavaScript number, 2^53 - 1.
    #[test]
    fn reports_count_once_and_add_up() "
        new first=3 nodes=2; acquire 1 -> 4:1000..1100; @1050 renew 1 4 1050 issued=70 -> until 1150
        row 4 -> 1000..1150.0 held issued 70 of 70; renew 1 4 1050 issued=70 -> until 1150
        renew 1 4 1050 issued=60 -> until 1150; renew 1 4 1050 -> until 1150
        row 4 -> 1000..1150.0 held issued 70 of 70; @1060 renew 1 4 1060 issued=90 -> until 1160
        row 4 -> 1000..1160.0 held issued 90 of 90; release 1 4 1100 issued=1100 -> released
        row 4 -> 1000..1100.0 free issued 1100 of 1100; @1100 acquire 2 -> 4:1100..1200
        @1150 renew 2 4 1150 issued=5 -> until 1250; row 4 -> 1100..1250.0 held issued 5 of 1105
        renew 2 4 1150 issued=18446744073709551615 -> until 1250
        row 4 -> 1100..1250.0 held issued 9007199254740991 of 9007199254740991
        status -> 1 1 1 9007199254740991
    "

    #[test]
    fn rows_that_this_shard_cannot_have_written_are_refused() "
        new first=3 nodes=3; load 4:5..5 5:0..1048576; load 2:1..2 -> StoredRow { node: 2 }
        load 6:1..2 -> StoredRow { node: 6 }; load 4:2..1 -> StoredRow { node: 4 }
        load 4:1..1048577 -> StoredRow { node: 4 }
        // A span ends with a whole tick, so the sequence at which the row of a granted node ends
        // must be 0.
        load 4:0..1000.1 -> StoredRow { node: 4 }; load 3:0..1000.3; load 3:0..1048576
        load 3:0..1000.4 -> StoredRow { node: 3 }; load 3:0..1048576.1 -> StoredRow { node: 3 }
        // The node for batches is never leased.
        load 3:0..1000t1 -> StoredRow { node: 3 }
    "
}

#[test]
fn settings_must_suit_the_layout_of_the_rows() {
    let layout = "timestamp:20 sequence:2 @0 tick=1000ms".parse().unwrap();
    let sequencer = Sequencer::new(BoundConfig::new(layout, 0, 1, 1).unwrap());
    let random = |max| SequenceStart::Random { max };
    for (lease_ms, sequence_start, gap_max, fits) in [
        (1_000, random(3), 3, true),
        (999, random(3), 3, false),
        (1_000, random(4), 3, false),
        (1_000, random(3), 4, false),
    ] {
        let allowed_future_ms = 0;
        let terms =
            Terms { lease_ms, allowed_future_ms, sequence_start, gap_max, ..Terms::default() };
        let settings = Settings { terms, ..Settings::default() };
        assert_eq!(Authority::load(0, Some(sequencer), settings, []).is_ok(), fits, "{terms:?}");
    }
}

#[test]
fn what_a_shard_issued_stops_where_numbers_are_exact() {
    let row = |issued| Row { issued, ..Row::default() };
    let max = Row::ISSUED_MAX;
    for (issued, sum, doubled) in [([1, 2], 3, 6), ([u64::MAX, 1], max, max)] {
        let authority = load(2, &[(4, row(issued[0])), (5, row(issued[1]))]).unwrap();
        let status = authority.status(1_000);
        assert_eq!((status.issued, status.with(&status).issued), (sum, doubled));
    }
}

#[test]
fn what_a_shard_says_of_its_nodes() {
    let row = |until_tick| Row { until_tick, ..Row::default() };
    // The first node is kept for batches. On the other nodes, two spans have ended, one ends now,
    // and one ends later.
    let rows = [(3, row(1_001)), (4, row(999)), (5, row(1_000)), (6, row(1_001)), (7, row(998))];
    let status = load(9, &rows).unwrap().status(1_000);
    assert_eq!(status, Status { nodes: 9, used: 4, held: 1, issued: 0 });
    assert_eq!(status.free(), 8);
    let other = Status { nodes: 5, used: 4, held: 2, issued: 7 };
    assert_eq!(status.with(&other), Status { nodes: 14, used: 8, held: 3, issued: 7 });
}
