//! Requests for ids, and the steps that their holder asks for.

use edgeflake::lease::{Acquire, Error, Refusal, Renew, Request, Step, Wait};
use edgeflake::{Parts, Span};
use edgeflake_world::{Count, Task};

use super::{Event, World};
use crate::fault::Phase;
use crate::isolate::{Client, File, Isolate, PROMISE_MS, SMALL_MAX};
use crate::message::Caller;

impl World {
    /// Starts a client that wants `count` ids.
    pub(super) fn serve(&mut self, site: usize, isolate: usize, count: usize) {
        self.started += 1;
        let Isolate { held, clock, .. } = &mut self.isolates[isolate];
        let held = &mut held[site];
        held.wanted += count;
        let lost = held.lost(self.now_ms);
        let others = self.clients.values().filter(|other| other.life == held.life);
        let counts = others.map(|other| other.count);
        let small: usize = counts.clone().filter(|count| *count <= SMALL_MAX).sum();
        let wanted = counts.sum::<usize>() + count;
        let before = held.wanted - wanted;
        let is_known = count == 1 || held.has_room(clock.now_ms(self.now_ms), wanted as u64);
        let client = Client {
            site,
            isolate,
            life: held.life,
            count,
            ids: Vec::new(),
            answered: self.sites[site].ledger.answered(held.life),
            noted: 0,
            wait: Wait::of(count),
            sleeps_ms: 0,
            since_ms: self.now_ms,
            is_promised: is_known && self.phase == Phase::Calm && self.climate.lasts(self.now_ms),
            before,
            span: held.holder.span(),
            small: small + lost,
        };
        self.clients.insert(self.started, Box::new(client));
        self.go_on(self.started);
    }

    pub(super) fn fire(&mut self, client: u64) {
        if let Some(client) = self.clients.get_mut(&client) {
            let until_ms = self.isolates[client.isolate].paused_until_ms;
            if until_ms <= self.now_ms {
                client.wait.fired(client.sleeps_ms);
            }
        }
        self.go_on(client);
    }

