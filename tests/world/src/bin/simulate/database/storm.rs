//! The storm: faults of the server, of holders and of the sequencer, and their repair at the end.

use std::mem;

use edgeflake::lease::{Acquire, Grant, Life, Prefetch, Renew, Request, Shrink, Terms, Token};
use edgeflake_world::Clock;

use super::calls::Caller;
use super::{AGREED_MS, Event, World, draw_settings};
use crate::fault::{Fault, LEASE_MIN_MS, PATIENCE_MS, Phase};

/// The faults of a storm. A fault gets the index of a process, which it may affect.
pub(crate) const FAULTS: [Fault<World, usize>; 16] = [
    Fault::always("database: process replaced", 2, 1_000, |world, index| {
        let clock = world.processes[index].clock;
        world.processes[index] = world.process(clock);
    }),
    Fault::always("database: process paused", 1, 500, |world, index| {
        let pause_ms = world.unit_ms * world.random.pick([50, 500, 3_000, 20_000]);
        world.processes[index].paused_until_ms = world.now_ms + pause_ms;
    }),
    Fault::always("database: clock of a process wrong", 2, 1_000, |world, index| {
        let clock = &mut world.processes[index].clock;
        clock.go_wrong(world.now_ms, world.unit_ms, &mut world.random);
    }),
    Fault::always("database: server crashed", 1, 400, |world, _| {
        let pause_ms = world.unit_ms * world.random.pick([1, 20, 300]);
        world.server.crash(world.now_ms + pause_ms);
    }),
    Fault::always("database: standby promoted", 2, 1_000, |world, _| world.fail_over()),
    // Renewals right before a failover may be lost. Other processes note the failover at once.
    Fault::always("database: standby promoted after renewals", 2, 1_000, |world, _| {
        world.renew_far_ahead(6);
        world.fail_over_later(0);
    }),
    Fault::perhaps("database: failover said to forget nothing", 3, 70, |world, _| {
        world.server.confirm(&mut world.random)
    }),
    // Until a failover is over, the lease time and the allowed future must stay as they were in the
    // lost commits, because the end of the failover is computed from them.
    Fault::perhaps("database: settings changed", 3, 650, |world, _| {
        let may_change = world.server.database().is_adopted();
        if may_change {
            let disagreement_ms = world.server.settings().clock_disagreement_max_ms;
            let random = &mut world.random;
            let settings = draw_settings(disagreement_ms, &world.config, world.unit_ms, random);
            world.server.set(settings, random);
        }
        may_change
    }),
    Fault::always("database: sequencer destroyed", 1, 500, |world, _| {
        world.start(Caller::Administrator, Request::Destroy);
    }),
    Fault::always("database: sequencer created", 2, 1_000, |world, _| world.create()),
    Fault::always("database: sequencer shrunk", 1, 500, |world, _| world.shrink()),
    Fault::always("database: herd", 3, 1_500, |world, _| world.herd()),
    Fault::perhaps("database: standby made synchronous, or asynchronous", 1, 140, |world, _| {
        let happens = world.random.one_in(3);
        if happens {
            world.server.promise(&mut world.random);
        }
        happens
    }),
    Fault::always("database: renewal far ahead", 2, 1_000, |world, _| world.renew_far_ahead(1)),
    // Several processes ask for leases, the leases get shorter, and a standby is promoted. So spans
    // that were granted before the change end after all lost spans. Some grants are decided before
    // the change of the lease time, and written after it.
    Fault::always("database: standby promoted after shorter leases", 1, 500, |world, _| {
        world.herd();
        let pause_ms = world.random.below(6 * world.unit_ms);
        world.post(pause_ms, Event::Lower);
        world.fail_over_later(pause_ms);
    }),
    Fault::perhaps("database: backup restored", 1, 60, |world, _| {
        let is_restored = world.server.restore(&mut world.random, &mut world.tally);
        if is_restored {
            world.owners.forgotten();
            world.server.crash(world.now_ms);
        }
        is_restored
    }),
];

impl World {
    /// Causes a fault, and posts the next one, while the storm lasts.
    pub(super) fn fault(&mut self) {
        if self.phase != Phase::Storm {
            return;
        }
        let pause_ms = self.pace_ms * self.random.below(8);
        self.post(pause_ms, Event::Fault);
        let index = self.random.index(self.processes.len());
        let fault = Fault::draw(&FAULTS, &mut self.random);
        self.note(|| format!("{}: process {index}", fault.name));
        if fault.happens(self, index) {
            self.tally.count_fault(fault.name);
        }
    }

    /// Posts a failover, and a herd of processes that notes the failover at once.
    fn fail_over_later(&mut self, after_ms: u64) {
        let pause_ms = after_ms + self.random.below(12 * self.unit_ms);
        self.post(pause_ms, Event::FailOver);
        self.post(pause_ms, Event::Herd);
    }

