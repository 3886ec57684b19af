//! The options of the command line.

use std::process::ExitCode;

use edgeflake_world::read_arguments;
use lexopt::prelude::ValueExt;

const HELP: &str = "\
Simulates worlds in which everything goes wrong, and checks that no id comes twice.

  --seeds N      how many worlds; 100 unless told
  --from S       the first seed; 0 unless told
  --database     only worlds whose authority is a database
  --seconds N    ends after N seconds, at the latest
  --failures N   ends after N failures; 1 unless told
  --trace        prints all that happened in the first world that failed, or in the first one";

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
    /// The program ends with this exit code.
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
