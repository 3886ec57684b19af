//! Layouts of known systems, usable in `const` context.
//!
//! A preset says how a system divides its ids' bits, not how the system issues them. Where users
//! choose the epoch, the preset has a default, and [`Layout::with_epoch`] takes another:
//!
//! ```
//! use edgeflake::{Layout, preset};
//!
//! const MINE: Layout = match preset::BWMARRIN.with_epoch(1_735_689_600_000) {
//!     Ok(layout) => layout,
//!     Err(_) => panic!("an epoch that leaves no room for 41 bits"),
//! };
//! assert_eq!(MINE.start_ms(0), 1_735_689_600_000);
//! ```
//!
//! A layout that has run out still takes ids apart. It issues no ids any more, because
//! [`Layout::tick`] fails with the date at which it ended.
#![expect(clippy::panic, reason = "evaluated at compile time: a wrong preset does not build")]

mod build;
mod example;
mod library;
mod options;
mod own;
mod service;

#[doc(hidden)]
pub use example::{DATACENTER_WORKER, RANDOM_START, RESOURCE_TYPE, WORKER_QUEUE};
pub use library::{
    BAIDU, BWMARRIN, COSID, COSID_JS, FLAKE_IDGEN, HAZELCAST, LEAF, NODEJS_SNOWFLAKE, SNOWCAST,
    SNOWID, SONYFLAKE, SONYFLAKE_V2, TSID, YITTER, hazelcast, snowcast,
};
pub use options::Options;
pub use own::{EDGE, JS_SAFE};
pub use service::{DISCORD, INSTAGRAM, LINKEDIN, MASTODON, TWITTER};

use crate::error::Error;
use crate::layout::{Layout, Role};

/// A known system and the layout of its ids.
///
/// ```
/// use edgeflake::preset::{self, Kind, Preset};
///
/// let found = preset::named("sonyflake-v2");
/// let layout = preset::SONYFLAKE_V2;
/// let (name, title, since_ms) = ("sonyflake-v2", "Sonyflake v2", layout.epoch_ms());
/// let expected = Preset { name, title, kind: Kind::Library, layout, since_ms };
/// assert_eq!(found, Some(&expected));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name that [`named`] finds, such as `sonyflake-v2`.
    pub name: &'static str,
    /// What people call the system, such as `Sonyflake v2`.
    pub title: &'static str,
    /// What kind of system it is, which tells how common its ids are.
    pub kind: Kind,
    /// The layout.
    pub layout: Layout,
    /// When the system began to make ids, in Unix ms; the epoch if that is not published.
    pub since_ms: u64,
}

impl Preset {
    /// The layout with these options of its users.
    ///
    /// # Errors
    /// [`Error::PresetOption`] for an option that the preset does not have, and those of
    /// [`hazelcast()`], [`snowcast()`] and [`Layout::with_epoch`].
    ///
    /// ```
    /// use edgeflake::Error;
    /// use edgeflake::preset::{self, Options};
    ///
    /// let options = Options { bits_node_id: Some(10), ..Options::default() };
    /// assert_eq!(preset::named("hazelcast").unwrap().with(&options)?.nodes(), 1_024);
    ///
    /// let options = Options { epoch_ms: Some(1_700_000_000_000), ..Options::default() };
    /// assert!(preset::named("leaf").unwrap().with(&options).is_ok());
    /// assert_eq!(
    ///     preset::named("twitter").unwrap().with(&options).unwrap_err().to_string(),
    ///     "the preset twitter has no epoch to choose: leave it out"
    /// );
    /// # Ok::<(), Error>(())
    /// ```
    pub fn with(&self, options: &Options) -> Result<Layout, Error> {
        let Options { epoch_ms, nodes, bits_sequence, bits_node_id } = *options;
        let is_snowcast = self.name == "snowcast";
        let is_hazelcast = self.name == "hazelcast";
        for (is_given, has, option, hint) in [
            (epoch_ms.is_some(), self.kind != Kind::Service, "epoch", "leave it out"),
            (nodes.is_some(), is_snowcast, "number of nodes", "use snowcast"),
            (bits_sequence.is_some(), is_hazelcast, "sequence bits", "use hazelcast"),
            (bits_node_id.is_some(), is_hazelcast, "node bits", "use hazelcast"),
        ] {
            if is_given && !has {
                return Err(Error::PresetOption { preset: self.name, option, hint });
            }
        }
        let epoch_ms = epoch_ms.unwrap_or(self.layout.epoch_ms());
        if let Some(nodes) = nodes {
            return snowcast(nodes, epoch_ms);
        }
        if is_hazelcast {
            return hazelcast(
                epoch_ms,
                bits_sequence.unwrap_or(self.layout.role_bits(Role::Sequence)),
                bits_node_id.unwrap_or(self.layout.role_bits(Role::Node)),
            );
        }
        self.layout.with_epoch(epoch_ms)
    }
}

