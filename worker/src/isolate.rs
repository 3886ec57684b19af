//! The leases of this isolate, and how a request gets ids from them.
//!
//! A future must not be awaited by another request than the one that made it. So the only thing
//! that requests share is a [`Holder`] for each sequencer, plain state that no borrow outlives an
//! `await` of; each asks it for its next step, and sleeps on timers of its own.

use std::cell::RefCell;
use std::time::Duration;

use edgeflake::{Call, CallFailed, Error, Holder, Identity, Layout, Reply, Step, Wait};
use wasm_bindgen::JsValue;
use worker::{Context, Delay, Env};

use crate::clock::{ANSWER_MAX_MS, in_time, now_ms};
use crate::objects::Sequencer;
use crate::problem::Problem;
use crate::settings::Settings;
use crate::{directory, region, sequencer};

/// Most sequencers that an isolate issues ids of. Another one takes the place of the one that was
/// used longest ago, whose lease is released.
const SEQUENCERS_MAX: usize = 256;

/// Most names that an isolate remembers as not there.
const UNKNOWN_MAX: usize = 1_000;

/// For how long it does, in ms.
const UNKNOWN_MS: u64 = 5_000;

thread_local! {
    static ISOLATE: RefCell<Isolate> = const { RefCell::new(Isolate::new()) };
}

struct Isolate {
    /// Where in the world it is, once that is known; see `region.rs`.
    place: Option<u16>,
    sequencers: Vec<Held>,
    /// Names that no sequencer has, and until when that is believed, in Unix ms.
    unknown: Vec<(String, u64)>,
    /// Counts the requests, to tell which sequencer was used longest ago.
    requests: u64,
}

struct Held {
    name: String,
    /// Tells it from another holder of this name, before it or after.
    number: u64,
    holder: Holder,
    shards: u64,
    used: u64,
}

/// Ids, and where they come from.
pub(crate) struct Issued {
    /// Not empty.
    pub(crate) ids: Vec<u64>,
    /// Of the last id; a request that found a lease ended has ids of two.
    pub(crate) origin: Origin,
}

/// Where an id comes from. All of it is below 2^53.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Origin {
    pub(crate) node: u64,
    /// The first tick of the span; 0 for an id of a batch.
    pub(crate) from_tick: u64,
    /// The first tick after the span; 0 for an id of a batch.
    pub(crate) until_tick: u64,
    pub(crate) incarnation: u64,
    /// How far the id is ahead of the clock, in ms.
    pub(crate) ahead_ms: u64,
}

impl Origin {
    fn of(id: u64, now_ms: u64, holder: &Holder) -> Self {
        let Some(identity) = holder.identity() else { return Self::default() };
        let layout = identity.layout();
        let parts = layout.unpack(id).unwrap_or_default();
        let span = holder.span().filter(|span| span.node() == parts.node);
        Self {
            node: parts.node,
            from_tick: span.map_or(0, |span| span.from_tick()),
            until_tick: span.map_or(0, |span| span.until_tick()),
            incarnation: holder.incarnation().unwrap_or(0),
            ahead_ms: layout.start_ms(parts.tick).saturating_sub(now_ms),
        }
    }
}

/// Why there are no ids.
#[derive(Debug)]
pub(crate) struct NotIssued {
    pub(crate) error: Error,
    /// When it is worth another try, in ms.
    pub(crate) retry_in_ms: Option<u64>,
}

impl Isolate {
    const fn new() -> Self {
        Self { place: None, sequencers: Vec::new(), unknown: Vec::new(), requests: 0 }
    }

    fn held(&mut self, name: &str) -> Option<&mut Held> {
        self.requests += 1;
        let held = self.sequencers.iter_mut().find(|held| held.name == name)?;
        held.used = self.requests;
        Some(held)
    }

    fn knows(&self, name: &str) -> bool {
        self.sequencers.iter().any(|held| held.name == name)
    }

    fn is_unknown(&self, name: &str, now_ms: u64) -> bool {
        self.unknown.iter().any(|(unknown, until_ms)| unknown == name && now_ms < *until_ms)
    }

