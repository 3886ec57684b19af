use crate::lease::message::Request;

/// A request that you send to the authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// Number of the call. Give it to [`Holder::receive`](crate::lease::Holder::receive) with the
    /// reply.
    pub number: u64,
    /// The shard of the lease that the call is about. `None` if a
    /// [`ShardRouter`](crate::lease::ShardRouter) chooses the shard.
    pub shard: Option<u64>,
    /// The request to send.
    pub request: Request,
    /// How many times the call was sent before.
    pub tries: u64,
}
