use core::fmt;

use edgeflake::lease::{
    BoundConfig, DatabaseCall, Refusal, Reply, Request, Sequencer, Settings, Shrink,
};
use edgeflake::{code, now_ms};
use edgeflake_wire::Unreadable;
use edgeflake_wire::database::{SequencerStatus, already_registered};
use serde_json::Value;

use crate::error::{Error, check_name};
use crate::postgres::{Database, unknown_sequencer};
use crate::transport::Failure;

const STATUS: &str = "SELECT to_jsonb(s)::text FROM edgeflake.status s WHERE name = $1";
const SETTINGS: &str = "SELECT settings::text FROM edgeflake.settings WHERE name = $1";
const SET: &str = "CALL edgeflake.set($1, $2, NULL)";
const CONFIRM: &str = "CALL edgeflake.confirm_failover()";

/// Sets up a database as an authority, and creates, shows, changes and destroys its sequencers.
///
/// Each method can return the errors `authority-unreachable` and `invalid-configuration`. Each
/// method that takes a sequencer's name returns `invalid-option` if no sequencer can have it.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use edgeflake::lease::BoundConfig;
/// use edgeflake::preset::EDGE;
/// use edgeflake_client::PostgresAdmin;
///
/// let admin = PostgresAdmin::new("postgres://owner@localhost/app")?;
/// admin.install().await?;
/// admin.create("orders", BoundConfig::new(EDGE, 0, 1_024, 1)?).await?;
/// # Ok(())
/// # }
/// ```
pub struct PostgresAdmin(Database);

impl fmt::Debug for PostgresAdmin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresAdmin").finish_non_exhaustive()
    }
}

impl PostgresAdmin {
    /// Returns an administrator of the database at `url`. Does not open a connection yet.
    ///
    /// # Errors
    /// `invalid-option` for a URL that cannot be used.
    pub fn new(url: &str) -> Result<Self, Error> {
        Database::new(url).map(Self)
    }

    /// Creates the tables, functions and roles of the authority, or upgrades the tables, functions
    /// and roles of an earlier release. The user in the URL must own the database and have
    /// `CREATEROLE`; the other methods need only the role `edgeflake_admin`. This method runs the
    /// SQL that `npx edgeflake authority sql` prints.
    ///
    /// # Errors
    /// The errors that [`PostgresAdmin`] lists.
    pub async fn install(&self) -> Result<(), Error> {
        self.0.install().await.map_err(Failure::into_error)
    }

    /// Creates a sequencer, or returns the existing one if it has the same configuration.
    ///
    /// # Errors
    /// The errors that [`PostgresAdmin`] lists, `sequencer-already-registered` when the existing
    /// sequencer has another configuration, `spans-not-ended` and `other-timestamp`.
    pub async fn create(&self, name: &str, config: BoundConfig) -> Result<SequencerStatus, Error> {
        let sequencer = self.ask(name, Request::Create(config)).await?;
        if let Some(difference) = sequencer.config.difference(&config) {
            let text = already_registered(name, &difference);
            return Err(Error::new(code::SEQUENCER_ALREADY_REGISTERED, text));
        }
        self.status_of(name, &sequencer).await
    }

    /// Returns the status of a sequencer, with the number of its nodes in use. For monitoring by
    /// SQL, the role `edgeflake_reader` may read the view `edgeflake.status`, which has the same
    /// counts.
    ///
    /// ```no_run
    /// # use edgeflake_client::{Error, PostgresAdmin};
    /// # async fn example(admin: PostgresAdmin) -> Result<(), Error> {
    /// let status = admin.status("orders").await?;
    /// println!("{} of {} nodes are free", status.nodes.free, status.nodes.total);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors that [`PostgresAdmin`] lists, and `unknown-sequencer`.
    pub async fn status(&self, name: &str) -> Result<SequencerStatus, Error> {
        let sequencer = self.ask(name, Request::Describe).await?;
        self.status_of(name, &sequencer).await
    }

