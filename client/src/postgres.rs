//! Requests that this process decides itself, from tables in a database.

use core::error::Error as _;
use core::future::poll_fn;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use edgeflake::code;
use edgeflake::lease::{Call, DatabaseCall, Reply, Request, Statement};
use edgeflake_wire::database::{self, answered, remedy};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::Error;
use crate::transport::{Failure, Sent, Transport};

pub(crate) struct Database {
    config: Config,
    tls: MakeRustlsConnect,
    /// The connection for the next call. A call that fails or is dropped closes its connection.
    idle: Mutex<Option<Connection>>,
}

/// Makes the calls for the holder of one sequencer.
pub(crate) struct Postgres {
    database: Database,
    sequencer: String,
}

struct Connection {
    client: Client,
    /// The number of warnings that the server has sent.
    warnings: Arc<AtomicU64>,
}

impl Postgres {
    pub(crate) fn new(url: &str, sequencer: &str) -> Result<Self, Error> {
        Ok(Self { database: Database::new(url)?, sequencer: sequencer.to_owned() })
    }
}

impl Database {
    pub(crate) fn new(url: &str) -> Result<Self, Error> {
        // The URL may contain a password, so no message shows it.
        let config = url.parse().map_err(|error: tokio_postgres::Error| {
            Error::option(format!("authority is not a URL of PostgreSQL: {}", reason(&error)))
        })?;
        Ok(Self { config, tls: tls()?, idle: Mutex::default() })
    }

    /// Carries out a request, and returns the reply.
    pub(crate) async fn reply(&self, sequencer: &str, request: Request) -> Result<Reply, Failure> {
        let connection = self.connection().await.map_err(|error| failure(&error))?;
        let mut call = DatabaseCall::new(request);
        while let Some(statement) = database::call(&call) {
            let parameters: [(&(dyn ToSql + Sync), Type); 2] =
                [(&sequencer, Type::TEXT), (&statement.json, Type::TEXT)];
            let warnings = connection.warnings.load(Ordering::Acquire);
            let row = connection.client.query_typed_one(statement.sql, &parameters).await;
            let row = row.map_err(|error| failure(&error))?;
            // When PostgreSQL cancels the wait for its standby, it confirms the commit with a
            // warning, and a failover can lose that commit.
            if connection.warnings.load(Ordering::Acquire) != warnings {
                return Err(Failure::Passing("the server warned: its log says of what".to_owned()));
            }
            let text = row.try_get::<_, &str>(0).map_err(|error| failure(&error))?;
            let json: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
            answered(&mut call, &json).map_err(|error| Failure::Passing(error.to_string()))?;
        }
        *self.idle() = Some(connection);
        match call.statement() {
            Statement::Done(reply) => Ok(*reply),
            _ => Err(Failure::Passing("the call has no reply".to_owned())),
        }
    }

    /// Runs statements that return no rows.
    pub(crate) async fn run(&self, sql: &str) -> Result<(), Failure> {
        let connection = self.connection().await.map_err(|error| failure(&error))?;
        connection.client.batch_execute(sql).await.map_err(|error| failure(&error))
    }

    fn idle(&self) -> MutexGuard<'_, Option<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn connection(&self) -> Result<Connection, tokio_postgres::Error> {
        let idle = self.idle().take();
        match idle.filter(|connection| !connection.client.is_closed()) {
            Some(connection) => Ok(connection),
            None => self.connect().await,
        }
    }

    async fn connect(&self) -> Result<Connection, tokio_postgres::Error> {
        let (client, mut connection) = self.config.connect(self.tls.clone()).await?;
        let warnings = Arc::new(AtomicU64::new(0));
        let heard = Arc::clone(&warnings);
        tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await
            {
                // SQLSTATE class 01 means a warning.
                if matches!(message, AsyncMessage::Notice(notice) if notice.code().code().starts_with("01"))
                {
                    heard.fetch_add(1, Ordering::Release);
                }
            }
        });
        Ok(Connection { client, warnings })
    }
}

impl Transport for Postgres {
    fn send<'a>(&'a self, call: &'a Call) -> Sent<'a> {
        Box::pin(self.database.reply(&self.sequencer, call.request))
    }
}

/// Returns the TLS of connections, which trusts the certificates of the system.
fn tls() -> Result<MakeRustlsConnect, Error> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::option(format!("no TLS here: {error}")))?;
    Ok(MakeRustlsConnect::new(config.with_root_certificates(roots).with_no_client_auth()))
}

fn failure(error: &tokio_postgres::Error) -> Failure {
    let text = reason(error);
    match error.code().and_then(|sqlstate| remedy(sqlstate.code())) {
        Some(todo) => {
            Failure::Lasting(Error::new(code::INVALID_CONFIGURATION, format!("{text}: {todo}")))
        }
        None => Failure::Passing(text),
    }
}

/// Returns the innermost cause, which has the message of the server or of the system.
fn reason(error: &tokio_postgres::Error) -> String {
    if let Some(error) = error.as_db_error() {
        return error.message().to_owned();
    }
    let mut cause = error.source();
    let mut text = error.to_string();
    while let Some(inner) = cause {
        text = inner.to_string();
        cause = inner.source();
    }
    text
}