    /// Sets the shortest lease time that the allowed future permits.
    pub(super) fn lower(&mut self) {
        if self.phase != Phase::Storm || !self.server.database().is_adopted() {
            return;
        }
        let mut settings = self.server.settings();
        let Terms { lease_ms, allowed_future_ms, .. } = &mut settings.terms;
        *lease_ms = 2 * *allowed_future_ms + self.config.layout().tick_ms();
        self.server.set(settings, &mut self.random);
    }

    pub(super) fn fail_over(&mut self) {
        if self.phase != Phase::Storm {
            return;
        }
        let is_forgetful = self.server.fail_over(&mut self.random, &mut self.tally);
        self.note(|| format!("a standby is promoted, is forgetful: {is_forgetful}"));
        if is_forgetful {
            self.owners.forgotten();
        }
        let pause_ms = self.unit_ms * self.random.pick([0, 0, 20, 300]);
        self.server.crash(self.now_ms + pause_ms);
        for event in mem::take(&mut self.asleep) {
            if self.random.one_in(2) {
                self.post(pause_ms, event);
            } else {
                self.asleep.push(event);
            }
        }
    }

    pub(super) fn herd(&mut self) {
        if self.phase != Phase::Storm {
            return;
        }
        let now_ms = self.now_ms;
        let batches = self.random.one_in(3);
        for _ in 0..self.random.pick([1, 2, 5, 25]) {
            let token = Token::from_random(self.random.bits());
            let request = if batches {
                Request::Prefetch(Prefetch { incarnation: None, count: Some(1), now_ms })
            } else {
                Request::Acquire(Acquire { token, incarnation: None, excluded_node: None, now_ms })
            };
            self.started += 1;
            self.start(Caller::Idler { life: self.started }, request);
        }
    }

    /// Sends renewals from processes with clocks so far ahead that their spans are used up.
    fn renew_far_ahead(&mut self, most: usize) {
        let now_ms = self.now_ms;
        let now = self.config.layout().tick(now_ms).expect("within the layout");
        let held = self.idle.iter().rev().filter(|(_, grant)| grant.span.until_tick() > now);
        let held: Vec<_> = held.take(most).map(|(life, grant)| (*life, *grant)).collect();
        for (life, Grant { token, incarnation, span, .. }) in held {
            let (node, tick) = (span.node(), span.until_tick());
            let renew = Renew { token, incarnation, node, tick, issued: None, now_ms };
            self.start(Caller::Idler { life }, Request::Renew(renew));
        }
    }

    pub(super) fn create(&mut self) {
        let stored = self.server.database().sequencer();
        let config = stored.map_or(self.config, |sequencer| sequencer.config);
        self.start(Caller::Administrator, Request::Create(config));
    }

    fn shrink(&mut self) {
        let Some(sequencer) = self.server.database().sequencer() else { return };
        let incarnation = sequencer.incarnation;
        let node_count = 1 + self.random.below(self.config.node_count());
        let shrink = Shrink { incarnation, node_count };
        self.start(Caller::Administrator, Request::Shrink(shrink));
    }

    /// Ends all faults, often with a last failover.
    pub(super) fn thaw(&mut self) {
        self.note(|| "the storm is over".to_owned());
        if self.random.one_in(2) {
            self.fail_over();
        }
        self.phase = Phase::Thaw;
        for event in mem::take(&mut self.asleep) {
            self.post(0, event);
        }
        for process in &mut self.processes {
            process.clock = Clock::set(&mut self.random, AGREED_MS);
            process.paused_until_ms = 0;
            process.holder.attach();
        }
        self.server.clock = Clock::set(&mut self.random, AGREED_MS);
        self.server.down_until_ms = 0;
        let mut settings = self.server.settings();
        settings.terms.lease_ms = settings.terms.lease_ms.max(LEASE_MIN_MS);
        self.server.set(settings, &mut self.random);
        // By `latest_ms`, all statements have arrived, and all spans have ended.
        let is_statement =
            |event: &Event| matches!(event, Event::Statement { .. } | Event::Answer { .. });
        let arrives_ms = self.events.last_ms(is_statement).unwrap_or(0);
        let ends_ms = self.config.layout().start_ms(self.server.database().latest_end());
        let latest_ms = arrives_ms.max(ends_ms).max(self.now_ms);
        // A failover is over this long after it was noted. Sometimes it is noted only when the
        // sequencer is created again.
        let failover_ms = 2 * settings.clock_disagreement_max_ms
            + settings.terms.allowed_future_ms
            + settings.terms.lease_ms
            + 3 * self.config.layout().tick_ms();
        let mut until_ms = latest_ms - self.now_ms;
        for _ in 0..3 {
            until_ms += failover_ms;
            self.post(until_ms, Event::Care);
        }
        self.post(until_ms + 2 * failover_ms + PATIENCE_MS, Event::Calm);
    }

    pub(super) fn care(&mut self) {
        let sequencer = self.server.database().sequencer();
        if sequencer.is_none_or(|sequencer| sequencer.life != Life::Active) {
            self.create();
        }
    }
}
