//! Checks the names of sequencers, and makes the names and URLs of their shards' objects.

use alloc::format;
use alloc::string::String;

/// The largest length of a sequencer's name; DNS labels have the same limit.
const NAME_LENGTH_MAX: usize = 63;

/// Returns a message for a name that a sequencer cannot have. The message says which names are
/// allowed and, if possible, a similar allowed name. Returns `None` for an allowed name.
///
/// ```
/// use edgeflake_wire::name_refusal;
///
/// assert_eq!(name_refusal("order-items"), None);
/// assert_eq!(
///     name_refusal("orderItems").unwrap(),
///     "give 1 to 63 characters of a-z, 0-9 and -, such as order-items"
/// );
/// ```
#[must_use]
pub fn name_refusal(text: &str) -> Option<String> {
    if is_name(text) {
        return None;
    }
    let similar = kebab(text);
    // If the text is percent-encoded, a similar name would be misleading.
    let is_similar = is_name(&similar) && text.is_ascii() && !text.as_bytes().contains(&b'%');
    let such = if is_similar { format!(", such as {similar}") } else { String::new() };
    Some(format!("give 1 to {NAME_LENGTH_MAX} characters of a-z, 0-9 and -{such}"))
}

/// Returns the message for an unknown sequencer, which says how to create it.
///
/// ```
/// assert_eq!(
///     edgeflake_wire::unknown_sequencer("orders"),
///     "no sequencer is named \"orders\": create it by PUT /v1/sequencers/orders, or by \
///      admin.create(\"orders\") of edgeflake/authority"
/// );
/// ```
#[must_use]
pub fn unknown_sequencer(name: &str) -> String {
    format!(
        "no sequencer is named \"{name}\": create it by PUT /v1/sequencers/{name}, or by \
         admin.create(\"{name}\") of edgeflake/authority"
    )
}

/// The name of the only sequencer that an authority creates on demand, from its variables.
pub const DEFAULT_SEQUENCER: &str = "default";

/// Returns whether a sequencer can have this name.
#[must_use]
pub fn is_name(text: &str) -> bool {
    let allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    (1..=NAME_LENGTH_MAX).contains(&text.len()) && text.bytes().all(allowed)
}

/// Converts a name to lower-case words with `-` between them, such as `sequencerName` to
/// `sequencer-name`.
fn kebab(text: &str) -> String {
    let mut name = String::new();
    let mut after_lower = false;
    for character in text.chars() {
        if !character.is_ascii_alphanumeric() || after_lower && character.is_ascii_uppercase() {
            name.push('-');
        }
        if character.is_ascii_alphanumeric() {
            name.push(character.to_ascii_lowercase());
        }
        after_lower = character.is_ascii_lowercase() || character.is_ascii_digit();
    }
    name
}

/// The address of one shard of a sequencer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address<'a> {
    /// The name of the sequencer.
    pub sequencer: &'a str,
    /// The number of the shard.
    pub shard: u64,
}

impl<'a> Address<'a> {
    /// Returns the name of the shard's object.
    #[must_use]
    pub fn object(&self) -> String {
        format!("{}/{}", self.sequencer, self.shard)
    }

    /// Returns the URL for a message in version 1 of the protocol, with `what` (such as `status`)
    /// at the end of its path. The URL contains the address because an object does not know its own
    /// name.
    #[must_use]
    pub fn url(&self, what: &str) -> String {
        format!("https://authority/v1/{}/{}/{what}", self.sequencer, self.shard)
    }

    /// Reads the address and `what` from the path of a [`url`](Self::url).
    #[must_use]
    pub fn read(path: &'a str) -> Option<(Self, &'a str)> {
        let (sequencer, rest) = path.strip_prefix("/v1/")?.split_once('/')?;
        let (shard, what) = rest.split_once('/')?;
        Some((Self { sequencer, shard: shard.parse().ok()? }, what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s14_h16_a_name_that_cannot_be_is_refused_with_a_similar_one() {
        let allowed = "give 1 to 63 characters of a-z, 0-9 and -";
        for text in ["orders-2", "-", &"a".repeat(63)] {
            assert_eq!(name_refusal(text), None, "{text}");
        }
        for (text, similar) in [
            ("sequencerName", "sequencer-name"),
            ("Orders", "orders"),
            ("ordersV2_eu.west", "orders-v2-eu-west"),
            ("HTTPServer", "httpserver"),
        ] {
            assert_eq!(name_refusal(text).unwrap(), format!("{allowed}, such as {similar}"));
        }
        for text in ["", &"a".repeat(64), &"A".repeat(64), "caf\u{e9}", "%61"] {
            assert_eq!(name_refusal(text).as_deref(), Some(allowed), "{text}");
        }
    }

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
