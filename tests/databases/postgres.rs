//! Tests PostgreSQL as the authority of `edgeflake-client`, on the server that `run.js` starts.

use core::time::Duration;
use std::collections::BTreeSet;
use std::env;
use std::time::Instant;

use edgeflake::lease::BoundConfig;
use edgeflake::preset::EDGE;
use edgeflake_client::{Error, LeasedIds, PostgresAdmin};
use tokio::time::sleep;
use tokio_postgres::{Client, NoTls};

mod admin;

/// The longest wait for a condition.
const UNTIL_MAX: Duration = Duration::from_secs(30);

const UNTRUSTED: &str = "invalid peer certificate: UnknownIssuer: if only the CA of the \
     server's certificate is unknown, set SSL_CERT_FILE to a file with the CA's certificate; if \
     the server is on this machine, sslmode=disable in the URL also helps";

/// A database with the sequencer `orders`.
struct Database {
    url: String,
    admin: PostgresAdmin,
    client: Client,
}

impl Database {
    async fn new(name: &str) -> Self {
        let server = env::var("EDGEFLAKE_POSTGRES_URL").expect("run npm test -- databases");
        let root = connect(&server).await;
        root.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
        let (server, _) = server.rsplit_once('/').unwrap();
        let url = format!("{server}/{name}");
        let admin = PostgresAdmin::new(&url).unwrap();
        admin.install().await.unwrap();
        let client = connect(&url).await;
        let database = Self { url, admin, client };
        database.create("orders").await.unwrap();
        database
    }

    async fn create(&self, name: &str) -> Result<u64, Error> {
        let config = BoundConfig::new(EDGE, 0, 16, 1).unwrap();
        Ok(self.admin.create(name, config).await?.incarnation)
    }

    async fn sql(&self, statements: &[&str]) {
        for sql in statements {
            self.client.batch_execute(sql).await.unwrap();
        }
    }

    async fn count(&self, what: &str) -> i64 {
        let sql = format!("SELECT count(*) FROM {what}");
        self.client.query_one(&sql, &[]).await.unwrap().get(0)
    }

    /// Waits until a condition holds for new connections.
    async fn until(&self, condition: &str) {
        let sql = format!("SELECT {condition}");
        let began = Instant::now();
        while !connect(&self.url).await.query_one(&sql, &[]).await.unwrap().get::<_, bool>(0) {
            assert!(began.elapsed() < UNTIL_MAX, "still false after 30 s: {condition}");
            sleep(Duration::from_millis(10)).await;
        }
    }
}

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

fn ids(url: &str, sequencer: &str) -> LeasedIds {
    LeasedIds::builder().authority(url).sequencer(sequencer).build().unwrap()
}

#[tokio::test]
async fn clients_issue_different_ids() {
    let database = Database::new("clients").await;
    // Repeating the installation and the creation changes nothing.
    database.admin.install().await.unwrap();
    assert_eq!(database.create("orders").await, Ok(1));
    database.sql(&["CREATE ROLE holder LOGIN", "GRANT edgeflake_holder TO holder"]).await;
    let url = database.url.replace("postgres@", "holder@");
    let batching = LeasedIds::builder().authority(&url).sequencer("orders").batches();
    let clients = [ids(&url, "orders"), ids(&url, "orders"), batching.build().unwrap()];
    let mut issued = BTreeSet::new();
    for client in clients.iter().chain(&clients) {
        issued.extend(client.batch(1_000).await.unwrap());
    }
    let nodes: BTreeSet<_> = issued.iter().map(|id| EDGE.decode(*id).unwrap().node).collect();
    assert_eq!((issued.len(), nodes.len()), (6_000, 3));
    assert_eq!(database.count("edgeflake.node WHERE token IS NOT NULL").await, 2);
    for client in clients {
        client.shutdown().await;
    }
    assert_eq!(database.count("edgeflake.node WHERE token IS NOT NULL").await, 0);
}

