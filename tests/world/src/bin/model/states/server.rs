//! A database server with a standby, which may have an older state.

use edgeflake::lease::{DatabaseCall, Part, Reply, Request, Row, Statement};
use edgeflake_world::Database;

use super::setting::Setting;

#[derive(Clone, Debug, Hash)]
pub(crate) struct Server {
    primary: Database,
    standby: Database,
    /// Number of writes so far, on this server and on earlier ones, including writes that failed.
    /// So each write has a number of its own.
    changes: u64,
}

/// The smallest part of the tables that can be read. It has the sequencer's row.
const PART: Part = Part { node: None, token: None, excluded_node: None, nodes: 0, ends: false };

impl Server {
    pub(crate) fn new(setting: &Setting) -> Self {
        let mut primary = Database::new(setting.settings());
        let mut create = DatabaseCall::new(Request::Create(setting.config()));
        create.read(&primary.read(&PART, Setting::start_ms(0)));
        let Statement::Write(commit) = create.statement() else {
            unreachable!("there is no sequencer")
        };
        assert!(primary.commit(commit, 1, Setting::start_ms(0)), "the sequencer is created once");
        Self { standby: primary.clone(), primary, changes: 1 }
    }

    /// Carries out the next statement of a call at a tick of the server's clock. Returns the reply
    /// if that was the last statement. With `is_replicated`, the standby gets the write too.
    pub(crate) fn carry_out(
        &mut self,
        call: &mut DatabaseCall,
        tick: u64,
        is_replicated: bool,
    ) -> Option<Reply> {
        match call.statement() {
            Statement::Read(part) => {
                let reading = self.primary.read(part, Setting::start_ms(tick));
                call.read(&reading);
            }
            Statement::Write(commit) => {
                self.changes += 1;
                let now_ms = Setting::start_ms(tick);
                let is_stored = self.primary.commit(commit, self.changes, now_ms);
                if is_replicated {
                    self.standby = self.primary.clone();
                }
                call.wrote(is_stored, now_ms);
            }
            Statement::Done(_) => {}
        }
        match call.statement() {
            Statement::Done(reply) => Some(*reply),
            _ => None,
        }
    }

    /// Whether the standby was not promoted yet.
    pub(crate) fn is_first(&self) -> bool {
        self.primary.history == 1
    }

    /// Promotes the standby.
    pub(crate) fn fail_over(&mut self) {
        self.standby.history = self.primary.history + 1;
        self.primary = self.standby.clone();
    }

    /// Returns the tick at which the failover is over, once that tick is known.
    pub(crate) fn late_tick(&self) -> Option<u64> {
        let reading = self.primary.read(&PART, 0);
        let noted = reading.failover.and_then(|failover| failover.until_tick);
        let from_tick = reading.sequencer.map(|sequencer| sequencer.from_tick);
        noted.or_else(|| from_tick.filter(|from_tick| *from_tick > 0))
    }

    /// Whether the nodes have restarted after a failover.
    pub(crate) fn has_restarted(&self) -> bool {
        self.primary.sequencer().is_some_and(|sequencer| sequencer.from_tick > 0)
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = (u64, Row)> {
        self.primary.rows()
    }
}
