//! An id taken apart: which encoding its text has, and what it says in a layout, or in the layouts
//! of all presets that could have made it.

use edgeflake::identify::{Source, Warning};
use edgeflake::text::{self, Encoding};
use edgeflake::{Instant, Layout, Parts, Role, identify, preset};
use serde::{Serialize, Serializer};
use worker::web_sys;

use crate::admission::Admitted;
use crate::http::answer;
use crate::http::query;
use edgeflake_authority::clock::now_ms;
use edgeflake_authority::found::Found;
use edgeflake_authority::names::Allowed;
use edgeflake_authority::problem::Problem;
use edgeflake_authority::value;

#[derive(Serialize)]
struct Decoded {
    id: String,
    /// The encoding in which the text was read.
    encoding: &'static str,
    /// The other encodings in which the text can be read, as another id.
    other_encodings: Vec<&'static str>,
    texts: Texts,
    readings: Vec<Reading>,
    /// What the number says as Unix time, if it may be one. It is there only when no layout was
    /// asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    unix_time: Option<UnixTime>,
}

/// A number read as Unix time.
#[derive(Serialize)]
struct UnixTime {
    /// `unix-s`, `unix-ms`, `unix-us` or `unix-ns`.
    unit: &'static str,
    /// How likely this is among all readings, in percent.
    percent: u8,
    instant_ms: u64,
    instant: String,
}

/// What an id says in a layout. Numbers that may be 2^53 or more are strings.
#[derive(Serialize)]
struct Reading {
    /// The preset's name, if the layout is one.
    preset: Option<&'static str>,
    layout: String,
    /// How likely this reading is among all of them, in percent. It is there with its reasons only
    /// when no layout was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<String>,
    instant_ms: u64,
    instant: String,
    tick: u64,
    node: String,
    sequence: String,
    tag: String,
    fields: Vec<FieldValue>,
    warnings: Vec<WarningText>,
}

#[derive(Serialize)]
struct FieldValue {
    name: String,
    role: &'static str,
    bits: u8,
    value: String,
}

#[derive(Serialize)]
struct WarningText {
    code: &'static str,
    detail: String,
}

/// Answers with what an id says.
///
/// # Errors
/// A problem if the text or a parameter cannot be read, or the layout has no such id.
pub(crate) fn answer(request: &Admitted<'_>, text: &str) -> Result<web_sys::Response, Problem> {
    let [layout, encoding, ..] = &request.parameters;
    Ok(answer::json(&json(text, layout.as_deref(), encoding.as_deref(), now_ms())?))
}

/// What the text of an id says, as JSON: in a layout, or in those of all presets; in an encoding,
/// or in the first that fits.
///
/// # Errors
/// The problems of [`answer()`].
pub(crate) fn json(
    text: &str,
    layout: Option<&str>,
    encoding: Option<&str>,
    now_ms: u64,
) -> Result<String, Problem> {
    let decoded = Decoded::new(text, layout, encoding, now_ms)?;
    serde_json::to_string(&decoded).map_err(|error| Problem::own(&error))
}

impl Decoded {
    fn new(
        text: &str,
        layout: Option<&str>,
        encoding: Option<&str>,
        now_ms: u64,
    ) -> Result<Self, Problem> {
        let (id, encoding) = match encoding {
            Some(name) => {
                let encoding = query::encoding(name)?;
                let id = text::parse(text, encoding);
                (id.map_err(|error| refused(text, &error.to_string()))?, encoding)
            }
            None => read(text)?,
        };
        let (readings, unix_time) = match layout {
            Some(name) => (vec![Reading::in_layout(name, id, now_ms)?], None),
            None => candidates(id, now_ms),
        };
        let others = Encoding::ALL.into_iter().filter(|other| {
            *other != encoding && text::parse(text, *other).is_ok_and(|read| read != id)
        });
        Ok(Decoded {
            id: id.to_string(),
            encoding: encoding.name(),
            other_encodings: others.map(Encoding::name).collect(),
            texts: Texts(id),
            readings,
            unix_time,
        })
    }
}

/// A share of 0 to 1 in percent.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
fn percent(share: f64) -> u8 {
    (share * 100.0).round() as u8
}