/// What kind of system a preset describes, which tells how common ids with its epoch are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A service that shows its ids to the public. All of them have this epoch.
    Service,
    /// Software that others run, mostly with this epoch.
    Library,
    /// An article, or software whose users choose the epoch, so few ids have this one.
    Example,
}

/// All presets; each name occurs once. The first is the default of the Worker and the page.
pub static ALL: [Preset; 25] = [
    library("hazelcast", "Hazelcast Flake", &HAZELCAST),
    service("twitter", "Twitter", &TWITTER, TWITTER.epoch_ms()),
    service("discord", "Discord", &DISCORD, DISCORD.epoch_ms()),
    service("instagram", "Instagram", &INSTAGRAM, INSTAGRAM.epoch_ms()),
    service("mastodon", "Mastodon", &MASTODON, service::MASTODON_SINCE_MS),
    service("linkedin", "LinkedIn", &LINKEDIN, service::LINKEDIN_SINCE_MS),
    library("sonyflake", "Sonyflake", &SONYFLAKE),
    library("sonyflake-v2", "Sonyflake v2", &SONYFLAKE_V2),
    example("snowcast", "snowcast", &SNOWCAST),
    example("datacenter-worker", "Java article", &DATACENTER_WORKER),
    example("random-start", "Go article", &RANDOM_START),
    example("resource-type", "resource-type variant", &RESOURCE_TYPE),
    example("worker-queue", "queue variant", &WORKER_QUEUE),
    library("baidu", "Baidu uid-generator", &BAIDU),
    library("leaf", "Meituan Leaf", &LEAF),
    library("bwmarrin", "bwmarrin/snowflake", &BWMARRIN),
    library("yitter", "yitter", &YITTER),
    library("tsid", "TSID", &TSID),
    library("cosid", "CosId", &COSID),
    library("cosid-js", "CosId for JavaScript", &COSID_JS),
    Preset {
        since_ms: library::FLAKE_IDGEN_SINCE_MS,
        ..library("flake-idgen", "flake-idgen", &FLAKE_IDGEN)
    },
    example("nodejs-snowflake", "nodejs-snowflake", &NODEJS_SNOWFLAKE),
    library("snowid", "SnowID", &SNOWID),
    library("js-safe", "edgeflake, 53 bits", &JS_SAFE),
    library("edge", "edgeflake", &EDGE),
];

/// The preset that has this name, or `None`. [`ALL`] lists the presets.
#[must_use]
pub fn named(name: &str) -> Option<&'static Preset> {
    ALL.iter().find(|preset| preset.name == name)
}

const fn service(
    name: &'static str,
    title: &'static str,
    layout: &Layout,
    since_ms: u64,
) -> Preset {
    Preset { name, title, kind: Kind::Service, layout: *layout, since_ms }
}

const fn library(name: &'static str, title: &'static str, layout: &Layout) -> Preset {
    Preset { name, title, kind: Kind::Library, layout: *layout, since_ms: layout.epoch_ms() }
}

const fn example(name: &'static str, title: &'static str, layout: &Layout) -> Preset {
    Preset { name, title, kind: Kind::Example, layout: *layout, since_ms: layout.epoch_ms() }
}
