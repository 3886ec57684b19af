//! Answers the calls of holders from tables in a PostgreSQL database. This process, not the
//! database, decides each request.

use core::error::Error as _;
use core::future::poll_fn;
use core::task::Poll;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use edgeflake::code;
use edgeflake::lease::{Call, DatabaseCall, Memory, Reply, Request, Statement};
use edgeflake_wire::database::{self, answered, mistake};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use serde_json::Value;
use tokio_postgres::error::{Severity, SqlState};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::Error;
use crate::transport::{Failure, Sent, Transport, reason};

/// The advice in the error if the database user may not create tables and roles.
const INSTALLER: &str = "install as the owner of the database, with CREATEROLE";

/// The advice in the error if the server's certificate is not trusted.
const UNTRUSTED: &str = "if only the CA of the server's certificate is unknown, set \
     SSL_CERT_FILE to a file with the CA's certificate; if the server is on this machine, \
     sslmode=disable in the URL also helps";

pub(crate) struct Database {
    config: Config,
    tls: MakeRustlsConnect,
    /// The connection for the next statement. A statement that fails or is dropped closes its
    /// connection.
    idle: Mutex<Option<Connection>>,
}

/// Sends the calls of one sequencer's holder to the database.
pub(crate) struct Postgres {
    database: Database,
    sequencer: String,
    memory: Mutex<Memory>,
    /// The moment from which the times of the memory count.
    started: Instant,
}

struct Connection {
    client: Client,
    /// The newest warning that the server has sent on this connection.
    warning: Arc<Mutex<Option<String>>>,
}

impl Postgres {
    pub(crate) fn new(url: &str, sequencer: &str) -> Result<Self, Error> {
        let (database, sequencer) = (Database::new(url)?, sequencer.to_owned());
        Ok(Self { database, sequencer, memory: Mutex::default(), started: Instant::now() })
    }

    async fn reply(&self, request: Request) -> Result<Reply, Failure> {
        let clock_ms = || self.started.elapsed().as_millis().try_into().unwrap_or(u64::MAX);
        let mut call = DatabaseCall::remembering(request, &lock(&self.memory), clock_ms());
        let reply = self.database.carry_out(&self.sequencer, &mut call).await?;
        call.remember(&mut lock(&self.memory), clock_ms());
        Ok(reply)
    }
}

impl Database {
    pub(crate) fn new(url: &str) -> Result<Self, Error> {
        // The URL may contain a password, so no message shows the URL.
        let config = url.parse().map_err(|error: tokio_postgres::Error| {
            Error::option(format!("authority is not a URL of PostgreSQL: {}", message(&error)))
        })?;
        Ok(Self { config, tls: tls()?, idle: Mutex::default() })
    }

    /// Carries out a call to a sequencer's authority, and returns the reply.
    pub(crate) async fn carry_out(
        &self,
        sequencer: &str,
        call: &mut DatabaseCall,
    ) -> Result<Reply, Failure> {
        while let Some(statement) = database::call(call) {
            let answer = self.run(statement.sql, &[sequencer, &statement.json]).await?;
            answered(call, &answer).map_err(|error| Failure::Passing(error.to_string()))?;
        }
        match call.statement() {
            Statement::Done(reply) => Ok(*reply),
            _ => Err(Failure::Passing("the call has no reply".to_owned())),
        }
    }

    /// Runs a statement whose parameters are texts. Returns the first value of its row, which is
    /// JSON; null if there is no row.
    pub(crate) async fn run(&self, sql: &str, parameters: &[&str]) -> Result<Value, Failure> {
        let connection = self.connection().await.map_err(|error| failure(&error))?;
        let parameters: Vec<(&(dyn ToSql + Sync), Type)> =
            parameters.iter().map(|text| (text as _, Type::TEXT)).collect();
        let rows = connection.client.query_typed(sql, &parameters).await;
        let rows = rows.map_err(|error| failure(&error))?;
        // A commit waits for the synchronous standby. If this wait is cancelled, the server
        // confirms the commit with a warning, although a failover can lose the commit.
        if let Some(warning) = lock(&connection.warning).take() {
            return Err(Failure::Passing(format!("the server warned: {warning}")));
        }
        *lock(&self.idle) = Some(connection);
        let Some(row) = rows.first() else { return Ok(Value::Null) };
        let text: &str = row.try_get(0).map_err(|error| failure(&error))?;
        serde_json::from_str(text).map_err(|error| Failure::Passing(error.to_string()))
    }

