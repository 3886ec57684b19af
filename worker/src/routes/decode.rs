//! Takes an id apart: which encoding its text has, and what the id says in a layout, or in the
//! layouts of all presets that could have made it.

use edgeflake::identify::{Candidate, Source, Warning};
use edgeflake::text::{self, Encoding};
use edgeflake::{Instant, Layout, Parts, Role, identify, preset};
use edgeflake_wire::Json;
use worker::web_sys;

use crate::admission::Admitted;
use crate::http::answer;
use crate::http::query;
use edgeflake_workers::found::Allowed;
use edgeflake_workers::found::Found;
use edgeflake_workers::platform::now_ms;
use edgeflake_workers::problem::Problem;
use edgeflake_workers::value;

/// Answers with what an id says.
///
/// # Errors
/// A problem if the text or a parameter cannot be read, or the layout has no such id.
pub(crate) fn answer(request: &Admitted<'_>, text: &str) -> Result<web_sys::Response, Problem> {
    let [layout, encoding, ..] = &request.parameters;
    Ok(answer::json(&json(text, layout.as_deref(), encoding.as_deref(), now_ms())?))
}

/// What the text of an id says, as JSON. Without `layout`, it is read in the layouts of all
/// presets; without `encoding`, in the first encoding that fits. Numbers that may be 2^53 or more
/// are written as strings.
///
/// # Errors
/// The problems of [`answer()`].
pub(crate) fn json(
    text: &str,
    layout: Option<&str>,
    encoding: Option<&str>,
    now_ms: u64,
) -> Result<String, Problem> {
    let (id, encoding) = match encoding {
        Some(name) => {
            let encoding = query::encoding(name)?;
            let id = text::parse(text, encoding);
            (id.map_err(|error| refused(text, &error.to_string()))?, encoding)
        }
        None => read(text)?,
    };
    let mut json = Json::object();
    json.text("id", &id);
    json.text("encoding", &encoding.name());
    // The other encodings in which the same text is a different id.
    json.list("other_encodings");
    for other in Encoding::ALL {
        if other != encoding && text::parse(text, other).is_ok_and(|read| read != id) {
            json.text_item(&other.name());
        }
    }
    json.end_list();
    json.open("texts");
    for encoding in Encoding::ALL {
        json.text(encoding.name(), &text::encode(id, encoding));
    }
    json.close();
    match layout {
        Some(name) => write_in_layout(&mut json, name, id, now_ms)?,
        None => write_candidates(&mut json, id, now_ms),
    }
    Ok(json.end())
}

/// A share of 0 to 1 in percent.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
fn percent(share: f64) -> u64 {
    (share * 100.0).round() as u64
}

/// Reads the text of an id in the first encoding that would print exactly this text, or else in the
/// first one that can read it.
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
            refused(text, &format!("{encodings} allowed, up to 64 bits"))
        })
}

fn refused(text: &str, reason: &str) -> Problem {
    Problem::id(format!("the id is {}: {reason}", Found(text)))
}

/// Writes what an id says in the layouts of all presets, and as Unix time if it may be one.
fn write_candidates(json: &mut Json, id: u64, now_ms: u64) {
    let mut unix_time = None;
    json.list("readings");
    for found in identify(id, now_ms) {
        match &found.source {
            Source::System { preset, parts } => {
                let warnings = preset.warnings(id, now_ms);
                write_reading(json, id, &preset.layout, parts, &warnings, Some(&found));
            }
            Source::UnixTime(_) => unix_time = Some(found),
        }
    }
    json.end_list();
    if let Some(found) = unix_time {
        json.open("unix_time");
        json.text("unit", &found.source.name());
        json.number("percent", percent(found.share));
        write_instant(json, found.instant_ms);
        json.close();
    }
}

/// Writes what an id says in a layout, given as a preset's name or a layout string.
fn write_in_layout(json: &mut Json, name: &str, id: u64, now_ms: u64) -> Result<(), Problem> {
    let layout = value::layout("layout", name).map_err(Problem::parameter)?;
    let preset = preset::ALL.iter().find(|preset| preset.layout == layout);
    let warnings = match preset {
        Some(preset) => preset.warnings(id, now_ms),
        None => layout.warnings(id, now_ms),
    };
    let parts = layout.unpack(id).map_err(|error| Problem::unfit(&error))?;
    json.list("readings");
    write_reading(json, id, &layout, &parts, &warnings, None);
    json.end_list();
    Ok(())
}

