use edgeflake::lease::{Authority, BoundConfig, CallFailure, Reply, Request, Row, Settings};
use edgeflake::preset::EDGE;
use edgeflake_world::{Ledger, Object, Random};

/// The number of nodes of the sequencer: one that the authority keeps for batches, one per process,
/// and two that are free for holders that swap.
const NODES: u64 = 6;

/// The leases are short and the allowed future small, so that both fit into what is seen at once.
pub(crate) const LEASE_MS: u64 = 20_000;
pub(crate) const ALLOWED_FUTURE_MS: u64 = 6_000;

/// The authority in its object, the ledger of what it does, and the rectangles that it granted.
#[derive(Debug, Default)]
pub(crate) struct Shard {
    object: Object,
    pub(crate) ledger: Ledger,
    pub(crate) leases: Vec<Lease>,
}

/// A rectangle in id space that was granted to a process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lease {
    pub(crate) process: usize,
    pub(crate) node: u64,
    pub(crate) from_tick: u64,
    pub(crate) until_tick: u64,
}

impl Shard {
    /// Creates the sequencer at a time of the playground, in Unix ms.
    pub(crate) fn create(&mut self, true_ms: u64, random: &mut Random) {
        if let Ok(config) = BoundConfig::new(EDGE, 0, NODES, 1) {
            let _ = self.answer(true_ms, 0, &Request::Create(config), random);
        }
    }

    /// Answers a process at a time of the playground, in Unix ms. The clock of the authority is
    /// right.
    pub(crate) fn answer(
        &mut self,
        true_ms: u64,
        process: usize,
        request: &Request,
        random: &mut Random,
    ) -> Result<Reply, CallFailure> {
        let mut settings = Settings::default();
        settings.terms.lease_ms = LEASE_MS;
        settings.terms.allowed_future_ms = ALLOWED_FUTURE_MS;
        let checks = (&mut self.ledger, random);
        let reply = self.object.answer(request, (0, true_ms, settings), checks);
        self.draw(process);
        reply
    }

    /// Draws the rectangles of all rows: a new one of this process, or another end of one.
    fn draw(&mut self, process: usize) {
        let Self { object, leases, .. } = self;
        for (node, row) in object.authority().into_iter().flat_map(Authority::rows) {
            let Row { from_tick, until_tick, token, .. } = row;
            let is_it = |lease: &&mut Lease| (lease.node, lease.from_tick) == (node, from_tick);
            match leases.iter_mut().rev().find(is_it) {
                Some(lease) => lease.until_tick = until_tick,
                // Batches have no token.
                None if token.is_none() => {}
                None => leases.push(Lease { process, node, from_tick, until_tick }),
            }
        }
    }
}
