use edgeflake::lease::Record;

use crate::fields::messages;

messages! {
    Record {
        "leased" { ..grant, reserved_tick };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cause, Unreadable, write};
    use edgeflake::lease::BoundConfig;
    use edgeflake::lease::{Grant, Terms, Token};
    use edgeflake::{Span, preset};

    fn read(text: &str) -> Result<Record, Unreadable> {
        crate::read(&serde_json::from_str::<serde_json::Value>(text).unwrap())
    }

    #[test]
    fn a_record_of_version_1() {
        let config = BoundConfig::new(preset::HAZELCAST, 0, 65_536, 1).unwrap();
        let span = Span::new(config.layout(), 7, 265_235_200_000, 265_235_500_000).unwrap();
        let token = Token::from_random(0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f);
        let record = Record {
            grant: Grant::new(token, 1, config, span, Terms::default()),
            reserved_tick: 265_235_201_000,
        };
        let text = r#"{"leased":{"token":"000102030405060708090a0b0c0d0e0f","incarnation":1,"layout":"unused:1 timestamp:41 sequence:6 node:16 @1514764800000 tick=1ms","first_node":0,"node_count":65536,"shards":1,"node":7,"from_tick":265235200000,"until_tick":265235500000,"lease_ms":300000,"allowed_future_ms":15000,"terms":{"sequence_start":"zero","gap_max":0,"prefetch_count":100,"prefetch_validity_ms":600000,"statistics":true},"reserved_tick":265235201000}}"#;
        assert_eq!(write(&record), text);
        assert_eq!(read(text), Ok(record));
        // Without its reserved tick, a process could issue ids of the lease a second time.
        let part = text.replace(r#","reserved_tick":265235201000"#, "");
        let cause = *read(&part).unwrap_err();
        assert!(matches!(cause, Cause::Field { name: "reserved_tick", .. }));
        assert_eq!(read(&text.replace("leased", "granted")), Err(Cause::Unknown.into()));
    }
}
