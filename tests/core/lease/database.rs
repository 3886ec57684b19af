//! Tests the statements of a call to a database. The simulation (`tests/world`) shows that the
//! replies to the call are right.

use edgeflake::lease::{
    BoundConfig, Commit, DatabaseCall, Effect, Failover, Memory, Part, Reading, Renew, Reply,
    Request, Row, Sequencer, Settings, Statement, Terms, Write,
};
use edgeflake::preset::EDGE;

use super::{acquire, renew};

/// The tick of the database's clock.
const NOW: u64 = 5_000;

fn reading() -> Reading {
    let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1).unwrap());
    Reading {
        now_ms: EDGE.start_ms(NOW),
        history: "1".to_owned(),
        has_all_commits: false,
        known_history: "1".to_owned(),
        failover: None,
        change: 77,
        sequencer: Some(sequencer),
        settings: Settings::default(),
        row: None,
        granted: Vec::new(),
        held: Vec::new(),
        released: Vec::new(),
        unused: vec![1],
        latest: Vec::new(),
        used_end: 0,
    }
}

fn text(statement: &Statement) -> String {
    match statement {
        Statement::Read(Part { node, token, excluded_node, nodes, ends }) => {
            let of_token = token.is_some();
            format!("read {node:?} {of_token} {excluded_node:?} {nodes} {ends}")
        }
        Statement::Write(Commit { now_ms, history, change, effect, writes }) => {
            let effect = match effect {
                Effect::Keep => "keep".to_owned(),
                Effect::Adopt => "adopt".to_owned(),
                Effect::Note(Failover { history, until_tick }) => {
                    format!("note {history} {until_tick:?}")
                }
            };
            let write = |write: &Write| match write {
                Write::Node { node, after, .. } => {
                    format!(" {node}:{}..{}", after.from_tick, after.until_tick)
                }
                Write::Sequencer { after, .. } => format!(" from {}", after.from_tick),
            };
            let writes: String = writes.iter().map(write).collect();
            let at = EDGE.tick(*now_ms).map(|tick| format!(" at {tick}")).unwrap_or_default();
            format!("write in {history} after {change}{at}: {effect}{writes}")
        }
        Statement::Done(Reply::Refused { refusal, .. }) => {
            format!("{} {:?}", refusal.code(), refusal.retry_in_ms())
        }
        Statement::Done(reply) => format!("{reply:?}"),
    }
}

fn acquire_1() -> Request {
    Request::Acquire(acquire(1, EDGE.start_ms(NOW)))
}

#[test]
fn who_loses_many_races_reads_more_nodes_and_is_refused_at_last() {
    let mut call = DatabaseCall::new(acquire_1());
    for nodes in [2, 8, 32, 128, 512].into_iter().chain([1_024; 8]) {
        assert_eq!(text(call.statement()), format!("read None true None {nodes} false"));
        call.read(&reading());
        assert_eq!(text(call.statement()), "write in 1 after 77: keep 1:5000..305000");
        call.wrote(false, 0);
    }
    assert_eq!(text(call.statement()), "overloaded Some(2000)");
}

#[test]
fn another_history_is_adopted_in_steps() {
    let other = Reading { history: "2".to_owned(), ..reading() };
    let noted = |until_tick| Some(Failover { history: "2".to_owned(), until_tick });
    // All forgotten spans have ended after the lease time, the allowed future, twice the allowed
    // disagreement of clocks, and two ticks.
    let until = NOW + 300_000 + 15_000 + 2 * 10_000 + 2;
    let late = |tick| Reading {
        now_ms: EDGE.start_ms(tick),
        failover: noted(Some(until)),
        latest: vec![(3, Row { until_tick: 900_000, ..Row::default() })],
        ..other.clone()
    };
    let unsuitable = Terms { lease_ms: 1, ..Terms::default() };
    let unsuitable = Settings { terms: unsuitable, ..Settings::default() };
    let of_another = Some(Failover { history: "3".to_owned(), until_tick: Some(1) });
    let synchronous = Reading { has_all_commits: true, ..other.clone() };
    let steps: [(Reading, &[&str]); 9] = [
        (synchronous.clone(), &["write in 2 after 77: note 2 None"]),
        (Reading { failover: noted(None), ..synchronous }, &["write in 2 after 77: adopt"]),
        (other.clone(), &["write in 2 after 77: note 2 None"]),
        (Reading { failover: of_another, ..other.clone() }, &["write in 2 after 77: note 2 None"]),
        (
            Reading { failover: noted(None), ..other.clone() },
            &["write in 2 after 77: note 2 Some(340002)"],
        ),
        (late(until - 15_001), &["no-node-free Some(1)"]),
        (
            late(until - 15_000),
            &[
                "read None true None 2 true",
                "write in 2 after 77: adopt from 340002 3:900000..900000",
            ],
        ),
        (Reading { settings: unsuitable, ..other.clone() }, &["invalid-configuration None"]),
        (Reading { sequencer: None, change: 0, ..other }, &["unknown-sequencer None"]),
    ];
    for (reading, expected) in steps {
        let mut call = DatabaseCall::new(acquire_1());
        for expected in expected {
            call.read(&reading);
            assert_eq!(text(call.statement()), *expected);
        }
    }
}

#[test]
fn a_renewal_is_decided_from_memory() {
    let memory = |is_stored| {
        let mut memory = Memory::default();
        let mut call = DatabaseCall::new(acquire_1());
        call.read(&reading());
        call.wrote(is_stored, EDGE.start_ms(NOW));
        call.remember(&mut memory, 1_000);
        memory
    };
    let renewal = |node| Request::Renew(renew(1, 1, node, NOW));
    let at = |tick| Renew { now_ms: EDGE.start_ms(tick), ..renew(1, 1, 1, NOW) };
    assert_eq!(memory(false), Memory::default());
    let memory = memory(true);
    for (request, elapsed_ms, expected) in [
        // The holder's clock may run faster than the database's, so a part of the time is left out.
        (renewal(1), 150_000, "write in 1 after 77 at 154850: keep 1:5000..454850"),
        // The holder's clock stands still, or the lease ended long ago.
        (renewal(1), 0, "read Some(1) false None 0 false"),
        (renewal(1), 700_000, "read Some(1) false None 0 false"),
        (renewal(2), 150_000, "read Some(2) false None 0 false"),
        (acquire_1(), 150_000, "read None true None 2 false"),
        // The holder has slept: its clock has gone on, and its timer has not.
        (
            Request::Renew(at(155_850)),
            150_000,
            "write in 1 after 77 at 154850: keep 1:5000..454850",
        ),
        (Request::Renew(at(155_851)), 150_000, "read Some(1) false None 0 false"),
    ] {
        let mut call = DatabaseCall::remembering(request, &memory, 1_000 + elapsed_ms);
        assert_eq!(text(call.statement()), expected);
        if expected.starts_with("write") {
            call.wrote(false, 0);
            assert_eq!(text(call.statement()), "read Some(1) false None 0 false");
        }
    }
}
