//! Tests the changes, statuses and refusals of `PostgresAdmin`.

use std::process::Command;

use edgeflake::SequenceStart;
use edgeflake::lease::{BoundConfig, Settings};
use edgeflake::preset::EDGE;
use edgeflake_client::PostgresAdmin;

use super::{Database, ids};

const GRANT: &str = "GRANT edgeflake_holder TO the user, or edgeflake_admin to change sequencers";

/// A script that prints the status of the sequencer `orders` as the npm package returns it.
const STATUS: &str = r#"
    import { postgresAdmin } from "edgeflake/postgres";
    import pg from "pg";
    const client = new pg.Client({ connectionString: process.argv[1] });
    await client.connect();
    console.log(JSON.stringify(await postgresAdmin(client).status("orders")));
    await client.end();
"#;

#[tokio::test]
async fn refusals() {
    let Database { url, admin, client } = Database::new("refusals").await;
    let unknown = "no sequencer is named \"missing\": create it by PostgresAdmin::create";
    let bound = "the sequencer \"orders\" is bound to another configuration: its node_count is 16, \
         not 17; give the bound configuration, or use another name";
    let named = "sequencer is \"orderItems\": give 1 to 63 characters of a-z, 0-9 and -, such as \
         order-items";
    let lease = "the lease is 30000 ms: give 30001 (twice the allowed \
                 future plus a tick) to 86400000";
    let other = BoundConfig::new(EDGE, 0, 17, 1).unwrap();
    for (error, code, expected) in [
        (ids(&url, "missing").next().await.unwrap_err(), "unknown-sequencer", unknown),
        (admin.status("missing").await.unwrap_err(), "unknown-sequencer", unknown),
        (admin.set("missing", |_| ()).await.unwrap_err(), "unknown-sequencer", unknown),
        (admin.create("orders", other).await.unwrap_err(), "sequencer-already-registered", bound),
        (admin.status("orderItems").await.unwrap_err(), "invalid-option", named),
        (
            admin.set("orders", |settings| settings.terms.lease_ms = 30_000).await.unwrap_err(),
            "invalid-option",
            lease,
        ),
    ] {
        assert_eq!((error.code(), &*error.to_string()), (code, expected));
    }

    client
        .batch_execute("CREATE ROLE visitor LOGIN; GRANT edgeflake_holder TO visitor")
        .await
        .unwrap();
    let visitor = PostgresAdmin::new(&url.replace("postgres@", "visitor@")).unwrap();
    let installer = "install as the owner of the database, with CREATEROLE";
    for (error, object, remedy) in [
        (visitor.destroy("orders").await.unwrap_err(), "procedure administer", GRANT),
        (visitor.status("orders").await.unwrap_err(), "view status", GRANT),
        (visitor.set("orders", |_| ()).await.unwrap_err(), "table settings", GRANT),
        (visitor.confirm_failover().await.unwrap_err(), "procedure confirm_failover", GRANT),
        (visitor.install().await.unwrap_err(), "database refusals", installer),
    ] {
        let expected = format!("permission denied for {object}: {remedy}");
        assert_eq!((error.code(), error.to_string()), ("invalid-configuration", expected));
    }
}

#[tokio::test]
async fn settings_that_are_not_changed_stay() {
    let Database { url, admin, client } = Database::new("settings").await;
    let random = SequenceStart::Random { max: 2 };
    admin
        .set("orders", |Settings { terms, .. }| {
            (terms.lease_ms, terms.sequence_start) = (60_000, random);
        })
        .await
        .unwrap();
    // A later release may have stored settings that this release does not know. They must stay.
    let later = "UPDATE edgeflake.settings SET settings = settings || '{\"later\": 1}' || \
         jsonb_build_object('terms', settings->'terms' || '{\"latest\": 2}')";
    client.batch_execute(later).await.unwrap();
    admin
        .set("orders", |Settings { terms, .. }| {
            (terms.gap_max, terms.sequence_start) = (3, SequenceStart::Zero);
        })
        .await
        .unwrap();
    let stored = "SELECT settings::text FROM edgeflake.settings";
    let stored: String = client.query_one(stored, &[]).await.unwrap().get(0);
    for part in ["\"lease_ms\": 60000", "\"gap_max\": 3", "\"later\": 1", "\"latest\": 2"] {
        assert!(stored.contains(part), "{part} is not in {stored}");
    }
    assert!(!stored.contains("sequence_start_max"), "{stored}");
    ids(&url, "orders").next().await.unwrap();
    let length = "SELECT until_tick - from_tick FROM edgeflake.node";
    assert_eq!(client.query_one(length, &[]).await.unwrap().get::<_, i64>(0), 60_000);
}

