//! The object that decides requests: its storage, and the authorities that run on it.

use std::hash::{Hash, Hasher};

use edgeflake::lease::{Authority, Reply, Request, Row, Write};
use edgeflake_world::Disk;

use super::part::Part;
use super::setting::{NODES_MAX, Setting};

/// The largest number of authorities at a time.
pub(crate) const INSTANCES_MAX: usize = 2;

#[derive(Clone, Debug, Default)]
pub(crate) struct Object {
    rows: [Option<Row>; NODES_MAX],
    instances: [Option<Part<Authority>>; INSTANCES_MAX],
}

/// The instances are alike, so states do not differ by their order.
impl Hash for Object {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rows.hash(state);
        let mut instances = self.instances.each_ref().map(|part| part.as_ref().map(Part::hash));
        instances.sort_unstable();
        instances.hash(state);
    }
}

impl Object {
    /// Decides a request as the Durable Object does: loads the rows if the instance does not run,
    /// decides, writes, and applies the write. If the write fails, the instance ends without a
    /// reply. A reply that is never delivered stands for a crash after the write.
    pub(crate) fn decide(
        &mut self,
        setting: &Setting,
        instance: usize,
        now_ms: u64,
        request: &Request,
    ) -> Option<Reply> {
        let loaded = self.instances[instance].take();
        let mut authority = match &loaded {
            Some(part) => Authority::clone(part),
            None => setting.authority(self.rows()),
        };
        let store = |write: &Write| self.store(write).then_some(()).ok_or(());
        let reply = authority.answer(now_ms, request, store).ok()?;
        self.instances[instance] = Some(Part::new(authority));
        Some(reply)
    }

    /// Stores a write if the stored row still equals `before` in the columns that [`Disk::has`]
    /// compares.
    fn store(&mut self, write: &Write) -> bool {
        let Write::Node { node, before, after, .. } = *write else { return false };
        let row = &mut self.rows[usize::try_from(node).expect("a node of the layout")];
        let is_as_it_was = Disk::has(row.as_ref(), before.as_ref());
        if is_as_it_was {
            *row = Some(after);
        }
        is_as_it_was
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = (u64, Row)> {
        (0..).zip(self.rows).filter_map(|(node, row)| Some((node, row?)))
    }

    pub(crate) fn runs(&self, instance: usize) -> bool {
        self.instances[instance].is_some()
    }

    pub(crate) fn stop(&mut self, instance: usize) {
        self.instances[instance] = None;
    }

    /// Whether an instance has other rows in its table than the stored rows.
    pub(crate) fn is_out_of_date(&self) -> bool {
        self.instances.iter().flatten().any(|authority| !authority.rows().eq(self.rows()))
    }
}
