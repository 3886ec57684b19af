use edgeflake::SequenceStart;
use edgeflake::lease::Terms;

use crate::fields::{fields, variants};

fields! {
    // The two that version 1 always had are fields of the message itself.
    Terms {
        lease_ms,
        allowed_future_ms;
        terms { ..sequence_start, gap_max, prefetch_count, prefetch_validity_ms, statistics }
        or Terms::default()
    }
}

variants! {
    SequenceStart, "sequence_start" is "zero, random or rotating" {
        "zero" Zero;
        "random" Random { max as "sequence_start_max" };
        "rotating" Rotating;
    }
}
