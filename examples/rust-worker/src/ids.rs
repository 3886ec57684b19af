//! Ids from the lease of this isolate.

use std::cell::RefCell;
use std::time::Duration;

use edgeflake::lease::{Call, Error, Holder, Step, Wait};
use worker::{Context, Date, Delay, Env};

use crate::authority;

thread_local! {
    /// All that requests share: plain state. None may await what another one started, so no borrow
    /// of it outlives an `await`.
    static HOLDER: RefCell<Holder> = RefCell::new(Holder::new());
}

/// The next id.
///
/// # Errors
/// Why there is none: of the authority, or of the allowed future.
pub(crate) async fn next(env: &Env, context: &Context) -> Result<u64, Error> {
    let (mut ids, mut wait) = ([0], Wait::default());
    loop {
        let step = |holder: &mut Holder| holder.step(now_ms(), &mut wait, &mut ids, random_bits);
        match HOLDER.with_borrow_mut(step) {
            Step::Done => return Ok(ids[0]),
            // Outlives this request, which asks for its next step meanwhile.
            Step::Send(call) => context.wait_until(send(env.clone(), call)),
            Step::Sleep { ms } => {
                Delay::from(Duration::from_millis(ms)).await;
                wait.fired(ms);
            }
            Step::Failed { error, .. } => return Err(error),
        }
    }
}

async fn send(env: Env, call: Call) {
    let reply = authority::ask(&env, call.shard, call.request, call.tries).await;
    HOLDER.with_borrow_mut(|holder| holder.receive(now_ms(), call.number, reply));
}

fn now_ms() -> u64 {
    Date::now().as_millis()
}

/// Two holders with one token would share a span: without random bits nothing goes.
fn random_bits() -> u128 {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("a request handler has Web Crypto");
    u128::from_le_bytes(bytes)
}
