//! The options of the command line.

use lexopt::Parser;
use lexopt::prelude::{Long, ValueExt};

use crate::setting::{SMALL, Setting, TABLE};

const HELP: &str = "\
Simulates isolates and authorities at a size: a steady time, a deploy, a region that fails over.
Without --isolates, the rows of docs/FIGURES.md and more, in half an hour.

  --isolates N     how many at the busiest hour
  --shards N       1, 2, 4 ... 64; 1 unless told
  --node-bits N    16 or 20; 16 unless told
  --lease S        the lease time, in s; 300 unless told
  --lifetime S     the mean lifetime of an isolate, in s; 1,800 unless told
  --deploy S       how long a deploy takes, in s; 60 unless told
  --outage S       how long the objects of the region are out, in s; 60 unless told
  --refusing       they answer with errors, instead of not at all
  --object N       operations that an object does in a second; 1,000 unless told
  --max N          EDGEFLAKE_OPERATIONS_PER_SECOND_MAX; 1,000 unless told
  --queue MS       how long requests wait at an object; 5,000 unless told
  --isolates-max N leaves out the rows of the table with more
  --seed N         another world of the same kind; 0 unless told";

pub(crate) struct Options {
    pub(crate) settings: Vec<Setting>,
    pub(crate) seed: u64,
    /// Whether the settings are those of the tests.
    pub(crate) is_small: bool,
}

impl Options {
    /// Reads the arguments. Returns `None` if they ask for help, after printing it.
    ///
    /// # Errors
    /// Returns the parser's errors, which name the argument.
    pub(crate) fn parse() -> Result<Option<Self>, lexopt::Error> {
        let mut one = Setting::new(0, 1, 16);
        let mut options = Self { settings: Vec::new(), seed: 0, is_small: false };
        let mut isolates_max = u32::MAX;
        let mut parser = Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("isolates") => one.isolates = parser.value()?.parse()?,
                Long("shards") => one.shards = parser.value()?.parse()?,
                Long("node-bits") => one.node_bits = parser.value()?.parse()?,
                Long("lease") => one.lease_s = parser.value()?.parse()?,
                Long("lifetime") => one.lifetime_s = parser.value()?.parse()?,
                Long("deploy") => one.deploy_s = parser.value()?.parse()?,
                Long("outage") => one.outage_s = parser.value()?.parse()?,
                Long("refusing") => one.is_refusing = true,
                Long("object") => one.object_per_second = parser.value()?.parse()?,
                Long("max") => one.operations_per_second_max = parser.value()?.parse()?,
                Long("queue") => one.queue_ms = parser.value()?.parse()?,
                Long("isolates-max") => isolates_max = parser.value()?.parse()?,
                Long("small") => options.is_small = true,
                Long("seed") => options.seed = parser.value()?.parse()?,
                Long("help") => {
                    println!("{HELP}");
                    return Ok(None);
                }
                other => return Err(other.unexpected()),
            }
        }
        options.settings = match one.isolates {
            0 if options.is_small => SMALL.to_vec(),
            0 => TABLE.to_vec(),
            _ => vec![one],
        };
        options.settings.retain(|setting| setting.isolates <= isolates_max);
        Ok(Some(options))
    }
}
