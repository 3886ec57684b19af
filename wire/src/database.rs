//! Writes the statements of a [`DatabaseCall`] for the functions in `database.sql`, and reads their
//! answers. This code and the functions have the same version, because the functions refuse any
//! other version. Messages between holders and authorities, by contrast, may come from another
//! release.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use edgeflake::lease::{
    Commit, DatabaseCall, Difference, Effect, Failover, Part, Reading, Row, Sequencer, Settings,
    Statement, Write,
};

mod status;

pub use self::status::{Nodes, SequencerStatus, layout_warnings};
use crate::fields::{fields, read};
use crate::json::Json;
use crate::value::{Field, Unreadable, Value};

/// The functions and tables of a database that is an authority, as SQL for `PostgreSQL`.
pub const SCHEMA: &str = include_str!("database.sql");

/// The version of the tables and functions. The functions refuse statements of another version.
const VERSION: u64 = 1;

/// An SQL statement. Its two parameters are texts: the sequencer's name, and [`json`](Self::json).
/// It returns one text, which you parse and pass to [`answered`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The SQL.
    pub sql: &'static str,
    /// The second parameter.
    pub json: String,
}

const READ: &str = "SELECT edgeflake.read($1, $2)";
const WRITE: &str = "CALL edgeflake.write($1, $2, NULL)";
const ADMINISTER: &str = "CALL edgeflake.administer($1, $2, NULL)";

/// Returns the next statement; `None` once the reply is known.
#[must_use]
pub fn call(call: &DatabaseCall) -> Option<Call> {
    match call.statement() {
        Statement::Read(part) => Some(Call { sql: READ, json: part_json(part) }),
        Statement::Write(commit) => {
            let sql = if call.is_administration() { ADMINISTER } else { WRITE };
            Some(Call { sql, json: commit_json(commit) })
        }
        Statement::Done(_) => None,
    }
}

/// Continues a call with the answer to its statement.
///
/// # Errors
/// [`Unreadable`] if this release cannot read the answer.
pub fn answered(call: &mut DatabaseCall, answer: &impl Value) -> Result<(), Unreadable> {
    match call.statement() {
        Statement::Read(_) => call.read(&reading(answer)?),
        _ => call.wrote(answer.field("stored")?, answer.field("now_ms")?),
    }
    Ok(())
}

/// If the `SQLSTATE` shows an error that only a person can repair, returns the text of the
/// `PostgreSQL` error and what to do about it. Otherwise returns `None`.
#[must_use]
pub fn mistake(sqlstate: &str, text: &str) -> Option<String> {
    let remedy = match sqlstate {
        "3F000" | "42883" | "42P01" => {
            "run the output of \"npx edgeflake authority sql\" in the database"
        }
        "42501" => "GRANT edgeflake_holder TO the user, or edgeflake_admin to change sequencers",
        _ if sqlstate.starts_with("28") => "set the user and password",
        _ if sqlstate.starts_with("3D") => "create the database",
        // The functions themselves say what to do.
        _ if sqlstate.starts_with("EF0") => return Some(String::from(text)),
        "2D000" => "use a client without an open transaction",
        _ if sqlstate.starts_with("42") => "run the output of \"npx edgeflake authority sql\"",
        _ => return None,
    };
    Some(format!("{text}: {remedy}"))
}

/// Returns the message for an unknown sequencer, which says how to create it.
///
/// ```
/// assert_eq!(
///     edgeflake_wire::database::unknown_sequencer("orders"),
///     "no sequencer is named \"orders\": create it by postgresAdmin(client).create(\"orders\") of \
///      edgeflake/postgres"
/// );
/// ```
#[must_use]
pub fn unknown_sequencer(name: &str) -> String {
    format!(
        "no sequencer is named \"{name}\": create it by postgresAdmin(client).create(\"{name}\") of \
         edgeflake/postgres"
    )
}

