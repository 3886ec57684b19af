//! How much of a sequencer is in use, and which of its shards are in trouble.

use edgeflake::lease::{Sequencer, Status};

use crate::objects::shard_status::ShardStatus;

/// How a shard answered when it was asked for its status.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It says this about itself.
    Status(ShardStatus),
    /// It cannot read what it has stored.
    Unreadable,
    /// It does not answer.
    None,
}

/// What the shards of a sequencer say about themselves.
#[derive(Clone, Debug)]
pub struct Usage {
    /// The answers, in the order of the shards.
    pub answers: Vec<Answer>,
    /// How many of the sequencer's nodes are in use; `None` if a shard does not say it.
    pub status: Option<Status>,
}

impl Usage {
    /// Sums up what the shards of a sequencer say about themselves.
    #[must_use]
    pub fn new(sequencer: &Sequencer, answers: Vec<Answer>) -> Self {
        let mut total = Some(Status::default());
        for (shard, answer) in (0..).zip(&answers) {
            let of_shard = match answer {
                Answer::Status(told) if told.incarnation == sequencer.incarnation => {
                    Some(told.status)
                }
                // A shard that was never asked has used no node.
                Answer::Status(_) => {
                    let nodes = sequencer.config.shard_nodes(shard);
                    Some(Status { nodes: nodes.end - nodes.start - 1, ..Status::default() })
                }
                Answer::Unreadable | Answer::None => None,
            };
            total = total.zip(of_shard).map(|(total, of_shard)| total.with(&of_shard));
        }
        Self { answers, status: total }
    }

    /// The shards that do not answer.
    #[must_use]
    pub fn unreachable(&self) -> Vec<u64> {
        self.shards(|answer| matches!(answer, Answer::None))
    }

    /// The shards that cannot read what they have stored.
    #[must_use]
    pub fn unreadable(&self) -> Vec<u64> {
        self.shards(|answer| matches!(answer, Answer::Unreadable))
    }

    /// The shards that answer but cannot write.
    #[must_use]
    pub fn unwritable(&self) -> Vec<u64> {
        self.shards(|answer| matches!(answer, Answer::Status(told) if !told.is_proved))
    }

    fn shards(&self, is: impl Fn(&Answer) -> bool) -> Vec<u64> {
        (0..).zip(&self.answers).filter(|(_, answer)| is(answer)).map(|(shard, _)| shard).collect()
    }

    /// What the shards that answer say about themselves, each with its number.
    pub fn statuses(&self) -> impl Iterator<Item = (u64, &ShardStatus)> {
        (0..).zip(&self.answers).filter_map(|(shard, answer)| match answer {
            Answer::Status(told) => Some((shard, told)),
            Answer::Unreadable | Answer::None => None,
        })
    }

    /// Each shard that has a witness, with how often its storage was rolled back.
    pub fn rollbacks(&self) -> impl Iterator<Item = (u64, u64)> {
        self.statuses().filter_map(|(shard, told)| Some((shard, told.rollbacks?)))
    }
}
