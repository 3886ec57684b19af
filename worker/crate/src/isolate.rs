//! Keeps the leases of this isolate, and issues ids from these leases to requests.
//!
//! On this platform, only the request that created a future may await that future. So requests
//! share only plain state, a [`Holder`] per sequencer, and no request borrows a holder across an
//! `await`. Each request asks the holder for the request's next step, and has its own timers.

mod names;
mod state;

use std::cell::RefCell;
use std::time::Duration;

use edgeflake::Layout;
use edgeflake::lease::{
    BoundConfig, Call, CallFailure, Error, Holder, Refusal, Reply, Sequencer, State as HolderState,
    Step, Wait,
};
use edgeflake_wire::DEFAULT_SEQUENCER;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use wasm_bindgen::JsValue;
use worker::js_sys::Reflect;
use worker::{Delay, Env};

use self::names::Look;
use self::state::State;
use crate::admin::outcome::{Usage, look};
use crate::objects::call::{Namespace, NoAnswer};
use crate::objects::client::{self, ShardClient};
use crate::platform::{self, now_ms, outlive};
use crate::problem::Problem;
use crate::settings::SequencerSettings;

thread_local! {
    static STATE: RefCell<State> = const { RefCell::new(State::new()) };
}

/// Issued ids, and from which node and span they come.
pub struct IssuedIds {
    /// The ids, at least one.
    pub ids: Vec<u64>,
    /// The origin of the last id. If a lease ended during the request, the first ids have another
    /// origin.
    pub origin: Origin,
}

/// The origin of an id: the node, span and incarnation from which the id was issued. All numbers
/// are below 2^53.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin {
    /// The node.
    pub node: u64,
    /// The first tick of the span; 0 for an id of a batch.
    pub from_tick: u64,
    /// The first tick after the span; 0 for an id of a batch.
    pub until_tick: u64,
    /// The sequencer's incarnation.
    pub incarnation: u64,
    /// The time by which the id is ahead of the clock, in ms.
    pub ahead_ms: u64,
}

/// Notes where in the world this isolate is, from the first request that the isolate answers.
pub fn locate(request: &JsValue) {
    STATE.with_borrow_mut(|state| {
        if state.place.is_none()
            && let Some(bits) = platform::drawn()
        {
            let [low, high, ..] = bits.to_le_bytes();
            state.place = Some(place(request, u16::from_le_bytes([low, high])));
        }
    });
}

/// Returns the place on the circle of shards of the isolate that answers this request, see
/// [`edgeflake_wire::place`].
fn place(request: &JsValue, random: u16) -> u16 {
    let location = || {
        let cf = Reflect::get(request, &"cf".into()).ok()?;
        let text = |name: &str| Reflect::get(&cf, &name.into()).ok()?.as_string();
        let longitude = text("longitude")?;
        // Whole degrees are enough, so the fraction is cut off.
        let degrees = longitude.split('.').next()?.parse().ok()?;
        Some(edgeflake_wire::place(&text("continent")?, degrees, random))
    };
    location().unwrap_or(random)
}

/// Returns a client for a sequencer that exists.
///
/// # Errors
/// A problem if no sequencer has this name, the directory cannot be reached, or the variables are
/// not valid.
pub async fn client(env: &Env, name: &str) -> Result<ShardClient, Problem> {
    know(env, name).await?;
    let client = STATE.with_borrow_mut(|state| {
        let shards = state.held(name)?.shards;
        Some(state.client(name, shards))
    });
    client.ok_or_else(|| Problem::unknown_sequencer(name))
}

/// Returns a client for a sequencer with this number of shards. The sequencer need not exist, and
/// the isolate need not have a holder for the sequencer.
fn client_with(name: &str, shards: u64) -> ShardClient {
    STATE.with_borrow(|state| state.client(name, shards))
}

/// Returns the layout of a sequencer's ids, if this isolate has had a lease of the sequencer.
#[must_use]
pub fn layout(name: &str) -> Option<Layout> {
    STATE.with_borrow_mut(|state| Some(*state.held(name)?.holder.config()?.layout()))
}

/// Notes that a sequencer was created, and its number of shards.
pub fn note_created(name: &str, shards: u64) {
    STATE.with_borrow_mut(|state| state.note_created(name, shards));
}

/// Drops the lease of a sequencer if the reply says that the sequencer was destroyed.
pub(crate) fn note_destroyed(name: &str, reply: &Result<Reply, CallFailure>) {
    let Ok(Reply::Described(Some(sequencer))) = reply else { return };
    if sequencer.is_active() {
        return;
    }
    STATE.with_borrow_mut(|state| {
        if let Some(held) = state.held(name) {
            held.holder.destroyed(now_ms(), sequencer.incarnation);
        }
    });
}

