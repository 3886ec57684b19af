/// Makes the enum `State` from one table. The documents and the types of the npm package are
/// written from the same table.
macro_rules! states {
    ($($(#[doc = $meaning:literal])+ $state:ident $name:literal;)+) => {
        /// The state of a holder.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum State {
            $($(#[doc = $meaning])+ $state,)+
        }

        impl State {
            /// Every state.
            pub const ALL: &[Self] = &[$(Self::$state),+];

            /// Returns the name, as `state` of the npm package returns it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$state => $name,)+ }
            }

            /// Returns what the state means, for the documents.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$state => concat!($($meaning),+).trim_ascii(),)+ }
            }
        }
    };
}

states! {
    /// The holder has no ids. As soon as a request needs ids, the holder asks for a lease or, if
    /// the holder only prefetches, for a batch.
    Acquiring "acquiring";
    /// Ids come from batches, because the holder only prefetches, or because no node is free. If no
    /// node is free, the holder asks for a lease from time to time.
    Batching "batching";
    /// The holder has a lease, which may have ended.
    Attached "attached";
    /// The holder has a lease, and has asked for a later end of the lease.
    Renewing "renewing";
    /// The holder has given its lease back and asks for no other lease, or the sequencer has
    /// another layout than the holder is bound to.
    Detached "detached";
    /// The sequencer was destroyed. The holder asks again every few seconds, unless it is bound to
    /// the destroyed incarnation.
    Destroyed "destroyed";
}