    /// Asks the holder for the next step of a client until the client sleeps, has its ids, or
    /// fails.
    fn go_on(&mut self, number: u64) {
        let Some(mut client) = self.clients.remove(&number) else { return };
        let (index, site) = (client.isolate, client.site);
        let paused_ms = self.isolates[index].paused_until_ms.saturating_sub(self.now_ms);
        if paused_ms > 0 {
            self.clients.insert(number, client);
            return self.post(paused_ms, Event::Timer(number));
        }
        loop {
            self.take_step();
            let random = &mut self.random;
            let isolate = &mut self.isolates[index];
            let now_ms = isolate.clock.now_ms(self.now_ms);
            let held = &mut isolate.held[site];
            let (life, start) = (held.life, held.start);
            // A request to a holder that is gone is dropped.
            if life != client.life {
                return;
            }
            let incarnation = held.holder.incarnation();
            let (wait, ids) = (&mut client.wait, &mut client.ids);
            let step = held.holder.issue(now_ms, wait, ids, || random.bits());
            // Ids of requests that fail later count, too, because no other request may get them.
            while let Some(id) = client.ids.get(client.noted).filter(|id| **id != 0) {
                let ledger = &mut self.sites[site].ledger;
                let parts = ledger.issued(life, incarnation.unwrap(), start, *id);
                self.tally.count(Count::Ids);
                client.noted += 1;
                let id = *id;
                self.note(|| {
                    let Parts { tick, node, sequence, .. } = parts;
                    format!("life {life} issues {id}: node {node}, tick {tick}, {sequence}")
                });
            }
            match step {
                Step::Send(call) => {
                    if matches!(call.request, Request::Prefetch(_)) {
                        self.asks_for_batch(&mut client);
                    }
                    let held = &mut self.isolates[index].held[site];
                    check_call(&call.request, held.holder.span());
                    let swaps = matches!(
                        call.request,
                        Request::Acquire(Acquire { excluded_node: Some(_), .. })
                    );
                    held.swap = swaps.then_some(call.number);
                    self.note(|| format!("life {life} calls {:?}: {:?}", call.shard, call.request));
                    let caller = Caller::Holder { isolate: index, life, number: call.number };
                    let Isolate { place, held, .. } = &self.isolates[index];
                    let task = Task::of_call(&call, *place, held[site].shards);
                    self.start(site, Some(caller), task);
                }
                Step::Sleep { ms } => {
                    // A large request may vanish. Requests behind it still get their ids.
                    let vanishes = self.phase == Phase::Calm && client.count > SMALL_MAX;
                    if vanishes && self.random.one_in(10) {
                        return self.tally.count(Count::Departures);
                    }
                    if self.random.one_in(200) {
                        return self.cancel(&mut client);
                    }
                    client.sleeps_ms = ms;
                    // In a storm, some timers fire late.
                    let punctual = self.phase != Phase::Storm || !self.random.one_in(8);
                    let late_ms = if punctual { 0 } else { self.random.pick([1, 50, 2_000]) };
                    self.clients.insert(number, client);
                    return self.post(ms + late_ms, Event::Timer(number));
                }
                Step::Done => return self.complete(&mut client, incarnation, now_ms),
                Step::Failed { error: Error::Unwritten, .. } => {
                    if !self.write(site, index) {
                        let held = &mut self.isolates[index].held[site];
                        return held.fails(self.now_ms, &client);
                    }
                }
                Step::Failed { error, retry_in_ms } => {
                    // A request whose ids cannot come in time is refused at once, even a request
                    // for one id.
                    let held = &self.isolates[index].held[site];
                    let has_room = || held.has_room(now_ms, client.small as u64 + 1);
                    // The refusal also comes at once if the request has waited only for a lease, or
                    // for a later end of the span.
                    let is_at_once = client.since_ms == self.now_ms
                        || client.span.is_none()
                        || client.span != held.holder.span();
                    let is_too_many = (client.count > 1 || !has_room())
                        && client.noted == 0
                        && is_at_once
                        && matches!(error, Error::Generator(_))
                        && retry_in_ms.is_some();
                    assert!(
                        self.is_excused(&client, error)
                            || !self.is_promised(&client)
                            || is_too_many,
                        "a request for {} ids failed in a calm after {} ids: {error}",
                        client.count,
                        client.noted
                    );
                    if is_too_many {
                        self.tally.count(Count::Overdrawn);
                    }
                    if self.random.one_in(2) {
                        return self.cancel(&mut client);
                    }
                    let held = &mut self.isolates[index].held[site];
                    return held.fails(self.now_ms, &client);
                }
            }
        }
    }

    /// Notes that a client has its ids. Sometimes the client cancels its request only after this,
    /// which is too late.
    fn complete(&mut self, client: &mut Client, incarnation: Option<u64>, now_ms: u64) {
        if let Some(incarnation) = incarnation {
            let ledger = &mut self.sites[client.site].ledger;
            ledger.served(client.life, incarnation, &client.answered, &client.ids);
        }
        self.served(client, now_ms);
        if self.random.one_in(30) {
            self.tally.count(Count::LateCancellations);
            let held = &mut self.isolates[client.isolate].held[client.site];
            held.holder.cancel(&mut client.wait, &mut client.ids);
        }
    }

    /// Ends a request that has failed, or whose client left before it got its ids.
    fn cancel(&mut self, client: &mut Client) {
        let Client { site, isolate, life, noted, .. } = *client;
        self.note(|| format!("life {life} cancels a request with {noted} ids"));
        self.sites[site].ledger.cancelled(life, &client.ids[..noted]);
        let held = &mut self.isolates[isolate].held[site];
        held.holder.cancel(&mut client.wait, &mut client.ids);
        held.returned_ms = self.now_ms;
        held.fails(self.now_ms, client);
        if noted > 0 {
            self.tally.count(Count::Cancellations);
        }
    }

    /// Notes that a client asks for a batch because the lease has ended. The size of the batch is
    /// unknown, so waiting requests for several ids need not be served in time any more.
    fn asks_for_batch(&mut self, client: &mut Client) {
        if client.count > 1 {
            self.sites[client.site].drained_ms = self.now_ms;
        }
        let life = client.life;
        let others = self.clients.values_mut().map(Box::as_mut).filter(|other| other.life == life);
        for waiting in others.chain([client]) {
            waiting.is_promised &= waiting.count == 1;
        }
    }