/// Writes what an id says in a layout. The share and the reasons are written only for a candidate
/// of `identify`.
fn write_reading(
    json: &mut Json,
    id: u64,
    layout: &Layout,
    parts: &Parts,
    warnings: &[Warning],
    found: Option<&Candidate>,
) {
    json.open_item();
    match preset::ALL.iter().find(|preset| preset.layout == *layout) {
        Some(preset) => json.text("preset", &preset.name),
        None => json.null("preset"),
    }
    json.text("layout", layout);
    if let Some(found) = found {
        json.number("percent", percent(found.share));
        json.text("reasons", &found.reasons);
    }
    write_instant(json, layout.start_ms(parts.tick));
    json.number("tick", parts.tick);
    json.text("node", &parts.node);
    json.text("sequence", &parts.sequence);
    json.text("tag", &parts.tag);
    json.list("fields");
    for (field, value) in layout.values(id) {
        json.open_item();
        json.text("name", &field.name());
        json.text("role", &Role::word(field.role()));
        json.number("bits", field.bits().into());
        json.text("value", &value);
        json.close();
    }
    json.end_list();
    json.list("warnings");
    for warning in warnings {
        json.open_item();
        json.text("code", &warning.code());
        json.text("detail", warning);
        json.close();
    }
    json.end_list();
    json.close();
}

fn write_instant(json: &mut Json, ms: u64) {
    json.number("instant_ms", ms);
    json.text("instant", &Instant(ms));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::table::Route;
    use serde_json::Value;

    const NOW_MS: u64 = 1_790_000_000_000;

    fn decode(text: &str, query: &str) -> Result<Value, Problem> {
        let takes = Route::Decode { id: text.into() }.takes("GET").unwrap();
        let [layout, encoding, ..] = takes.read(query)?;
        let decoded = json(text, layout.as_deref(), encoding.as_deref(), NOW_MS)?;
        Ok(serde_json::from_str(&decoded).unwrap())
    }

    const TWEET: &str = "1541815603606036480";

    #[test]
    fn a_text_is_read_in_the_encoding_that_prints_it() {
        let id = 1_541_815_603_606_036_480;
        for encoding in Encoding::ALL {
            let text = text::encode(id, encoding);
            let expected = match encoding {
                // A text that two encodings could print is read in the first of them.
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
        let decoded = decode(TWEET, "layout=twitter").ok().unwrap();
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
        let decoded = decode(TWEET, text).ok().unwrap();
        assert_eq!(decoded["readings"][0]["preset"], "hazelcast");
        assert!(decoded.get("unix_time").is_none());
    }

    #[test]
    fn without_a_layout() {
        let decoded = decode("ffffffffffffffff", "encoding=hex").ok().unwrap();
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
        assert_eq!(texts.as_object().unwrap().len(), 13);
        assert_eq!(texts["signed-decimal"], "-1");
    }

    #[test]
    fn unix_time() {
        let decoded = decode("1700000000123", "").ok().unwrap();
        assert_eq!(
            decoded["unix_time"],
            serde_json::json!({
                "unit": "unix-ms",
                "percent": 100,
                "instant_ms": 1_700_000_000_123_u64,
                "instant": "2023-11-14T22:13:20.123Z",
            })
        );
        for query in ["layout=twitter", "layout=hazelcast"] {
            let decoded = decode("1700000000123", query).ok().unwrap();
            assert!(decoded.get("unix_time").is_none());
        }
        // As Unix time in ns, this tweet of 2022 is a date in 2018.
        let unix_time = &decode(TWEET, "").ok().unwrap()["unix_time"];
        assert_eq!(unix_time["unit"], "unix-ns");
        assert_eq!(unix_time["percent"], 0);
    }

    #[test]
    fn other_ids_of_the_same_text_are_told() {
        let decoded = decode("4zzv4rZaYpj", "").ok().unwrap();
        assert_eq!(decoded["encoding"], "base58");
        assert_eq!(
            decoded["other_encodings"],
            serde_json::json!(["base32", "base36", "base58-flickr", "base62", "base62-lower"])
        );
        let decoded = decode("4zzv4rZaYpj", "encoding=base58-flickr").ok().unwrap();
        assert_eq!(decoded["id"], TWEET);
        let decoded = decode("1", "").ok().unwrap();
        assert_eq!(decoded["encoding"], "decimal");
        assert_eq!(
            decoded["other_encodings"],
            serde_json::json!(["z-base-32", "base58", "base58-flickr", "base64url"])
        );
    }

    #[test]
    fn refusals() {
        let detail = |text, query| decode(text, query).err().unwrap().detail.clone();
        assert_eq!(
            detail("12 ", ""),
            "the id is \"12 \": decimal, signed-decimal, hex, binary, base32, z-base-32, base36, \
             base58, base58-flickr, base62, base64url, base62-lower and base64url-bytes are allowed, up to 64 bits"
        );
        assert_eq!(
            detail("12a4", "encoding=decimal"),
            "the id is \"12a4\": an id in decimal has a at position 2: 0-9 are allowed"
        );
        assert_eq!(
            detail("9223372036854775808", "layout=twitter"),
            "bits 0x8000000000000000 are set, which the layout does not use: choose another \
             layout"
        );
        assert_eq!(
            detail("1", "id=2"),
            "there is a parameter \"id\": layout and encoding are allowed"
        );
    }
}
