//! The address of a shard of a sequencer, and the object that has it.

/// The name of the sequencer that is made from the variables.
pub(crate) const DEFAULT_SEQUENCER: &str = "default";

/// The shard that is the registry of its sequencer.
pub(crate) const REGISTRY: u64 = 0;

/// One shard of a sequencer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Address<'a> {
    pub(crate) sequencer: &'a str,
    pub(crate) shard: u64,
}

impl<'a> Address<'a> {
    /// The name of its object.
    pub(crate) fn object(&self) -> String {
        format!("{}/{}", self.sequencer, self.shard)
    }

    /// The URL for messages of version 1. It names the address because an object does not know its
    /// own name.
    pub(crate) fn url(&self, what: &str) -> String {
        format!("https://authority/v1/{}/{}/{what}", self.sequencer, self.shard)
    }

    /// Reads an address, and what is asked there, from the path of such a URL.
    pub(crate) fn read(path: &'a str) -> Option<(Self, &'a str)> {
        let (sequencer, rest) = path.strip_prefix("/v1/")?.split_once('/')?;
        let (shard, what) = rest.split_once('/')?;
        Some((Self { sequencer, shard: shard.parse().ok()? }, what))
    }

    /// Whether this is the registry of the default sequencer.
    pub(crate) fn is_default_registry(&self) -> bool {
        self.sequencer == DEFAULT_SEQUENCER && self.shard == REGISTRY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let address = Address { sequencer: "orders", shard: 3 };
        assert_eq!(address.object(), "orders/3");
        assert_eq!(address.url("status"), "https://authority/v1/orders/3/status");
        assert_eq!(Address::read("/v1/orders/3/status"), Some((address, "status")));
        assert_eq!(Address::read("/v1/orders/3/"), Some((address, "")));
        for path in ["", "/v1", "/v1/orders", "/v1/orders/3", "/v1/orders/x/", "/v2/orders/3/"] {
            assert_eq!(Address::read(path), None, "{path}");
        }
    }
}
