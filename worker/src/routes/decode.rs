//! Decodes ids: finds the encoding of an id's text, and reads the id in a layout, or in the layouts
//! of all presets that could have made the id.

use edgeflake::identify::Warning;
use edgeflake::text::{self, Encoding};
use edgeflake::{Instant, Layout, Parts, Role, identify, preset};
use edgeflake_workers::found::{Allowed, Quote};
use edgeflake_workers::platform::now_ms;
use edgeflake_workers::problem::Problem;
use edgeflake_workers::value;
use serde::{Serialize, Serializer};
use worker::web_sys;

use crate::admission::AdmittedRequest;
use crate::http::answer;
use crate::routes::parameters;

/// An id and its readings, one reading per layout. Numbers that may be 2^53 or more are texts.
#[derive(Serialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
pub(crate) struct DecodedId {
    /// The id in decimal digits.
    #[cfg_attr(not(target_family = "wasm"), schemars(regex(pattern = "^[0-9]{1,20}$")))]
    id: String,
    /// The encoding in which the text of the id was read.
    encoding: EncodingName,
    /// The other encodings in which the same text is a different id.
    other_encodings: Vec<EncodingName>,
    /// The id in all encodings.
    texts: Texts,
    #[cfg_attr(not(target_family = "wasm"), schemars(length(min = 1)))]
    readings: Vec<Reading>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unix_time: Option<UnixTime>,
}

/// The name of an encoding.
pub(crate) struct EncodingName(Encoding);

impl Serialize for EncodingName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

/// An id, which is written in each encoding.
pub(crate) struct Texts(u64);

impl Serialize for Texts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = |encoding| text::format(self.0, encoding).to_string();
        serializer.collect_map(Encoding::ALL.map(|encoding| (encoding.name(), text(encoding))))
    }
}

/// The reading of an id in a layout.
#[derive(Serialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
struct Reading {
    /// The name of the preset, if the layout is a preset.
    preset: Option<&'static str>,
    /// The layout string.
    layout: String,
    #[serde(flatten)]
    likelihood: Option<Likelihood>,
    #[serde(flatten)]
    instant: Moment,
    tick: u64,
    #[cfg_attr(not(target_family = "wasm"), schemars(regex(pattern = "^[0-9]{1,20}$")))]
    node: String,
    #[cfg_attr(not(target_family = "wasm"), schemars(regex(pattern = "^[0-9]{1,20}$")))]
    sequence: String,
    #[cfg_attr(not(target_family = "wasm"), schemars(regex(pattern = "^[0-9]{1,20}$")))]
    tag: String,
    fields: Vec<FieldValue>,
    warnings: Vec<WarningText>,
}

/// The likelihood that a system has made an id.
#[derive(Serialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
struct Likelihood {
    /// The likelihood of this reading among all readings, in percent. Missing if the request has
    /// `layout`.
    #[cfg_attr(not(target_family = "wasm"), schemars(range(max = 100)))]
    percent: u64,
    /// The reasons for and against this reading. Missing if the request has `layout`.
    reasons: String,
}

#[derive(Serialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
struct Moment {
    /// The time at which the id's tick begins, in Unix ms.
    instant_ms: u64,
    /// The same time as an RFC 3339 date. After the year 9999, the year has up to 6 digits.
    instant: String,
}

#[derive(Serialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema), schemars(inline))]
struct FieldValue {
    name: String,
    #[cfg_attr(not(target_family = "wasm"), schemars(extend("enum" = ["unused", "timestamp", "node", "sequence", "tag"])))]
    role: &'static str,
    #[cfg_attr(not(target_family = "wasm"), schemars(range(min = 1, max = 64)))]
    bits: u8,
    #[cfg_attr(not(target_family = "wasm"), schemars(regex(pattern = "^[0-9]{1,20}$")))]
    value: String,
}

#[derive(Serialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema), schemars(rename = "Warning"))]
struct WarningText {
    #[cfg_attr(not(target_family = "wasm"), schemars(extend("examples" = ["rounded", "sign-bit", "future"])))]
    code: &'static str,
    detail: String,
}

/// The id, read as Unix time. Missing if the request has `layout`, or if the time is not between
/// 2001-09-09 and now.
#[derive(Serialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
struct UnixTime {
    #[cfg_attr(not(target_family = "wasm"), schemars(extend("enum" = ["unix-s", "unix-ms", "unix-us", "unix-ns"])))]
    unit: &'static str,
    /// The likelihood of this reading among all readings, in percent.
    #[cfg_attr(not(target_family = "wasm"), schemars(range(max = 100)))]
    percent: u64,
    #[serde(flatten)]
    instant: Moment,
}

