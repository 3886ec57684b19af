use crate::lease::message::Request;

/// A request that you send to the authority.
///
/// ```
/// use edgeflake::lease::{CallFailed, Holder, State, Step, Wait};
///
/// let (mut holder, mut wait) = (Holder::new(), Wait::default());
/// let Step::Send(call) = holder.step(0, &mut wait, &mut [0], || 7) else { unreachable!() };
///
/// // After 1.5 s without a reply, the holder sends it again, as the same call.
/// let Step::Send(retry) = holder.step(1_500, &mut wait, &mut [0], || 8) else { unreachable!() };
/// assert_eq!((retry.number, retry.tries), (call.number, 1));
///
/// // A reply with another number is dropped: the call is still outstanding.
/// holder.receive(1_501, call.number + 9, Err(CallFailed));
/// assert_eq!(holder.step(1_501, &mut wait, &mut [0], || 9), Step::Sleep { ms: 1 });
/// ```
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