/// Returns the message for a sequencer that exists with another configuration than the given one.
#[must_use]
pub fn already_registered(name: &str, difference: &Difference) -> String {
    format!(
        "the sequencer \"{name}\" is bound to another configuration: its {difference}; give the \
         bound configuration, or use another name"
    )
}

/// A node with its row.
struct NodeRow {
    node: u64,
    row: Row,
}

fields! {
    Failover { history, until_tick = None }
    Row { from_tick, until_tick, until_sequence, token = None, issued, issued_of_span }
    NodeRow { node, ..row }
    Settings { ..terms, clock_disagreement_max_ms, operations_per_second_max }
}

fn part_json(part: &Part) -> String {
    let mut json = Json::object();
    json.number("version", VERSION);
    part.node.write("node", &mut json);
    part.token.write("token", &mut json);
    part.excluded_node.write("excluded_node", &mut json);
    json.number("nodes", part.nodes);
    json.flag("ends", part.ends);
    json.end()
}

fn commit_json(commit: &Commit) -> String {
    let mut json = Json::object();
    json.number("version", VERSION);
    json.number("now_ms", commit.now_ms);
    json.text("history", &commit.history);
    json.number("change", commit.change);
    match &commit.effect {
        Effect::Keep => json.text("effect", &"keep"),
        Effect::Adopt => json.text("effect", &"adopt"),
        Effect::Note(failover) => {
            json.text("effect", &"note");
            Some(failover.clone()).write("failover", &mut json);
        }
    }
    for write in &commit.writes {
        let Write::Sequencer { ended_by, drops_rows, after, .. } = write else { continue };
        let config = after.config;
        json.number("ended_by", *ended_by);
        json.flag("drops_rows", *drops_rows);
        json.number("nodes_end", config.first_node() + config.node_count());
        Field::write(&Some(*after), "sequencer", &mut json);
    }
    json.list("nodes");
    for write in &commit.writes {
        let Write::Node { node, before, after, .. } = write else { continue };
        json.open_item();
        json.number("node", *node);
        before.write("before", &mut json);
        Some(*after).write("after", &mut json);
        json.close();
    }
    json.end_list();
    json.end()
}

