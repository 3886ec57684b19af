//! Tests how much a call to a database reads. The simulation (`tests/world`) shows that its writes and
//! replies are right, also after a failover.

use edgeflake::lease::{
    BoundConfig, DatabaseCall, Part, Reading, Reply, Request, Sequencer, Settings, Statement, Terms,
};
use edgeflake::preset::EDGE;

use super::{acquire, prefetch, release, renew};

/// The tick of the database's clock.
const NOW: u64 = 5_000;

fn reading() -> Reading {
    let sequencer = Sequencer::new(BoundConfig::new(EDGE, 0, 4, 1).unwrap());
    Reading {
        now_ms: EDGE.start_ms(NOW),
        history: "1".to_owned(),
        is_synchronous: false,
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
        Statement::Write(commit) => format!("{} rows", commit.writes.len()),
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
fn a_call_reads_what_its_request_needs() {
    let excluding = |node| edgeflake::lease::Acquire { excluded_node: Some(node), ..acquire(1, 0) };
    for (request, expected) in [
        (acquire_1(), "read None true None 8 false"),
        (Request::Acquire(excluding(3)), "read None true Some(3) 8 false"),
        (Request::Renew(renew(1, 1, 2, NOW)), "read Some(2) false None 0 false"),
        (Request::Release(release(1, 1, 2, NOW)), "read Some(2) false None 0 false"),
        (prefetch(None, NOW), "read None false None 0 false"),
        (Request::Describe, "read None false None 0 false"),
        (Request::Destroy, "read None false None 0 true"),
    ] {
        assert_eq!(text(DatabaseCall::new(request).statement()), expected);
    }
}

#[test]
fn who_loses_many_races_reads_more_nodes_and_is_refused_at_last() {
    let mut call = DatabaseCall::new(acquire_1());
    for nodes in [8, 16, 32, 64, 128, 256, 512, 1_024, 1_024, 1_024, 1_024, 1_024, 1_024] {
        assert_eq!(text(call.statement()), format!("read None true None {nodes} false"));
        call.read(&reading());
        assert_eq!(text(call.statement()), "1 rows");
        call.wrote(false);
    }
    assert_eq!(text(call.statement()), "overloaded Some(2000)");
}

/// A failover that was not noticed yet changes nothing about these refusals.
#[test]
fn what_cannot_be_decided_is_refused_without_a_write() {
    let terms = Terms { lease_ms: 1, ..Terms::default() };
    let settings = Settings { terms, ..Settings::default() };
    let other = Reading { history: "2".to_owned(), ..reading() };
    for (reading, expected) in [
        (Reading { settings, ..other.clone() }, "invalid-configuration None"),
        (Reading { sequencer: None, change: 0, ..other }, "unknown-sequencer None"),
    ] {
        let mut call = DatabaseCall::new(acquire_1());
        call.read(&reading);
        assert_eq!(text(call.statement()), expected);
    }
}
