//! The actions that a state allows, and the properties that must hold in every state or in some.

use edgeflake::Span;
use edgeflake::lease::{Acquire, DatabaseCall, Refusal, Reply, Request, Statement};
use stateright::{Model, Property};

use super::action::Action;
use super::isolate::Message;
use super::server::Server;
use super::setting::{BATCH_NODE, Setting};
use super::world::World;

impl Model for Setting {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        vec![World::new(self)]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        let again: &[bool] = if world.faults_left > 0 { &[false, true] } else { &[false] };
        for (isolate, part) in world.isolates.iter().enumerate() {
            // A request at an isolate without a span does not depend on the clock.
            let ticks = if part.span().is_some() { self.clock_ticks } else { 1 };
            for (tick, waits) in (0..ticks).flat_map(|tick| [(tick, false), (tick, true)]) {
                actions.push(Action::Request { isolate, tick, waits });
            }
            for (letter, what) in part.mail.iter().enumerate() {
                if let Some(server) = &world.server {
                    actions.extend(self.carry_out(isolate, letter, &what.message, server));
                    continue;
                }
                let deliver = |again: &bool| self.deliver(isolate, letter, &what.message, *again);
                actions.extend(again.iter().flat_map(deliver));
            }
            actions.push(Action::Leave { isolate });
            if world.faults_left > 0 {
                actions.extend([Action::Fail { isolate }, Action::Crash { isolate }]);
            }
        }
        if world.faults_left > 0 {
            let running = (0..self.instances).filter(|instance| world.object.runs(*instance));
            actions.extend(running.map(|instance| Action::Stop { instance }));
            if world.server.as_ref().is_some_and(|server| server.is_first()) {
                actions.push(Action::FailOver);
            }
        }
    }

    fn next_state(&self, world: &World, action: Action) -> Option<World> {
        world.after(self, action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let mut properties = vec![
            Property::always("no counter has two owners", |_, world: &World| {
                world.two_owners().is_none()
            }),
            Property::always(
                "each id is new, and from a span or batch of its holder",
                |_, world: &World| world.wrong.is_none(),
            ),
        ];
        if self.has_database {
            properties.extend([
                Property::sometimes("a span in use is forgotten", |_, world: &World| {
                    let rows = world.rows();
                    let is_stored = |span: Span| rows.iter().any(|(node, _)| *node == span.node());
                    let is_first = world.server.as_ref().is_some_and(|server| server.is_first());
                    !is_first && spans(world).any(|span| !is_stored(span))
                }),
                Property::sometimes("a node is granted after a failover", |_, world: &World| {
                    let restarted = world.server.as_ref().filter(|server| server.has_restarted());
                    let late = restarted.and_then(|server| server.late_tick());
                    late.is_some_and(|tick| spans(world).any(|span| span.from_tick() >= tick))
                }),
            ]);
            return properties;
        }
        properties.extend([
            Property::sometimes("a span is renewed", |setting: &Self, world: &World| {
                spans(world).any(|span| span.until_tick() - span.from_tick() > setting.lease_ticks)
            }),
            Property::sometimes("a lease is given back", |_, world: &World| {
                let mut rows = world.object.rows().filter(|(node, _)| *node != BATCH_NODE);
                rows.any(|(_, row)| row.token.is_none())
            }),
            Property::sometimes("a swap is asked for", |_, world: &World| {
                let swaps = |acquire: Acquire| acquire.excluded_node.is_some();
                messages(world).any(|message| {
                    matches!(*message, Message::Request(Request::Acquire(acquire)) if swaps(acquire))
                })
            }),
            Property::sometimes("a node passes from one holder to the next", |_, world: &World| {
                spans(world).any(|span| world.has_used(span.node()))
            }),
            Property::sometimes("a token has two spans", |_, world: &World| {
                let grants = || {
                    messages(world).filter_map(|message| match message {
                        Message::Reply(Reply::Granted(grant)) => Some(grant),
                        _ => None,
                    })
                };
                grants().any(|one| {
                    grants().any(|other| one.token == other.token && one.span != other.span)
                })
            }),
        ]);
        // Ids must come from a batch if there are more holders than nodes, and enough calls to
        // grant all nodes, to refuse another grant, and to request a batch.
        if self.holders as u64 > self.nodes && u64::from(self.calls) >= self.nodes + 2 {
            let batched = |_: &Self, world: &World| world.batched != 0;
            properties.push(Property::sometimes("ids come from a batch", batched));
        }
        if self.instances > 1 {
            let differs = |_: &Self, world: &World| world.object.is_out_of_date();
            properties.push(Property::sometimes("an instance is out of date", differs));
        }
        properties
    }
}

fn spans(world: &World) -> impl Iterator<Item = Span> {
    world.isolates.iter().filter_map(|isolate| isolate.span())
}

fn messages(world: &World) -> impl Iterator<Item = &Message> {
    let letters = world.isolates.iter().flat_map(|isolate| &isolate.mail);
    letters.map(|letter| &*letter.message)
}

impl Setting {
    /// Returns the actions by which the server can carry out the next statement of the call in a
    /// letter. If the letter has a reply, returns the actions that deliver the reply.
    fn carry_out(
        &self,
        isolate: usize,
        letter: usize,
        message: &Message,
        server: &Server,
    ) -> Vec<Action> {
        let is_written = |call: &DatabaseCall| matches!(call.statement(), Statement::Write(_));
        match message {
            Message::Reply(_) => self.deliver(isolate, letter, message, false),
            Message::Call(call) if is_written(call) => {
                let carry_out =
                    |is_replicated| Action::CarryOut { isolate, letter, tick: 0, is_replicated };
                [false, true].map(carry_out).to_vec()
            }
            _ => {
                let ticks = (0..self.clock_ticks).chain(server.late_tick());
                let is_replicated = false;
                let carry_out = |tick| Action::CarryOut { isolate, letter, tick, is_replicated };
                ticks.map(carry_out).collect()
            }
        }
    }

    fn deliver(
        &self,
        isolate: usize,
        letter: usize,
        message: &Message,
        again: bool,
    ) -> Vec<Action> {
        match message {
            Message::Request(request) => {
                // A release does not depend on the clock.
                let ticks =
                    if matches!(request, Request::Release(_)) { 1 } else { self.clock_ticks };
                let at = |instance| (0..ticks).map(move |tick| (instance, tick));
                (0..self.instances)
                    .flat_map(at)
                    .map(|(instance, tick)| Action::Decide {
                        isolate,
                        letter,
                        instance,
                        tick,
                        again,
                    })
                    .collect()
            }
            Message::Reply(reply) => {
                // After this refusal, the holder uses batches for a time that only the clock ends.
                let is_full = |refusal| matches!(refusal, Refusal::NoNodeFree { .. });
                let ends = matches!(*reply, Reply::Refused { refusal, .. } if is_full(refusal));
                let passes: &[bool] = if ends { &[false, true] } else { &[false] };
                let receive = |passes| Action::Receive { isolate, letter, again, passes };
                passes.iter().copied().map(receive).collect()
            }
            Message::Call(_) => Vec::new(),
        }
    }
}