/// Reads the text of an id in the first encoding that prints it just so, else in the first one that
/// can read it at all.
fn read(text: &str) -> Result<(u64, Encoding), Problem> {
    let readable = || {
        Encoding::ALL
            .into_iter()
            .filter_map(|encoding| Some((text::parse(text, encoding).ok()?, encoding)))
    };
    readable()
        .find(|(id, encoding)| *text::encode(*id, *encoding) == *text)
        .or_else(|| readable().next())
        .ok_or_else(|| {
            let encodings = Allowed(&Encoding::ALL.map(Encoding::name)).to_string();
            refused(text, &format!("{encodings} read, up to 64 bits"))
        })
}

fn refused(text: &str, reason: &str) -> Problem {
    Problem::id(format!("the id is {}: {reason}", Found(text)))
}

/// The readings of an id in the layouts of all presets, and as Unix time.
fn candidates(id: u64, now_ms: u64) -> (Vec<Reading>, Option<UnixTime>) {
    let (mut readings, mut unix_time) = (Vec::new(), None);
    for found in identify(id, now_ms) {
        let percent = percent(found.share);
        match found.source {
            Source::System { preset, parts } => readings.push(Reading {
                percent: Some(percent),
                reasons: Some(found.reasons.to_string()),
                ..Reading::new(&preset.layout, id, &parts, &preset.warnings(id, now_ms))
            }),
            Source::UnixTime(_) => {
                unix_time = Some(UnixTime {
                    unit: found.source.name(),
                    percent,
                    instant_ms: found.instant_ms,
                    instant: Instant(found.instant_ms).to_string(),
                });
            }
        }
    }
    (readings, unix_time)
}

impl Reading {
    /// The reading in the layout of a name, or of a layout string.
    fn in_layout(name: &str, id: u64, now_ms: u64) -> Result<Self, Problem> {
        let layout = value::layout("layout", name).map_err(Problem::parameter)?;
        let preset = preset::ALL.iter().find(|preset| preset.layout == layout);
        let warnings = match preset {
            Some(preset) => preset.warnings(id, now_ms),
            None => layout.warnings(id, now_ms),
        };
        let parts = layout.unpack(id).map_err(|error| Problem::unfit(&error))?;
        Ok(Self::new(&layout, id, &parts, &warnings))
    }

    fn new(layout: &Layout, id: u64, parts: &Parts, warnings: &[Warning]) -> Self {
        let instant_ms = layout.start_ms(parts.tick);
        Self {
            preset: preset::ALL
                .iter()
                .find(|preset| preset.layout == *layout)
                .map(|preset| preset.name),
            layout: layout.to_string(),
            percent: None,
            reasons: None,
            instant_ms,
            instant: Instant(instant_ms).to_string(),
            tick: parts.tick,
            node: parts.node.to_string(),
            sequence: parts.sequence.to_string(),
            tag: parts.tag.to_string(),
            fields: layout
                .values(id)
                .map(|(field, value)| FieldValue {
                    name: field.name().to_string(),
                    role: Role::word(field.role()),
                    bits: field.bits(),
                    value: value.to_string(),
                })
                .collect(),
            warnings: warnings
                .iter()
                .map(|warning| WarningText { code: warning.code(), detail: warning.to_string() })
                .collect(),
        }
    }
}

/// The texts of an id in every encoding, by its name.
struct Texts(u64);

