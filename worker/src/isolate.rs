//! The lease of this isolate, and how a request gets ids from it.
//!
//! A future must not be awaited by another request than the one that made it. So the only thing
//! that requests share is the [`Holder`], plain state that no borrow outlives an `await` of; each
//! asks it for its next step, and sleeps on timers of its own.

use std::cell::RefCell;
use std::time::Duration;

use edgeflake::{Call, CallFailed, Error, Holder, Reply, Request, Span, Step, Wait};
use worker::{Context, Delay, Env, Method, RequestInit, Result, console_error};

use crate::clock::now_ms;
use crate::wire;

thread_local! {
    static HOLDER: RefCell<Holder> = RefCell::new(Holder::new());
}

/// The binding of the Durable Object namespace.
const BINDING: &str = "AUTHORITY";

/// The object that grants the nodes of the default sequencer's only shard.
const OBJECT: &str = "default/0";

/// Why there are no ids.
#[derive(Debug)]
pub(crate) struct NotIssued {
    pub(crate) error: Error,
    /// When it is worth another try, in ms.
    pub(crate) retry_in_ms: Option<u64>,
}

/// The span of this isolate's lease, be it ended.
pub(crate) fn span() -> Option<Span> {
    HOLDER.with_borrow(Holder::span)
}

/// Issues `count` ids. Those that a failed request had got already are never issued to another.
pub(crate) async fn issue(
    env: &Env,
    context: &Context,
    count: usize,
) -> std::result::Result<Vec<u64>, NotIssued> {
    let mut ids = vec![0; count];
    let mut wait = Wait::default();
    loop {
        let step = HOLDER
            .with_borrow_mut(|holder| holder.step(now_ms(), &mut wait, &mut ids, random_bits));
        match step {
            Step::Done => return Ok(ids),
            Step::Send(call) => context.wait_until(send(env.clone(), call)),
            Step::Sleep { ms } => {
                Delay::from(Duration::from_millis(ms)).await;
                wait.fired(ms);
            }
            Step::Failed { error, retry_in_ms } => return Err(NotIssued { error, retry_in_ms }),
        }
    }
}

/// Sends a call and gives the reply to the holder. Outlives the request that found it due.
async fn send(env: Env, call: Call) {
    let reply = ask(&env, &call.request).await.map_err(|error| {
        console_error!("call {} to the authority failed: {error}", call.number);
        CallFailed
    });
    HOLDER.with_borrow_mut(|holder| holder.receive(now_ms(), call.number, reply));
}

async fn ask(env: &Env, request: &Request) -> Result<Reply> {
    let text = |error: wire::Unreadable| worker::Error::from(error.to_string());
    // A stub is not used again after an exception, so each call has its own.
    let stub = env.durable_object(BINDING)?.get_by_name(OBJECT)?;
    let body = wire::write_request(request).map_err(text)?;
    let mut init = RequestInit::new();
    init.with_method(Method::Post).with_body(Some(body.into()));
    let url = format!("https://authority{}", wire::PATH);
    let mut response =
        stub.fetch_with_request(worker::Request::new_with_init(&url, &init)?).await?;
    let answer = response.text().await?;
    match response.status_code() {
        200 => wire::read_reply(&answer).map_err(text),
        status => Err(worker::Error::from(format!("status {status}: {answer}"))),
    }
}

/// 128 bits from the platform's generator.
#[expect(
    clippy::expect_used,
    reason = "two holders with one token would share a span, so without random bits nothing goes"
)]
fn random_bits() -> u128 {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("a request handler has Web Crypto");
    u128::from_le_bytes(bytes)
}
