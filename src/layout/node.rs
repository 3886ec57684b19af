use super::{Field, Layout, Role, packing};
use crate::error::Error;

impl Layout {
    /// Returns the node as one number. `values` has the value of each node field, the most
    /// significant field first.
    ///
    /// # Errors
    /// - [`Error::NodeValues`] unless there is one value for each node field.
    /// - [`Error::FieldTooLarge`] for a value that is wider than its field.
    ///
    /// ```
    /// use edgeflake::preset::{HAZELCAST, TWITTER};
    ///
    /// assert_eq!(TWITTER.node_of(&[3, 5]), Ok(3 << 5 | 5)); // datacenter and worker
    /// assert_eq!(HAZELCAST.node_of(&[5]), Ok(5));
    /// let refused = TWITTER.node_of(&[3, 40]).unwrap_err();
    /// assert_eq!(refused.to_string(), "worker is 40: at most 31 is allowed");
    /// let refused = TWITTER.node_of(&[3]).unwrap_err();
    /// assert_eq!(
    ///     refused.to_string(),
    ///     "there are 1 node values: give 2, one per node field"
    /// );
    /// ```
    pub fn node_of(&self, values: &[u64]) -> Result<u64, Error> {
        let fields = self.node_fields().count();
        if values.len() != fields {
            return Err(Error::NodeValues { values: values.len(), fields });
        }
        let mut node = 0;
        for (field, value) in self.node_fields().zip(values) {
            let (value, max) = (*value, packing::ones(field.bits()));
            if value > max {
                return Err(Error::FieldTooLarge { field: field.name(), value, max });
            }
            node = packing::shift_left(node, field.bits()) | value;
        }
        Ok(node)
    }

    /// Returns the fields of the node, the most significant first.
    ///
    /// ```
    /// use edgeflake::preset::TWITTER;
    ///
    /// let names: Vec<_> = TWITTER.node_fields().map(|field| field.name().to_string()).collect();
    /// assert_eq!(names, ["datacenter", "worker"]);
    /// ```
    pub fn node_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields().iter().filter(|field| field.role() == Role::Node)
    }
}