    fn note_unknown(&mut self, name: &str, now_ms: u64) {
        if self.unknown.len() >= UNKNOWN_MAX {
            self.unknown.clear();
        }
        self.unknown.push((name.to_owned(), now_ms + UNKNOWN_MS));
    }

    /// Makes room for a sequencer, and answers the call that releases the lease of another.
    fn add(&mut self, name: &str, shards: u64) -> Option<(Sequencer, Call)> {
        let mut released = None;
        if self.sequencers.len() >= SEQUENCERS_MAX {
            let mut oldest = 0;
            for (index, held) in self.sequencers.iter().enumerate() {
                if held.used < self.sequencers[oldest].used {
                    oldest = index;
                }
            }
            let mut held = self.sequencers.swap_remove(oldest);
            held.holder.detach();
            let step = held.holder.step(0, &mut Wait::default(), &mut [], random_bits);
            if let Step::Send(call) = step {
                released = Some((self.sequencer(&held.name, held.shards), call));
            }
        }
        self.unknown.retain(|(unknown, _)| unknown != name);
        let (name, holder, used) = (name.to_owned(), Holder::new(), self.requests);
        let number = self.requests;
        self.sequencers.push(Held { name, number, holder, shards, used });
        released
    }

    fn sequencer(&self, name: &str, shards: u64) -> Sequencer {
        Sequencer { name: name.to_owned(), shards, place: self.place.unwrap_or(0) }
    }
}

/// Notes where in the world this isolate is, from the first request that it answers.
pub(crate) fn locate(request: &JsValue) {
    ISOLATE.with_borrow_mut(|isolate| {
        if isolate.place.is_none() {
            let [low, high, ..] = random_bits().to_le_bytes();
            isolate.place = Some(region::place(request, u16::from_le_bytes([low, high])));
        }
    });
}

/// Gets to know a sequencer: whether there is one of this name.
///
/// # Errors
/// A problem if the directory cannot be reached, or the variables do not make a sequencer.
pub(crate) async fn know(
    env: &Env,
    context: &Context,
    name: &str,
    settings: &Settings,
) -> Result<bool, Problem> {
    let known = ISOLATE.with_borrow_mut(|isolate| {
        let is_unknown = || isolate.is_unknown(name, now_ms());
        if isolate.knows(name) { Some(true) } else { is_unknown().then_some(false) }
    });
    if let Some(known) = known {
        return Ok(known);
    }
    let shards = if name == sequencer::DEFAULT {
        Some(settings.sequencer()?.0.shards())
    } else {
        let shards = in_time(ANSWER_MAX_MS, directory::shards(env, name)).await;
        shards.and_then(Result::ok).ok_or_else(Problem::unreachable)?
    };
    Ok(ISOLATE.with_borrow_mut(|isolate| {
        let Some(shards) = shards else {
            isolate.note_unknown(name, now_ms());
            return false;
        };
        // Another request may have been faster.
        if !isolate.knows(name)
            && let Some((sequencer, call)) = isolate.add(name, shards)
        {
            context.wait_until(release(env.clone(), sequencer, call));
        }
        true
    }))
}

/// A sequencer that this isolate knows.
pub(crate) fn sequencer(name: &str) -> Option<Sequencer> {
    ISOLATE.with_borrow_mut(|isolate| {
        let shards = isolate.held(name)?.shards;
        Some(isolate.sequencer(name, shards))
    })
}

/// The layout of a sequencer's ids, if this isolate has issued any.
pub(crate) fn layout(name: &str) -> Option<Layout> {
    ISOLATE.with_borrow_mut(|isolate| Some(*isolate.held(name)?.holder.identity()?.layout()))
}

/// A sequencer that is yet to be created.
pub(crate) fn found(name: &str, shards: u64) -> Sequencer {
    ISOLATE.with_borrow(|isolate| isolate.sequencer(name, shards))
}

