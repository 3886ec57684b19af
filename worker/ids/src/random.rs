//! The only place that asks for randomness.

/// 128 bits from the platform's generator.
#[expect(
    clippy::expect_used,
    reason = "two holders with one token would share a span, so without random bits nothing goes on"
)]
pub(crate) fn bits() -> u128 {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("a request handler has Web Crypto");
    u128::from_le_bytes(bytes)
}