impl Serialize for Texts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text =
            |encoding: Encoding| (encoding.name(), text::encode(self.0, encoding).to_string());
        serializer.collect_map(Encoding::ALL.map(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::table::Route;

    const NOW_MS: u64 = 1_790_000_000_000;

    fn decode(text: &str, query: &str, now_ms: u64) -> Result<Decoded, Problem> {
        let takes = Route::Decode { id: text.into() }.takes("GET").unwrap();
        let [layout, encoding, ..] = takes.read(query)?;
        Decoded::new(text, layout.as_deref(), encoding.as_deref(), now_ms)
    }

    const TWEET: &str = "1541815603606036480";

    #[test]
    fn a_text_is_read_in_the_encoding_that_prints_it() {
        let id = 1_541_815_603_606_036_480;
        for encoding in Encoding::ALL {
            let text = text::encode(id, encoding);
            let expected = match encoding {
                // A text that two encodings print is the first one's.
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
        let decoded = decode(TWEET, "layout=twitter", NOW_MS).ok().unwrap();
        let [reading] = &decoded.readings[..] else { panic!() };
        assert_eq!(
            serde_json::to_value(reading).unwrap(),
            serde_json::json!({
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
            })
        );
        let text = "layout=unused:1+timestamp:41+sequence:6+node:16+@1514764800000+tick%3D1ms";
        let decoded = decode(TWEET, text, NOW_MS).ok().unwrap();
        assert_eq!(decoded.readings[0].preset, Some("hazelcast"));
    }

    #[test]
    fn without_a_layout() {
        let decoded = decode("ffffffffffffffff", "encoding=hex", NOW_MS).ok().unwrap();
        assert_eq!((decoded.id.as_str(), decoded.encoding), ("18446744073709551615", "hex"));
        assert_eq!(decoded.other_encodings, [""; 0]);
        let shares: Vec<_> =
            decoded.readings.iter().map(|reading| reading.percent.unwrap()).collect();
        assert!(shares.len() > 2 && shares.is_sorted_by(|a, b| a >= b));
        assert!(decoded.readings.iter().all(|reading| reading.reasons.is_some()));
        assert_eq!(decoded.readings[0].warnings[0].code, "sign-bit");
        let texts = serde_json::to_value(&decoded).unwrap()["texts"].clone();
        assert_eq!(texts.as_object().unwrap().len(), 13);
        assert_eq!(texts["signed-decimal"], "-1");
    }

    #[test]
    fn unix_time() {
        let decoded = decode("1700000000123", "", NOW_MS).ok().unwrap();
        assert_eq!(
            serde_json::to_value(decoded.unix_time).unwrap(),
            serde_json::json!({
                "unit": "unix-ms",
                "percent": 100,
                "instant_ms": 1_700_000_000_123_u64,
                "instant": "2023-11-14T22:13:20.123Z",
            })
        );
        for query in ["layout=twitter", "layout=hazelcast"] {
            assert!(decode("1700000000123", query, NOW_MS).ok().unwrap().unix_time.is_none());
        }
        // A tweet of 2022 is of 2018 as ns.
        let unix_time = decode(TWEET, "", NOW_MS).ok().unwrap().unix_time.unwrap();
        assert_eq!((unix_time.unit, unix_time.percent), ("unix-ns", 0));
    }

    #[test]
    fn other_ids_of_the_same_text_are_told() {
        let decoded = decode("4zzv4rZaYpj", "", NOW_MS).ok().unwrap();
        assert_eq!(decoded.encoding, "base58");
        assert_eq!(
            decoded.other_encodings,
            ["base32", "base36", "base58-flickr", "base62", "base62-lower"]
        );
        let decoded = decode("4zzv4rZaYpj", "encoding=base58-flickr", NOW_MS).ok().unwrap();
        assert_eq!(decoded.id, TWEET);
        let decoded = decode("1", "", NOW_MS).ok().unwrap();
        assert_eq!(decoded.encoding, "decimal");
        assert_eq!(decoded.other_encodings, ["z-base-32", "base58", "base58-flickr", "base64url"]);
    }

    #[test]
    fn refusals() {
        let detail = |text, query| decode(text, query, NOW_MS).err().unwrap().detail.clone();
        assert_eq!(
            detail("12 ", ""),
            "the id is \"12 \": decimal, signed-decimal, hex, binary, base32, z-base-32, base36, \
             base58, base58-flickr, base62, base64url, base62-lower and base64url-bytes are read, up to 64 bits"
        );
        assert_eq!(
            detail("12a4", "encoding=decimal"),
            "the id is \"12a4\": an id in decimal has a at position 2: 0-9 are allowed"
        );
        assert_eq!(
            detail("9223372036854775808", "layout=twitter"),
            "bits 0x8000000000000000 are set, which the layout does not use"
        );
        assert_eq!(
            detail("1", "id=2"),
            "there is a parameter \"id\": layout and encoding are allowed"
        );
    }
}