    /// Creates the tables, functions and roles of the authority in the database.
    pub(crate) async fn install(&self) -> Result<(), Failure> {
        let connection = self.connection().await.map_err(|error| failure(&error))?;
        let done = connection.client.batch_execute(database::SCHEMA).await;
        done.map_err(|error| match error.code() {
            Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
                lasting(format!("{}: {INSTALLER}", message(&error)))
            }
            _ => failure(&error),
        })
    }

    async fn connection(&self) -> Result<Connection, tokio_postgres::Error> {
        let idle = lock(&self.idle).take();
        match idle.filter(|connection| !connection.client.is_closed()) {
            Some(connection) => Ok(connection),
            None => self.connect().await,
        }
    }

    async fn connect(&self) -> Result<Connection, tokio_postgres::Error> {
        let (client, mut connection) = self.config.connect(self.tls.clone()).await?;
        // Drop the warnings that came when the connection opened, because none of them is about a
        // commit.
        poll_fn(|context| {
            while let Poll::Ready(Some(Ok(_))) = connection.poll_message(context) {}
            Poll::Ready(())
        })
        .await;
        let warning = Arc::default();
        let heard = Arc::clone(&warning);
        tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await
            {
                if let AsyncMessage::Notice(notice) = message
                    && notice.parsed_severity() == Some(Severity::Warning)
                {
                    *lock(&heard) = Some(notice.message().to_owned());
                }
            }
        });
        Ok(Connection { client, warning })
    }
}

impl Transport for Postgres {
    fn send<'a>(&'a self, call: &'a Call) -> Sent<'a> {
        Box::pin(self.reply(call.request))
    }

    fn unknown_sequencer(&self, name: &str) -> String {
        unknown_sequencer(name)
    }
}

/// Returns the message for an unknown sequencer. The message says how to create the sequencer.
pub(crate) fn unknown_sequencer(name: &str) -> String {
    format!("no sequencer is named {name:?}: create it by PostgresAdmin::create")
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the TLS configuration for connections, which trusts the system's root certificates.
fn tls() -> Result<MakeRustlsConnect, Error> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::option(format!("cannot set up TLS: {error}")))?;
    Ok(MakeRustlsConnect::new(config.with_root_certificates(roots).with_no_client_auth()))
}

fn failure(error: &tokio_postgres::Error) -> Failure {
    let text = message(error);
    let mistake = match error.code() {
        Some(sqlstate) => mistake(sqlstate.code(), &text),
        None => is_untrusted(error).then(|| format!("{text}: {UNTRUSTED}")),
    };
    mistake.map_or(Failure::Passing(text), lasting)
}

fn lasting(text: String) -> Failure {
    Failure::Lasting(Error::new(code::INVALID_CONFIGURATION, text))
}

/// Returns whether the error means that the server's certificate is not trusted.
fn is_untrusted(error: &tokio_postgres::Error) -> bool {
    let error = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    let cause = error.and_then(io::Error::get_ref).and_then(|cause| cause.downcast_ref());
    matches!(cause, Some(rustls::Error::InvalidCertificate(_)))
}

/// Returns the server's message about an error. If the error does not come from the server, returns
/// the message of the error's innermost cause.
fn message(error: &tokio_postgres::Error) -> String {
    error.as_db_error().map_or_else(|| reason(error), |error| error.message().to_owned())
}