    /// Changes the settings of a sequencer. `change` gets the current settings, and may change
    /// them. A holder follows the new settings from its next lease or renewal on. The setting
    /// `operations_per_second_max` has no effect, because nothing counts the operations of all
    /// holders.
    ///
    /// ```no_run
    /// # use edgeflake_client::{Error, PostgresAdmin};
    /// # async fn example(admin: PostgresAdmin) -> Result<(), Error> {
    /// admin.set("orders", |settings| settings.terms.lease_ms = 60_000).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors that [`PostgresAdmin`] lists, `invalid-option` when the settings do not suit the
    /// layout, and `unknown-sequencer`.
    pub async fn set(&self, name: &str, change: impl FnOnce(&mut Settings)) -> Result<(), Error> {
        let Sequencer { config, .. } = self.ask(name, Request::Describe).await?;
        let mut settings = match self.run(SETTINGS, &[name]).await? {
            Value::Null => Settings::default(),
            stored => edgeflake_wire::read(&stored).map_err(|error| unreadable(&error))?,
        };
        change(&mut settings);
        settings.check(config.layout()).map_err(|error| Error::option(error.to_string()))?;
        self.run(SET, &[name, &edgeflake_wire::write(&settings)]).await.map(drop)
    }

    /// Shrinks a sequencer to its first `node_count` nodes for good. The sequencer gives up its
    /// other nodes, which must never have been leased. Another sequencer with the same layout can
    /// then use the nodes that were given up.
    ///
    /// # Errors
    /// The errors that [`PostgresAdmin`] lists, `unknown-sequencer`, and `nodes-in-use` when the
    /// sequencer must keep more nodes; the message says how many.
    pub async fn shrink(&self, name: &str, node_count: u64) -> Result<SequencerStatus, Error> {
        let Sequencer { incarnation, .. } = self.ask(name, Request::Describe).await?;
        let shrink = Request::Shrink(Shrink { incarnation, node_count });
        let sequencer = self.ask(name, shrink).await?;
        self.status_of(name, &sequencer).await
    }

    /// Destroys a sequencer, so that it grants and renews no more leases. Leases that it has
    /// granted stay valid until they end. When all leases have ended, you can create the sequencer
    /// again.
    ///
    /// # Errors
    /// The errors that [`PostgresAdmin`] lists, and `unknown-sequencer`.
    pub async fn destroy(&self, name: &str) -> Result<SequencerStatus, Error> {
        let sequencer = self.ask(name, Request::Destroy).await?;
        self.status_of(name, &sequencer).await
    }

    /// Confirms that a failover lost no commit, so that all sequencers grant leases at once. Call
    /// this method only if you know that the promoted server has every confirmed commit, and never
    /// after a restore from a backup. Without the call, each sequencer waits until all leases that
    /// the old server may have granted have ended.
    ///
    /// ```no_run
    /// # use edgeflake_client::{Error, PostgresAdmin};
    /// # async fn example(admin: PostgresAdmin) -> Result<(), Error> {
    /// admin.confirm_failover().await?;
    /// assert!(admin.status("orders").await?.warnings.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors that [`PostgresAdmin`] lists.
    pub async fn confirm_failover(&self) -> Result<(), Error> {
        self.run(CONFIRM, &[]).await.map(drop)
    }

    async fn ask(&self, name: &str, request: Request) -> Result<Sequencer, Error> {
        check_name(name)?;
        let mut call = DatabaseCall::new(request);
        match self.0.carry_out(name, &mut call).await.map_err(Failure::into_error)? {
            Reply::Described(Some(sequencer)) => Ok(sequencer),
            Reply::Described(None) | Reply::Refused { refusal: Refusal::UnknownSequencer, .. } => {
                Err(Error::new(code::UNKNOWN_SEQUENCER, unknown_sequencer(name)))
            }
            Reply::Refused { refusal, .. } => {
                Err(Error::new(refusal.code(), refusal.to_string())
                    .retry_in_ms(refusal.retry_in_ms()))
            }
            _ => Err(Error::new(code::UNEXPECTED_REPLY, "the reply does not fit the request")),
        }
    }

    async fn status_of(&self, name: &str, sequencer: &Sequencer) -> Result<SequencerStatus, Error> {
        let row = self.run(STATUS, &[name]).await?;
        SequencerStatus::new(name, sequencer, &row, now_ms()).map_err(|error| unreadable(&error))
    }

    async fn run(&self, sql: &str, parameters: &[&str]) -> Result<Value, Error> {
        self.0.run(sql, parameters).await.map_err(Failure::into_error)
    }
}

fn unreadable(error: &Unreadable) -> Error {
    Failure::Passing(error.to_string()).into_error()
}