/// Answers with an id and its possible readings.
///
/// # Errors
/// A problem if the text or a parameter is invalid, or if the layout has no such id.
pub(crate) fn answer(
    request: &AdmittedRequest<'_>,
    text: &str,
) -> Result<web_sys::Response, Problem> {
    let [layout, encoding, ..] = &request.parameters;
    let decoded = decode(text, layout.as_deref(), encoding.as_deref(), now_ms())?;
    Ok(answer::json(&value::json(&decoded)?))
}

/// The length of an id's longest text, 64 binary digits. Longer texts are refused unread.
const TEXT_MAX: usize = 64;

/// Reads the text of an id. Without `layout`, reads the id in the layouts of all presets. Without
/// `encoding`, reads the text in the first encoding that fits.
///
/// # Errors
/// The same problems as from [`answer()`].
pub(crate) fn decode(
    text: &str,
    layout: Option<&str>,
    encoding: Option<&str>,
    now_ms: u64,
) -> Result<DecodedId, Problem> {
    if text.len() > TEXT_MAX {
        return Err(refused(text, &format!("at most {TEXT_MAX} characters are allowed")));
    }
    let (id, encoding) = match encoding {
        Some(name) => {
            let encoding = parameters::encoding(name)?;
            let id = text::parse(text, encoding);
            (id.map_err(|error| refused(text, &error.to_string()))?, encoding)
        }
        None => read(text)?,
    };
    let is_other = |other: &Encoding| {
        *other != encoding && text::parse(text, *other).is_ok_and(|read| read != id)
    };
    let (readings, unix_time) = match layout {
        Some(name) => (vec![in_layout(name, id, now_ms)?], None),
        None => candidates(id, now_ms),
    };
    Ok(DecodedId {
        id: id.to_string(),
        encoding: EncodingName(encoding),
        other_encodings: Encoding::ALL.into_iter().filter(is_other).map(EncodingName).collect(),
        texts: Texts(id),
        readings,
        unix_time,
    })
}

/// Converts a fraction between 0 and 1 to percent.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
fn percent(share: f64) -> u64 {
    (share * 100.0).round() as u64
}

/// Reads the text of an id in the first encoding that would print exactly this text, or else in the
/// first encoding that can read the text.
fn read(text: &str) -> Result<(u64, Encoding), Problem> {
    let readable = || {
        Encoding::ALL
            .into_iter()
            .filter_map(|encoding| Some((text::parse(text, encoding).ok()?, encoding)))
    };
    readable()
        .find(|(id, encoding)| *text::format(*id, *encoding) == *text)
        .or_else(|| readable().next())
        .ok_or_else(|| {
            let encodings = Allowed(&Encoding::ALL.map(Encoding::name)).to_string();
            refused(text, &format!("give up to 64 bits in {encodings}"))
        })
}

fn refused(text: &str, reason: &str) -> Problem {
    Problem::id(format!("the id is {}: {reason}", Quote(text)))
}

/// Reads an id in the layouts of all presets, and as Unix time if the id may be a Unix time.
fn candidates(id: u64, now_ms: u64) -> (Vec<Reading>, Option<UnixTime>) {
    let (mut readings, mut unix_time) = (Vec::new(), None);
    for found in identify(id, now_ms) {
        let percent = percent(found.share);
        if let Some((preset, parts)) = &found.system() {
            let warnings = preset.warnings(id, now_ms);
            let reading = Reading::new(id, &preset.layout, parts, &warnings);
            let likelihood = Some(Likelihood { percent, reasons: found.reasons().to_string() });
            readings.push(Reading { likelihood, ..reading });
        } else {
            let instant = Moment::new(found.instant_ms);
            unix_time = Some(UnixTime { unit: found.name(), percent, instant });
        }
    }
    (readings, unix_time)
}

/// Returns the reading of an id in a layout. `name` is the layout in any form that
/// [`Layout::parse`] reads.
fn in_layout(name: &str, id: u64, now_ms: u64) -> Result<Reading, Problem> {
    let layout = value::layout("layout", name).map_err(Problem::parameter)?;
    let preset = preset::of_layout(&layout);
    let warnings = match preset {
        Some(preset) => preset.warnings(id, now_ms),
        None => layout.warnings(id, now_ms),
    };
    let parts = layout.decode(id).map_err(|error| Problem::unfit(&error))?;
    Ok(Reading::new(id, &layout, &parts, &warnings))
}

