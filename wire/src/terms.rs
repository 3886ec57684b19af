use edgeflake::SequenceStart;
use edgeflake::lease::Terms;

use crate::{Json, Object, Unreadable, Value};

/// Writes the terms. The two that version 1 always had are fields of the message itself; the others
/// are in the object `terms`.
pub(crate) fn write(json: &mut Json, terms: &Terms) {
    json.number("lease_ms", terms.lease_ms);
    json.number("allowed_future_ms", terms.allowed_future_ms);
    json.open("terms");
    match terms.sequence_start {
        SequenceStart::Zero => json.text("sequence_start", &"zero"),
        SequenceStart::Random { max } => {
            json.text("sequence_start", &"random");
            json.number("sequence_start_max", max);
        }
        SequenceStart::Rotating => json.text("sequence_start", &"rotating"),
    }
    json.number("gap_max", terms.gap_max);
    json.number("prefetch_count", terms.prefetch_count);
    json.number("prefetch_validity_ms", terms.prefetch_validity_ms);
    json.flag("statistics", terms.statistics);
    json.close();
}

pub(crate) fn read<V: Value>(message: &Object<'_, V>) -> Result<Terms, Unreadable> {
    let terms = Terms {
        lease_ms: message.number("lease_ms")?,
        allowed_future_ms: message.number("allowed_future_ms")?,
        ..Terms::default()
    };
    let Some(rest) = message.0.get("terms") else { return Ok(terms) };
    let rest = Object(&rest);
    let start = rest.text_or_none("sequence_start")?;
    Ok(Terms {
        sequence_start: match start.as_deref() {
            Some("random") => SequenceStart::Random { max: rest.number("sequence_start_max")? },
            Some("rotating") => SequenceStart::Rotating,
            Some("zero") => SequenceStart::Zero,
            _ => {
                let expected = "zero, random or rotating";
                return Err(Unreadable::field("sequence_start", expected));
            }
        },
        gap_max: rest.number("gap_max")?,
        prefetch_count: rest.number("prefetch_count")?,
        prefetch_validity_ms: rest.number("prefetch_validity_ms")?,
        statistics: rest.flag("statistics")?,
        ..terms
    })
}