fn reading<V: Value>(answer: &V) -> Result<Reading, Unreadable> {
    let rows = |name: &'static str| -> Result<Vec<(u64, Row)>, Unreadable> {
        let rows = answer.get(name).and_then(|rows| rows.list()).unwrap_or_default();
        let row = |row: &V| read(row).map(|NodeRow { node, row }| (node, row));
        rows.iter().map(row).collect()
    };
    let unused = answer.get("unused").and_then(|unused| unused.list()).unwrap_or_default();
    Ok(Reading {
        now_ms: answer.field("now_ms")?,
        history: answer.field("history")?,
        has_all_commits: answer.field("has_all_commits")?,
        known_history: answer.field("known_history")?,
        failover: answer.get("failover").map(|failover| read(&failover)).transpose()?,
        change: answer.field("change")?,
        sequencer: answer.optional::<Option<Sequencer>>("sequencer")?.flatten(),
        settings: answer.optional("settings")?.flatten().unwrap_or_default(),
        row: answer.optional("row")?.flatten(),
        granted: rows("granted")?,
        held: rows("held")?,
        released: rows("released")?,
        unused: unused.iter().filter_map(Value::number).collect(),
        latest: rows("latest")?,
        used_end: answer.optional("used_end")?.unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use edgeflake::lease::{BoundConfig, Reply, Request};
    use edgeflake::preset::EDGE;
    use serde_json::{Value, json};

    fn begun(message: &Value) -> DatabaseCall {
        DatabaseCall::new(crate::read(message).unwrap())
    }

    /// Returns the answer to a read before anything is stored; `fields` replace or extend it.
    fn answer(fields: &Value) -> Value {
        let mut answer = json!({
            "now_ms": 1_780_000_000_000_u64, "history": "7/1", "known_history": "7/1",
            "has_all_commits": false, "failover": null, "change": 0, "sequencer": null,
            "settings": null, "row": null,
        });
        answer.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        answer
    }

    #[test]
    fn each_request_reads_its_part() {
        let token = "000102030405060708090a0b0c0d0e0f";
        for (message, part) in [
            (
                json!({"acquire": {"token": token, "excluded_node": 7, "now_ms": 1}}),
                r#"{"version":1,"token":"000102030405060708090a0b0c0d0e0f","excluded_node":7,"nodes":2,"ends":false}"#,
            ),
            (
                json!({"renew": {"token": token, "incarnation": 1, "node": 7, "tick": 5, "now_ms": 1}}),
                r#"{"version":1,"node":7,"nodes":0,"ends":false}"#,
            ),
            (json!({"prefetch": {"now_ms": 1}}), r#"{"version":1,"nodes":0,"ends":false}"#),
            (json!({"destroy": {}}), r#"{"version":1,"nodes":0,"ends":true}"#),
        ] {
            let read = Call { sql: READ, json: part.into() };
            assert_eq!(call(&begun(&message)), Some(read), "{message}");
        }
    }

    #[test]
    fn a_sequencer_is_created_and_then_granted() {
        let config = BoundConfig::new(EDGE, 0, 16, 1).unwrap();
        let mut create = DatabaseCall::new(Request::Create(config));
        answered(&mut create, &answer(&json!({}))).unwrap();
        let sequencer = format!(
            r#"{{"layout":"{EDGE}","first_node":0,"node_count":16,"shards":1,"incarnation":1,"from_tick":0,"life":"active"}}"#
        );
        let written = format!(
            r#"{{"version":1,"now_ms":0,"history":"7/1","change":0,"effect":"keep","ended_by":0,"drops_rows":true,"nodes_end":16,"sequencer":{sequencer},"nodes":[]}}"#
        );
        assert_eq!(call(&create), Some(Call { sql: ADMINISTER, json: written }));
        answered(&mut create, &json!({"stored": true, "now_ms": 1})).unwrap();
        assert!(matches!(create.statement(), Statement::Done(Reply::Described(Some(_)))));

        let token = "000102030405060708090a0b0c0d0e0f";
        let acquire = json!({"acquire": {"token": token, "now_ms": 1_780_000_000_000_u64}});
        let mut acquire = begun(&acquire);
        let sequencer: Value = serde_json::from_str(&sequencer).unwrap();
        let fields = json!({"sequencer": sequencer, "change": 1, "unused": [5], "used_end": 0});
        answered(&mut acquire, &answer(&fields)).unwrap();
        let from = (1_780_000_000_000 - EDGE.epoch_ms()) / EDGE.tick_ms();
        let written = format!(
            r#"{{"version":1,"now_ms":0,"history":"7/1","change":1,"effect":"keep","nodes":[{{"node":5,"after":{{"from_tick":{from},"until_tick":{},"until_sequence":0,"token":"{token}","issued":0,"issued_of_span":0}}}}]}}"#,
            from + 300_000
        );
        assert_eq!(call(&acquire), Some(Call { sql: WRITE, json: written }));
        // A write that comes too late is not stored, and the call reads again.
        answered(&mut acquire, &json!({"stored": false, "now_ms": 1})).unwrap();
        assert_eq!(call(&acquire).unwrap().sql, READ);
    }

    #[test]
    fn mistakes_have_a_remedy_and_outages_none() {
        for (sqlstate, is_mistake) in [
            ("42501", true),
            ("42P01", true),
            ("3F000", true),
            ("3D000", true),
            ("28P01", true),
            ("2D000", true),
            ("EF001", true),
            ("EFBIG", false),
            ("ECONNREFUSED", false),
            ("40001", false),
            ("57P01", false),
            ("08006", false),
        ] {
            assert_eq!(mistake(sqlstate, "text").is_some(), is_mistake, "{sqlstate}");
        }
    }
}
