//! The only place that asks for randomness.

use edgeflake_authority::problem::Problem;

/// 128 bits from the platform's generator.
///
/// # Errors
/// A problem at module scope, where the platform gives none.
pub(crate) fn drawn() -> Result<u128, Problem> {
    let mut bytes = [0; 16];
    let filled = getrandom::fill(&mut bytes);
    filled.map_err(|_| Problem::own(&"there are no random bits here: ask for ids in a handler"))?;
    Ok(u128::from_le_bytes(bytes))
}

/// 128 bits, where some were drawn before.
#[expect(
    clippy::expect_used,
    reason = "two holders with one token would share a span, so without random bits nothing goes on"
)]
pub(crate) fn bits() -> u128 {
    drawn().expect("a request that has a holder drew bits before")
}
