//! The only place that draws random bits.

/// 128 bits from the platform's generator; `None` at module scope, where the platform gives none.
pub(crate) fn drawn() -> Option<u128> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(u128::from_le_bytes(bytes))
}

/// 128 random bits. Call it only where `drawn` has already succeeded.
#[expect(
    clippy::expect_used,
    reason = "two holders with one token would share a span, so without random bits nothing goes on"
)]
pub(crate) fn bits() -> u128 {
    drawn().expect("a request that has a holder drew bits before")
}