/// Notes how many shards a sequencer has, if the reply contains this number.
pub fn note_reply(name: &str, reply: &Result<Reply, CallFailure>) {
    STATE.with_borrow_mut(|state| {
        if let Some(held) = state.held(name) {
            held.note(reply);
        }
    });
}

/// Issues exactly `count` ids of a sequencer, with `tag` in the tag fields. If this function fails,
/// the ids that it has already taken are never issued.
///
/// # Errors
/// A problem that says why the ids cannot be issued.
pub async fn issue(env: &Env, name: &str, count: usize, tag: u64) -> Result<IssuedIds, Problem> {
    know(env, name).await?;
    let mut ids = Vec::new();
    let mut wait = Wait::of(count).tagged(tag);
    loop {
        let (step, origin) = step(name, &mut wait, &mut ids);
        match step {
            Step::Done => return Ok(IssuedIds { ids, origin }),
            Step::Send(call) => start(env, name, call),
            Step::Sleep { ms } => {
                Delay::from(Duration::from_millis(ms)).await;
                wait.fired(ms);
            }
            Step::Failed { error, retry_in_ms } => {
                return Err(match error {
                    // The request caused this error, not the isolate.
                    Error::Generator(error @ edgeflake::Error::TooLarge { .. }) => {
                        Problem::unfit(&error)
                    }
                    Error::Refused(Refusal::UnknownSequencer) => Problem::unknown_sequencer(name),
                    error => Problem::issuing(&error, retry_in_ms),
                });
            }
        }
    }
}

/// Adds a holder of a sequencer if the isolate has none. For `default`, the number of shards comes
/// from the variables. For any other sequencer, it comes from the directory, which also knows
/// whether the sequencer exists.
///
/// # Errors
/// A problem if no sequencer has this name, the directory cannot be reached, a namespace is
/// missing, the variables are not valid, or the code does not run in a handler.
async fn know(env: &Env, name: &str) -> Result<(), Problem> {
    if STATE.with_borrow(|state| state.has(name)) {
        return Ok(());
    }
    if platform::drawn().is_none() {
        return Err(Problem::own(&"there are no random bits here: ask for ids in a handler"));
    }
    Namespace::authority(env.as_ref())?;
    let shards = if name == DEFAULT_SEQUENCER {
        Some(SequencerSettings::of(env.as_ref())?.config.shards())
    } else {
        Namespace::directory(env.as_ref())?;
        shards_of(env, name).await.map_err(NoAnswer::problem)?
    };
    let shards = shards.ok_or_else(|| Problem::unknown_sequencer(name))?;
    // Another request may have added a holder meanwhile.
    if let Some((holder, client, call)) = STATE.with_borrow_mut(|state| state.add(name, shards)) {
        outlive(send(env.clone(), holder, client, call));
    }
    Ok(())
}

/// Returns the number of shards of a sequencer; `None` if no sequencer has this name. There is one
/// directory for all isolates, so a flood of unknown names must not reach the directory: see
/// [`names::Names`].
async fn shards_of(env: &Env, name: &str) -> Result<Option<u64>, NoAnswer> {
    let names = |state: &mut State| state.names.look(name, now_ms());
    loop {
        match STATE.with_borrow_mut(names) {
            Look::Known(shards) => return Ok(shards),
            Look::Ask => {
                let shards = client::shards_of(env.as_ref(), name).await?;
                if shards.is_none() {
                    STATE.with_borrow_mut(|state| state.names.note_unknown(name, now_ms()));
                }
                return Ok(shards);
            }
            Look::AskForAll => {
                let all = client::sequencers(env.as_ref()).await;
                let all = STATE.with_borrow_mut(|state| state.names.note_all(all, now_ms()));
                all?;
            }
            Look::Wait => Delay::from(Duration::from_millis(LIST_LOOK_MS)).await,
        }
    }
}

/// The interval, in ms, at which a request checks whether another request has fetched the list of
/// names.
const LIST_LOOK_MS: u64 = 20;

