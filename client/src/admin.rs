use core::fmt;

use edgeflake::code;
use edgeflake::lease::{BoundConfig, Refusal, Reply, Request, Sequencer, Shrink};

use crate::error::Error;
use crate::postgres::{Database, unknown_sequencer};
use crate::transport::Failure;

/// Sets up a database as an authority, and creates, shows, shrinks and destroys its sequencers.
///
/// Each method can return the errors `authority-unreachable` and `invalid-configuration`.
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
    /// `CREATEROLE`. This method runs the SQL that `npx edgeflake authority sql` prints.
    ///
    /// # Errors
    /// The errors of every method of [`PostgresAdmin`].
    pub async fn install(&self) -> Result<(), Error> {
        self.0.install().await.map_err(Failure::into_error)
    }

    /// Creates a sequencer, unless a sequencer with this name exists. Returns the stored sequencer.
    /// If the sequencer existed before, its configuration may differ from `config`.
    ///
    /// # Errors
    /// The errors of every method of [`PostgresAdmin`], `spans-not-ended` and `other-timestamp`.
    pub async fn create(&self, name: &str, config: BoundConfig) -> Result<Sequencer, Error> {
        self.ask(name, Request::Create(config)).await
    }

    /// Returns the sequencer of this name.
    ///
    /// # Errors
    /// The errors of every method of [`PostgresAdmin`], and `unknown-sequencer`.
    pub async fn sequencer(&self, name: &str) -> Result<Sequencer, Error> {
        self.ask(name, Request::Describe).await
    }

    /// Shrinks a sequencer to its first `node_count` nodes for good. The sequencer gives up its
    /// other nodes, which must never have been leased. Another sequencer with the same layout can
    /// then use the nodes that were given up.
    ///
    /// # Errors
    /// The errors of every method of [`PostgresAdmin`], `unknown-sequencer`, and `nodes-in-use` if
    /// the sequencer must keep more nodes. The message says how many nodes the sequencer must keep.
    pub async fn shrink(&self, name: &str, node_count: u64) -> Result<Sequencer, Error> {
        let Sequencer { incarnation, .. } = self.sequencer(name).await?;
        self.ask(name, Request::Shrink(Shrink { incarnation, node_count })).await
    }

    /// Destroys a sequencer, so that it grants and renews no more leases. Leases that it has
    /// granted stay valid until they end. When all leases have ended, you can create the sequencer
    /// again.
    ///
    /// # Errors
    /// The errors of every method of [`PostgresAdmin`], and `unknown-sequencer`.
    pub async fn destroy(&self, name: &str) -> Result<Sequencer, Error> {
        self.ask(name, Request::Destroy).await
    }

    async fn ask(&self, name: &str, request: Request) -> Result<Sequencer, Error> {
        if let Some(refusal) = edgeflake_wire::name_refusal(name) {
            return Err(Error::option(format!("sequencer is {name:?}: {refusal}")));
        }
        let reply = self.0.reply(name, request).await.map_err(Failure::into_error)?;
        match reply {
            Reply::Described(Some(sequencer)) => Ok(sequencer),
            Reply::Described(None) | Reply::Refused { refusal: Refusal::UnknownSequencer, .. } => {
                Err(Error::new(code::UNKNOWN_SEQUENCER, unknown_sequencer(name)))
            }
            Reply::Refused { refusal, .. } => {
                Err(Error::new(refusal.code(), refusal.to_string())
                    .retry_in_ms(refusal.retry_in_ms()))
            }
            _ => Err(Error::new(code::UNEXPECTED_REPLY, "the reply is of another request")),
        }
    }
}