/// Tests that a client repeats a call if the answer to the call's commit is lost, or comes with a
/// warning.
#[tokio::test]
async fn a_commit_without_an_acknowledgement() {
    let database = Database::new("unacknowledged").await;
    // The server warns of a wrong collation version at each connection. Clients must ignore this.
    database
        .sql(&["UPDATE pg_database SET datcollversion = '0' WHERE datname = current_database()"])
        .await;
    let kill = "PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60);";
    let warn = "RAISE WARNING 'canceling wait for synchronous replication';";
    for (held, fault, reason) in [
        (1, kill, "terminating connection due to administrator command"),
        (2, warn, "the server warned: canceling wait for synchronous replication"),
    ] {
        for procedure in ["write", "administer"] {
            let sql = format!("SELECT pg_get_functiondef('edgeflake.{procedure}'::regproc)");
            let source: String = database.client.query_one(&sql, &[]).await.unwrap().get(0);
            database.sql(&[&source.replace("COMMIT;", &format!("COMMIT; {fault}"))]).await;
        }
        let error = database.create(&format!("other-{held}")).await.unwrap_err();
        let expected = format!("the call to the authority failed: {reason}");
        assert_eq!((error.code(), error.to_string()), ("authority-unreachable", expected));

        let ids = ids(&database.url, "orders");
        let next = tokio::spawn(async move { ids.next().await });
        let nodes = "edgeflake.node WHERE token IS NOT NULL";
        database.until(&format!("count(*) = {held} FROM {nodes}")).await;
        assert!(!next.is_finished());
        // This restores the procedures.
        database.admin.install().await.unwrap();
        assert_eq!(database.create(&format!("other-{held}")).await, Ok(1));
        next.await.unwrap().unwrap();
        assert_eq!(database.count(nodes).await, held);
    }
}

/// `tests/package/postgres.test.js` tests what the functions in the database refuse.
#[tokio::test]
async fn mistakes() {
    let database = Database::new("mistakes").await;
    let url = database.url.as_str();
    database.sql(&["ALTER FUNCTION edgeflake.read RENAME TO read2"]).await;
    for (url, expected) in [
        (
            url,
            "function edgeflake.read(text, text) does not exist: run the output of \"npx edgeflake \
             authority sql\" in the database",
        ),
        (
            &url.replace("/mistakes", "/missing"),
            "database \"missing\" does not exist: create the database",
        ),
        (
            &url.replace("postgres@", "absent@"),
            "role \"absent\" does not exist: set the user and password",
        ),
    ] {
        let ids = ids(url, "orders");
        let admin = PostgresAdmin::new(url).unwrap();
        for error in [ids.next().await.unwrap_err(), admin.destroy("orders").await.unwrap_err()] {
            assert_eq!((error.code(), &*error.to_string()), ("invalid-configuration", expected));
            assert_eq!(error.retry_in(), None);
        }
    }
    database.sql(&["ALTER FUNCTION edgeflake.read2 RENAME TO read"]).await;
    ids(url, "orders").next().await.unwrap();
}

#[tokio::test]
async fn certificates() {
    let database = Database::new("certificates").await;
    let key = "-x509 -newkey rsa:2048 -nodes -batch";
    let server = "-subj /CN=server -addext subjectAltName=IP:127.0.0.1 -addext \
         basicConstraints=CA:FALSE -CA issuer.crt -CAkey issuer.key";
    let program = format!(
        "openssl req {key} -keyout issuer.key -out issuer.crt -subj /CN=issuer && openssl req {key} \
         -keyout server.key -out server.crt {server}"
    );
    database
        .sql(&[
            &format!("COPY (SELECT) TO PROGRAM '{program}'"),
            "ALTER SYSTEM SET ssl = on",
            "SELECT pg_reload_conf()",
        ])
        .await;
    database.until("current_setting('ssl') = 'on'").await;
    for mode in ["", "?sslmode=require"] {
        let error = ids(&format!("{}{mode}", database.url), "orders").next().await.unwrap_err();
        assert_eq!((error.code(), &*error.to_string()), ("invalid-configuration", UNTRUSTED));
    }
    let encrypted = "pg_stat_ssl WHERE ssl";
    ids(&format!("{}?sslmode=disable", database.url), "orders").next().await.unwrap();
    assert_eq!(database.count(encrypted).await, 0);
    // Clients trust the issuer from now on, because SSL_CERT_FILE names ca.crt.
    database.sql(&["COPY (SELECT) TO PROGRAM 'mv issuer.crt ca.crt'"]).await;
    let ids = ids(&format!("{}?sslmode=require", database.url), "orders");
    ids.next().await.unwrap();
    assert_eq!(database.count(encrypted).await, 1);
}