/// Checks that this isolate has a lease of the default sequencer that has not ended by the
/// isolate's clock. If there is no such lease, checks that the sequencer's registry answers, and
/// that `layout`, the layout of the variables, has begun and not ended. Creates and issues nothing.
///
/// # Errors
/// A problem if a check fails, or the isolate knows that the sequencer was destroyed.
pub async fn check_default(env: &Env, layout: &Layout) -> Result<(), Problem> {
    let known = STATE.with_borrow_mut(|state| {
        let holder = &state.held(DEFAULT_SEQUENCER)?.holder;
        let ends_ms = holder.config().zip(holder.span());
        let ends_ms = ends_ms.map(|(config, span)| config.layout().start_ms(span.until_tick()));
        Some((holder.state(), ends_ms.is_some_and(|ends_ms| now_ms() < ends_ms)))
    });
    match known {
        Some((HolderState::Destroyed, _)) => {
            let refusal = Refusal::SequencerDestroyed;
            return Err(Problem::issuing(&Error::Refused(refusal), None));
        }
        Some((_, true)) => return Ok(()),
        Some((_, false)) | None => {}
    }
    check_layout(env, layout)?;
    let client = client_with(DEFAULT_SEQUENCER, 1);
    let status = client.look(env.as_ref(), Sequencer::REGISTRY, "status").await;
    status.map(|_| ()).map_err(NoAnswer::problem)
}

/// Checks whether a shard of the default sequencer can grant a lease now. `config` is the
/// configuration in the variables. Creates and issues nothing, and causes a shard to write at most
/// one row per minute.
///
/// # Errors
/// A problem that says why no shard can grant a lease.
pub async fn check_ready(env: &Env, config: &BoundConfig) -> Result<(), Problem> {
    check_layout(env, config.layout())?;
    let client = client_with(DEFAULT_SEQUENCER, config.shards());
    let shards = (0..config.shards()).map(|shard| look(env.as_ref(), &client, shard));
    let mut shards: FuturesUnordered<_> = shards.collect();
    let mut usage = Usage { answers: Vec::new() };
    // As soon as one shard is ready, the check does not wait for the others.
    while let Some(answer) = shards.next().await {
        usage.answers.push(answer);
        if usage.check_ready().is_ok() {
            return Ok(());
        }
    }
    usage.check_ready()
}

/// Checks that there is a namespace of shards, and that a layout has begun and not ended.
fn check_layout(env: &Env, layout: &Layout) -> Result<(), Problem> {
    Namespace::authority(env.as_ref())?;
    let (now_ms, epoch_ms, end_ms) = (now_ms(), layout.epoch_ms(), layout.end_ms());
    if layout.tick(now_ms).is_ok() {
        return Ok(());
    }
    let refusal = Refusal::OutsideLayout { now_ms, epoch_ms, end_ms };
    Err(Problem::issuing(&Error::Refused(refusal), None))
}

/// Returns the next step of a request for ids. If the request has all its ids, also returns the
/// origin of the last id.
fn step(name: &str, wait: &mut Wait, ids: &mut Vec<u64>) -> (Step, Origin) {
    STATE.with_borrow_mut(|state| {
        let Some(held) = state.held(name) else {
            // Another sequencer's holder took the place of this holder while the request waited.
            let detached = Step::Failed { error: Error::Detached, retry_in_ms: Some(0) };
            return (detached, Origin::default());
        };
        let now_ms = now_ms();
        let step = held.holder.issue(now_ms, wait, ids, platform::bits);
        let last = ids.last().filter(|_| matches!(step, Step::Done));
        (step, last.map_or_else(Origin::default, |last| origin(*last, now_ms, &held.holder)))
    })
}

/// Begins to send a call of a sequencer's holder, see [`send`].
fn start(env: &Env, name: &str, call: Call) {
    let sender = STATE.with_borrow_mut(|state| {
        let (number, shards) = state.held(name).map(|held| (held.number, held.shards))?;
        Some((number, state.client(name, shards)))
    });
    if let Some((number, client)) = sender {
        outlive(send(env.clone(), number, client, call));
    }
}

/// Returns the origin of an id of this holder.
fn origin(id: u64, now_ms: u64, holder: &Holder) -> Origin {
    let Some(config) = holder.config() else { return Origin::default() };
    let layout = config.layout();
    let parts = layout.decode(id).unwrap_or_default();
    let span = holder.span().filter(|span| span.node() == parts.node);
    Origin {
        node: parts.node,
        from_tick: span.map_or(0, |span| span.from_tick()),
        until_tick: span.map_or(0, |span| span.until_tick()),
        incarnation: holder.incarnation().unwrap_or(0),
        ahead_ms: layout.start_ms(parts.tick).saturating_sub(now_ms),
    }
}

/// Sends a call and passes the reply to the holder, if the holder still exists. The call may last
/// longer than the request that started the call.
async fn send(env: Env, holder: u64, client: ShardClient, call: Call) {
    let reply = client.ask(env.as_ref(), call.shard, call.request, call.tries).await;
    STATE.with_borrow_mut(|state| {
        if let Some(held) = state.held(&client.name).filter(|held| held.number == holder) {
            held.note(&reply);
            held.holder.receive(now_ms(), call.number, reply);
        }
    });
}
