//! The options of the command line.

use std::process::ExitCode;

use edgeflake_world::read_arguments;
use lexopt::prelude::ValueExt;

const HELP: &str = "\
Simulates worlds in which everything goes wrong, and checks that no id comes twice.

  --seeds N      number of seeds, each with two worlds; default 100
  --from S       the first seed; default 0
  --database     runs only the worlds in which a database is the authority
  --seconds N    ends after N seconds at the latest
  --failures N   ends after N failures; default 1
  --trace        prints all events of the seed that failed, or of the first seed if none failed";

#[derive(Clone, Copy, Default)]
pub(crate) struct Options {
    pub(crate) seeds: u64,
    pub(crate) from: u64,
    pub(crate) is_database: bool,
    pub(crate) seconds: Option<u64>,
    pub(crate) failures: u64,
    pub(crate) trace: bool,
}

impl Options {
    /// Reads the arguments.
    ///
    /// # Errors
    /// The exit code with which the program must end.
    pub(crate) fn parse() -> Result<Self, ExitCode> {
        let mut options = Self { seeds: 100, failures: 1, ..Self::default() };
        read_arguments(HELP, |name, parser| {
            match name {
                "seeds" => options.seeds = parser.value()?.parse()?,
                "from" => options.from = parser.value()?.parse()?,
                "database" => options.is_database = true,
                "seconds" => options.seconds = Some(parser.value()?.parse()?),
                "failures" => options.failures = parser.value()?.parse()?,
                "trace" => options.trace = true,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(options)
    }
}
