//! What happens to the server, its holders and its sequencer in a storm, and after it.

use std::mem;

use edgeflake::lease::{Acquire, Grant, Life, Prefetch, Renew, Request, Shrink, Terms, Token};
use edgeflake_world::{Clock, Count};

use super::calls::Caller;
use super::{AGREED_MS, Event, Phase, World, draw_settings};

/// The longest pause of a holder, in ms, with a margin.
const PATIENCE_MS: u64 = 70_000;

/// The shortest lease in a calm, in ms: a span must arrive before it ends.
const LEASE_MIN_MS: u64 = 1_000;

impl World<'_> {
    /// Causes a fault, and posts the next one, while the storm lasts.
    pub(super) fn fault(&mut self) {
        if self.phase != Phase::Storm {
            return;
        }
        let pause_ms = self.pace_ms * self.random.below(8);
        self.post(pause_ms, Event::Fault);
        let index = self.random.index(self.processes.len());
        match self.random.below(28) {
            0 | 1 => {
                let clock = self.processes[index].clock;
                self.processes[index] = self.process(clock);
            }
            2 => {
                let pause_ms = self.unit_ms * self.random.pick([50, 500, 3_000, 20_000]);
                self.processes[index].paused_until_ms = self.now_ms + pause_ms;
            }
            3 | 4 => {
                let clock = &mut self.processes[index].clock;
                clock.go_wrong(self.now_ms, self.unit_ms, &mut self.random);
            }
            5 => {
                let pause_ms = self.unit_ms * self.random.pick([1, 20, 300]);
                self.note(|| format!("the server ends, and is back in {pause_ms} ms"));
                self.server.crash(self.now_ms + pause_ms);
                self.tally.count(Count::ServerCrashes);
            }
            6 | 7 => self.fail_over(),
            // Renewals right before a failover may be lost. Other processes note the failover at
            // once.
            8 | 9 => {
                self.renew_far_ahead(6);
                let pause_ms = self.random.below(12 * self.unit_ms);
                self.post(pause_ms, Event::FailOver);
                self.post(pause_ms, Event::Herd);
            }
            27 if self.server.restore(&mut self.random, self.tally) => {
                self.note(|| "a backup is restored".to_owned());
                self.owners.forgotten();
                self.server.crash(self.now_ms);
            }
            10..=12 if self.server.confirm(&mut self.random) => {
                self.note(|| "the operator says that nothing was forgotten".to_owned());
                self.tally.count(Count::Confirmations);
            }
            // Until a failover is over, the settings must stay as they were in the lost commits.
            13..=15 if self.server.database().is_adopted() => {
                let disagreement_ms = self.server.settings().clock_disagreement_max_ms;
                let random = &mut self.random;
                let settings = draw_settings(disagreement_ms, &self.config, self.unit_ms, random);
                self.note(|| format!("other settings: {:?}", settings.terms));
                self.server.set(settings, &mut self.random);
                self.tally.count(Count::DatabaseSettings);
            }
            16 => self.start(Caller::Administrator, Request::Destroy),
            17 | 18 => self.create(),
            19 => self.shrink(),
            20..=22 => self.herd(),
            24 | 25 => self.renew_far_ahead(1),
            // Nodes that were leased before the leases got shorter end after all lost spans. Some
            // of those leases are decided before the change, and written after it.
            26 => {
                self.herd();
                let pause_ms = self.random.below(6 * self.unit_ms);
                self.post(pause_ms, Event::Lower);
                let pause_ms = pause_ms + self.random.below(12 * self.unit_ms);
                self.post(pause_ms, Event::FailOver);
                self.post(pause_ms, Event::Herd);
            }
            23 if self.random.one_in(3) => {
                let is_synchronous = self.server.promise(&mut self.random);
                self.note(|| format!("is the standby synchronous from now on: {is_synchronous}"));
                self.tally.count(Count::Promises);
            }
            _ => {}
        }
    }

    /// Sets the shortest lease time.
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
        let is_forgetful = self.server.fail_over(&mut self.random, self.tally);
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

    /// Starts several processes at once.
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
        // By this time all statements have arrived, and all spans have ended.
        let is_statement =
            |event: &Event| matches!(event, Event::Statement { .. } | Event::Answer { .. });
        let arrives_ms =
            self.events.iter().filter(|(_, event)| is_statement(event)).map(|(at, _)| at.0);
        let ends_ms = self.config.layout().start_ms(self.server.database().latest_end());
        let latest_ms = arrives_ms.max().unwrap_or(0).max(ends_ms).max(self.now_ms);
        // A failover lasts this long. It may be noted only when the sequencer is created again.
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

    /// Creates the sequencer if it is missing or was destroyed.
    pub(super) fn care(&mut self) {
        let sequencer = self.server.database().sequencer();
        if sequencer.is_none_or(|sequencer| sequencer.life != Life::Active) {
            self.create();
        }
    }
}