impl Reading {
    fn new(id: u64, layout: &Layout, parts: &Parts, warnings: &[Warning]) -> Self {
        let preset = preset::of_layout(layout);
        let fields = layout.values(id).map(|(field, value)| FieldValue {
            name: field.name().to_string(),
            role: Role::word(field.role()),
            bits: field.bits(),
            value: value.to_string(),
        });
        let warnings = warnings
            .iter()
            .map(|warning| WarningText { code: warning.code(), detail: warning.to_string() });
        Self {
            preset: preset.map(|preset| preset.name),
            layout: layout.to_string(),
            likelihood: None,
            instant: Moment::new(layout.start_ms(parts.tick)),
            tick: parts.tick,
            node: parts.node.to_string(),
            sequence: parts.sequence.to_string(),
            tag: parts.tag.to_string(),
            fields: fields.collect(),
            warnings: warnings.collect(),
        }
    }
}

impl Moment {
    fn new(ms: u64) -> Self {
        Self { instant_ms: ms, instant: Instant(ms).to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::respond::Location;
    use serde_json::Value;

    const NOW_MS: u64 = 1_790_000_000_000;

    fn found(text: &str, query: &str) -> Result<Value, Problem> {
        let endpoint = Location::at("/v1/decode/1")?.endpoint("GET").unwrap();
        let [layout, encoding, ..] = endpoint.route.read(query)?;
        let decoded = decode(text, layout.as_deref(), encoding.as_deref(), NOW_MS)?;
        Ok(serde_json::to_value(&decoded).unwrap())
    }

    const TWEET: &str = "1541815603606036480";

    #[test]
    fn a_text_that_is_longer_than_any_id_is_not_read() {
        let longest = Encoding::ALL.map(|encoding| text::format(u64::MAX, encoding).len());
        assert_eq!(longest.into_iter().max(), Some(TEXT_MAX));
        assert!(found(&"1".repeat(TEXT_MAX), "").is_ok());
        let problem = found(&"1".repeat(TEXT_MAX + 1), "").unwrap_err();
        assert!(
            problem.detail.ends_with(": at most 64 characters are allowed"),
            "{}",
            problem.detail
        );
    }

    #[test]
    fn a_text_is_read_in_the_encoding_that_prints_it() {
        let id = 1_541_815_603_606_036_480;
        for encoding in Encoding::ALL {
            let text = text::format(id, encoding);
            let expected = match encoding {
                // If two encodings could have written a text, `read` chooses the first of these
                // encodings.
                Encoding::SignedDecimal => (id, Encoding::Decimal),
                Encoding::Base58Flickr => (1_723_205_934_413_018_420, Encoding::Base58),
                Encoding::Base64Url => (9_662_382_315_684_026_742, Encoding::Base62),
                Encoding::Base62Lower => (1_184_264_619_657_164_910, Encoding::Base62),
                Encoding::Base64UrlBytes => (13_029_816_538_022_622_934, Encoding::Base62),
                _ => (id, encoding),
            };
            assert_eq!(read(&text).ok(), Some(expected), "{text}");
        }
        for (text, id, encoding) in [
            ("0", 0, Encoding::Decimal),
            ("-1", u64::MAX, Encoding::SignedDecimal),
            ("18446744073709551615", u64::MAX, Encoding::Decimal),
            ("ffffffffffffffff", u64::MAX, Encoding::Hex),
            ("FFFFFFFFFFFFFFFF", u64::MAX, Encoding::Hex),
        ] {
            assert_eq!(read(text).ok(), Some((id, encoding)), "{text}");
        }
        for text in ["", " 1", "18446744073709551616x", "1.5", "+1", "0x1F!", "é"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn in_a_layout() {
        let decoded = found(TWEET, "layout=twitter").ok().unwrap();
        assert_eq!(
            decoded["readings"],
            serde_json::json!([{
                "preset": "twitter",
                "layout": "unused:1 timestamp:41 node.datacenter:5 node.worker:5 sequence:12 \
                           @1288834974657 tick=1ms",
                "instant_ms": 1_656_432_460_105_u64,
                "instant": "2022-06-28T16:07:40.105Z",
                "tick": 367_597_485_448_u64,
                "node": "378",
                "sequence": "0",
                "tag": "0",
                "fields": [
                    { "name": "unused", "role": "unused", "bits": 1, "value": "0" },
                    { "name": "timestamp", "role": "timestamp", "bits": 41,
                      "value": "367597485448" },
                    { "name": "datacenter", "role": "node", "bits": 5, "value": "11" },
                    { "name": "worker", "role": "node", "bits": 5, "value": "26" },
                    { "name": "sequence", "role": "sequence", "bits": 12, "value": "0" },
                ],
                "warnings": [],
            }])
        );
        let text = "layout=unused:1+timestamp:41+sequence:6+node:16+@1514764800000+tick%3D1ms";
        let decoded = found(TWEET, text).ok().unwrap();
        assert_eq!(decoded["readings"][0]["preset"], "hazelcast");
        assert!(decoded.get("unix_time").is_none());
    }

    #[test]
    fn without_a_layout() {
        let decoded = found("ffffffffffffffff", "encoding=hex").ok().unwrap();
        assert_eq!(decoded["id"], "18446744073709551615");
        assert_eq!(decoded["encoding"], "hex");
        assert_eq!(decoded["other_encodings"], serde_json::json!([]));
        let readings = decoded["readings"].as_array().unwrap();
        let shares: Vec<_> =
            readings.iter().map(|reading| reading["percent"].as_u64().unwrap()).collect();
        assert!(shares.len() > 2 && shares.is_sorted_by(|a, b| a >= b));
        assert!(readings.iter().all(|reading| reading["reasons"].is_string()));
        assert_eq!(readings[0]["warnings"][0]["code"], "sign-bit");
        let texts = &decoded["texts"];
        assert_eq!(texts.as_object().unwrap().len(), Encoding::ALL.len());
        assert_eq!(texts["signed-decimal"], "-1");
    }

    #[test]
    fn unix_time() {
        let decoded = found("1700000000123", "").ok().unwrap();
        assert_eq!(
            decoded["unix_time"],
            serde_json::json!({
                "unit": "unix-ms",
                "percent": 98,
                "instant_ms": 1_700_000_000_123_u64,
                "instant": "2023-11-14T22:13:20.123Z",
            })
        );
        for query in ["layout=twitter", "layout=hazelcast"] {
            let decoded = found("1700000000123", query).ok().unwrap();
            assert!(decoded.get("unix_time").is_none());
        }
        // Read as Unix time in ns, this tweet of 2022 is a date in 2018, whose likelihood is 0 %.
        let unix_time = &found(TWEET, "").ok().unwrap()["unix_time"];
        assert_eq!(unix_time["unit"], "unix-ns");
        assert_eq!(unix_time["percent"], 0);
    }

    #[test]
    fn other_ids_of_the_same_text_are_told() {
        let decoded = found("4zzv4rZaYpj", "").ok().unwrap();
        assert_eq!(decoded["encoding"], "base58");
        assert_eq!(
            decoded["other_encodings"],
            serde_json::json!(["base32", "base36", "base58-flickr", "base62", "base62-lower"])
        );
        let decoded = found("4zzv4rZaYpj", "encoding=base58-flickr").ok().unwrap();
        assert_eq!(decoded["id"], TWEET);
        let decoded = found("1", "").ok().unwrap();
        assert_eq!(decoded["encoding"], "decimal");
        assert_eq!(
            decoded["other_encodings"],
            serde_json::json!(["z-base-32", "base58", "base58-flickr", "base64url"])
        );
    }

    #[test]
    fn refusals() {
        let detail = |text, query| found(text, query).err().unwrap().detail.clone();
        assert_eq!(
            detail("12 ", ""),
            format!(
                "the id is \"12 \": give up to 64 bits in {}",
                Allowed(&Encoding::ALL.map(Encoding::name))
            )
        );
        assert_eq!(
            detail("12a4", "encoding=decimal"),
            "the id is \"12a4\": an id in decimal has \"a\" at position 2: 0-9 are allowed"
        );
        assert_eq!(
            detail("9223372036854775808", "layout=twitter"),
            "the layout does not use bits 0x8000000000000000, which are set: choose another layout"
        );
        assert_eq!(detail("1", "id=2"), "the parameter \"id\" is unknown: give layout or encoding");
    }
}