/// A sequencer was created, and has so many shards from now on.
pub(crate) fn note_created(name: &str, shards: u64) {
    ISOLATE.with_borrow_mut(|isolate| {
        isolate.unknown.retain(|(unknown, _)| unknown != name);
        if let Some(held) = isolate.held(name) {
            held.shards = shards;
        }
    });
}

/// A reply may say how many shards the sequencer has.
pub(crate) fn note_reply(name: &str, reply: &Result<Reply, CallFailed>) {
    let Some(identity) = identity(reply) else { return };
    ISOLATE.with_borrow_mut(|isolate| {
        if let Some(held) = isolate.held(name) {
            held.shards = identity.shards();
        }
    });
}

/// What a reply says that the sequencer is bound to.
const fn identity(reply: &Result<Reply, CallFailed>) -> Option<&Identity> {
    match reply {
        Ok(Reply::Granted(grant)) => Some(&grant.identity),
        Ok(Reply::Batched(batch)) => Some(&batch.identity),
        Ok(Reply::Described(Some(sequencer))) => Some(&sequencer.identity),
        _ => None,
    }
}

/// Issues `count` ids of a sequencer that this isolate knows. Those that a failed request had got
/// already are never issued to another.
pub(crate) async fn issue(
    env: &Env,
    context: &Context,
    name: &str,
    count: usize,
) -> Result<Issued, NotIssued> {
    let mut ids = vec![0; count];
    let mut wait = Wait::default();
    loop {
        match step(name, &mut wait, &mut ids) {
            Taken::Ids(origin) => return Ok(Issued { ids, origin }),
            Taken::Call(holder, sequencer, call) => {
                let name = name.to_owned();
                context.wait_until(send(env.clone(), name, holder, sequencer, call));
            }
            Taken::Sleep { ms } => {
                Delay::from(Duration::from_millis(ms)).await;
                wait.fired(ms);
            }
            Taken::Failed(not_issued) => return Err(not_issued),
        }
    }
}

/// What a step of the holder comes to.
#[expect(clippy::large_enum_variant, reason = "one at a time")]
enum Taken {
    Ids(Origin),
    /// By the holder of this number.
    Call(u64, Sequencer, Call),
    Sleep {
        ms: u64,
    },
    Failed(NotIssued),
}

fn step(name: &str, wait: &mut Wait, ids: &mut [u64]) -> Taken {
    ISOLATE.with_borrow_mut(|isolate| {
        let Some(held) = isolate.held(name) else {
            // Forgotten for another sequencer while this request waited.
            let not_issued = NotIssued { error: Error::Detached, retry_in_ms: Some(0) };
            return Taken::Failed(not_issued);
        };
        let now_ms = now_ms();
        match held.holder.step(now_ms, wait, ids, random_bits) {
            Step::Done => {
                let last = ids.last().copied().unwrap_or(0);
                Taken::Ids(Origin::of(last, now_ms, &held.holder))
            }
            Step::Send(call) => {
                let (number, shards) = (held.number, held.shards);
                Taken::Call(number, isolate.sequencer(name, shards), call)
            }
            Step::Sleep { ms } => Taken::Sleep { ms },
            Step::Failed { error, retry_in_ms } => Taken::Failed(NotIssued { error, retry_in_ms }),
        }
    })
}

/// Sends a call and gives the reply to the holder. Outlives the request that found it due.
async fn send(env: Env, name: String, holder: u64, sequencer: Sequencer, call: Call) {
    let reply = sequencer.ask(&env, call.shard, call.request, call.tries).await;
    ISOLATE.with_borrow_mut(|isolate| {
        if let Some(held) = isolate.held(&name).filter(|held| held.number == holder) {
            if let Some(identity) = identity(&reply) {
                held.shards = identity.shards();
            }
            held.holder.receive(now_ms(), call.number, reply);
        }
    });
}

/// Sends a release, whose reply changes nothing.
async fn release(env: Env, sequencer: Sequencer, call: Call) {
    let _ = sequencer.ask(&env, call.shard, call.request, call.tries).await;
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