    /// Whether a request may fail in a calm.
    fn is_excused(&mut self, client: &Client, error: Error) -> bool {
        let Error::Refused(refusal) = error else { return false };
        match refusal {
            // A batch may have a single id, so a large request can use up the operations that the
            // shard allows per second.
            Refusal::Overloaded { .. } => {
                self.now_ms <= self.sites[client.site].drained_ms + PROMISE_MS
            }
            // A holder that got this refusal in the storm asks again after a few seconds. This wait
            // begins anew if the holder's clock has gone back since.
            Refusal::UnknownSequencer | Refusal::SequencerDestroyed => {
                let held = &mut self.isolates[client.isolate].held[client.site];
                self.now_ms <= *held.missing_ms.get_or_insert(self.now_ms) + PROMISE_MS
            }
            _ => false,
        }
    }

    /// Whether a client must get its ids in time. For several ids this needs a lease, because the
    /// size of the next batch is unknown. The lease must also have room for clients that came
    /// later, because small requests may go first.
    fn is_promised(&self, client: &Client) -> bool {
        let Isolate { held, clock, .. } = &self.isolates[client.isolate];
        let held = &held[client.site];
        let wanted = held.wanted - client.before;
        let has_room = || held.has_room(clock.now_ms(self.now_ms), wanted as u64);
        client.is_promised && (client.count == 1 || has_room())
    }

    /// Records the ticks that the holder may use next. In a storm the disk may fail before or after
    /// the write.
    fn write(&mut self, site: usize, index: usize) -> bool {
        let fate = if self.phase == Phase::Storm { self.random.below(20) } else { u64::MAX };
        self.step_before_record(index);
        let isolate = &mut self.isolates[index];
        let now_ms = isolate.clock.now_ms(self.now_ms);
        let held = &mut isolate.held[site];
        if held.lose() {
            self.tally.count(Count::LostStores);
            return true;
        }
        let record = held.holder.record(now_ms);
        if fate != 0 {
            held.file = Some(File(record));
            self.tally.count(Count::Written);
        }
        if fate > 1 {
            held.holder.written(record.as_ref());
        }
        fate > 1
    }

    /// Checks that a client's ids come in time, and are not too far ahead of the isolate's clock.
    fn served(&mut self, client: &Client, now_ms: u64) {
        if !self.is_promised(client) {
            return;
        }
        let waited_ms = self.now_ms - client.since_ms;
        assert!(waited_ms <= PROMISE_MS, "ids came after {waited_ms} ms in a calm");
        self.tally.count(if client.count > 1 { Count::ServedLarge } else { Count::Served });

        let held = &self.isolates[client.isolate].held[client.site];
        let (Some(config), Some(id)) = (held.holder.config(), client.ids.iter().max()) else {
            return;
        };
        let layout = config.layout();
        let Parts { tick, node, .. } = layout.decode(*id).unwrap();
        let of_lease = |span: &Span| node == span.node() && tick < span.until_tick();
        if client.count == 1 && client.span.as_ref().is_some_and(of_lease) {
            let most_ms = client.wait_most_ms(layout.tick_ms());
            // Another request may have given the id back while this client waited.
            let waited_ms = waited_ms.min(self.now_ms - held.returned_ms);
            assert!(
                waited_ms <= most_ms,
                "a client waited {waited_ms} ms for an id in a calm; at most {most_ms} are allowed"
            );
        }
        let ahead_ms = layout.start_ms(tick).saturating_sub(now_ms);
        let most_ms = self.climate.ahead_most_ms(held.behind_ms);
        assert!(
            ahead_ms <= most_ms,
            "an id is {ahead_ms} ms ahead of the clock in a calm; at most {most_ms} are allowed"
        );
    }
}

/// Checks that a renewal names no tick after the holder's span, because the token may also have a
/// later span, with another holder's span between the two.
fn check_call(request: &Request, span: Option<Span>) {
    let Request::Renew(Renew { node, tick, .. }) = *request else { return };
    let end = span.filter(|span| span.node() == node).map(|span| span.until_tick());
    assert!(
        end.is_some_and(|end| tick <= end),
        "a renewal of node {node} at tick {tick}, after the end of its span {end:?}"
    );
}
