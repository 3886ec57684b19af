//! The options of the command line.

use lexopt::Parser;
use lexopt::prelude::{Long, ValueExt};

const HELP: &str = "\
Simulates worlds in which everything goes wrong, and checks that no id comes twice.

  --seeds N      how many worlds; 100 unless told
  --from S       the first seed; 0 unless told
  --database     only worlds whose authority is a database
  --large        worlds of hundreds of isolates and many nodes
  --seconds N    ends after N seconds, at the latest
  --failures N   ends after N failures; 1 unless told
  --trace        prints all that happened in the first world that failed, or in the first one";

#[derive(Clone, Copy)]
pub(crate) struct Options {
    pub(crate) seeds: u64,
    pub(crate) from: u64,
    pub(crate) is_database: bool,
    pub(crate) is_large: bool,
    pub(crate) seconds: Option<u64>,
    pub(crate) failures: u64,
    pub(crate) trace: bool,
}

impl Options {
    /// Reads the arguments. Returns `None` if they ask for help, after printing it.
    ///
    /// # Errors
    /// Returns the parser's errors, which name the argument.
    pub(crate) fn parse() -> Result<Option<Self>, lexopt::Error> {
        let mut options = Self {
            seeds: 100,
            from: 0,
            is_database: false,
            is_large: false,
            seconds: None,
            failures: 1,
            trace: false,
        };
        let mut parser = Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("seeds") => options.seeds = parser.value()?.parse()?,
                Long("from") => options.from = parser.value()?.parse()?,
                Long("database") => options.is_database = true,
                Long("large") => options.is_large = true,
                Long("seconds") => options.seconds = Some(parser.value()?.parse()?),
                Long("failures") => options.failures = parser.value()?.parse()?,
                Long("trace") => options.trace = true,
                Long("help") => {
                    println!("{HELP}");
                    return Ok(None);
                }
                other => return Err(other.unexpected()),
            }
        }
        Ok(Some(options))
    }
}