/// Tests that the npm package shows the same status of the same rows.
#[tokio::test]
async fn a_status_is_that_of_the_package() {
    let Database { url, admin, .. } = Database::new("shown").await;
    let generator = ids(&url, "orders");
    generator.next().await.unwrap();
    for state in ["active", "destroyed"] {
        if state == "destroyed" {
            admin.destroy("orders").await.unwrap();
        }
        let status = admin.status("orders").await.unwrap();
        assert_eq!((status.state, status.nodes.total, status.nodes.held), (state, 15, 1));
        let output = Command::new("node")
            .args(["--input-type=module", "--eval", STATUS, &url])
            .output()
            .unwrap();
        let shown = String::from_utf8_lossy(&output.stdout);
        assert_eq!(shown.trim_end(), status.json(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[tokio::test]
async fn leases_wait_after_a_failover_until_it_is_confirmed() {
    let Database { url, admin, client } = Database::new("promoted").await;
    ids(&url, "orders").next().await.unwrap();
    // On a promoted standby, the function returns such another history.
    let history = "CREATE OR REPLACE FUNCTION edgeflake.history() RETURNS text LANGUAGE sql AS \
         'SELECT ''other/2'''";
    client.batch_execute(history).await.unwrap();
    assert_eq!(ids(&url, "orders").next().await.unwrap_err().code(), "no-node-free");
    admin.confirm_failover().await.unwrap();
    assert_eq!(admin.status("orders").await.unwrap().warnings, [""; 0]);
    ids(&url, "orders").next().await.unwrap();
}

#[tokio::test]
async fn a_sequencer_shrinks_to_the_nodes_that_were_leased() {
    let Database { url, admin, .. } = Database::new("shrunk").await;
    assert_eq!(tokio::join!(admin.install(), admin.install()), (Ok(()), Ok(())));
    ids(&url, "orders").next().await.unwrap();
    let refused = admin.shrink("orders", 1).await.unwrap_err();
    assert_eq!(refused.code(), "nodes-in-use");
    assert_eq!(admin.shrink("orders", 15).await.unwrap().node_count, 15);
    assert_eq!(admin.status("orders").await.unwrap().node_count, 15);
}

/// The destruction and the grant both read the table before one of them writes.
#[tokio::test]
async fn a_sequencer_is_destroyed_while_a_lease_is_granted() {
    let database = Database::new("destroyed").await;
    let lock = "SELECT pg_advisory_xact_lock(1701079142, hashtext(name)) FROM edgeflake.sequencer";
    for destroys_first in [true, false] {
        database.sql(&["BEGIN", lock]).await;
        let ids = ids(&database.url, "orders");
        let (mut granting, mut destroying) = (None, None);
        for (waiting, destroys) in [(1, destroys_first), (2, !destroys_first)] {
            if destroys {
                let admin = PostgresAdmin::new(&database.url).unwrap();
                destroying = Some(tokio::spawn(async move { admin.destroy("orders").await }));
            } else {
                let ids = ids.clone();
                granting = Some(tokio::spawn(async move { ids.next().await }));
            }
            let locks = "pg_locks WHERE locktype = 'advisory' AND NOT granted";
            database.until(&format!("count(*) = {waiting} FROM {locks}")).await;
        }
        database.sql(&["ROLLBACK"]).await;
        destroying.unwrap().await.unwrap().unwrap();
        let granted = granting.unwrap().await.unwrap();
        let created = database.create("orders").await;
        if destroys_first {
            assert_eq!(granted.unwrap_err().code(), "sequencer-destroyed");
            assert_eq!(created, Ok(2));
        } else {
            granted.unwrap();
            assert_eq!(created.unwrap_err().code(), "spans-not-ended");
        }
    }
}
