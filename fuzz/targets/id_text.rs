//! An id that is read prints a text that reads as the same id, in every form; and the forms that
//! the standard library reads, it reads alike.
#![no_main]

use edgeflake::Error;
use edgeflake::text::{self, Form};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|found: &str| {
    for form in Form::ALL {
        let read = text::parse(found, form);
        match read {
            Ok(id) => {
                let printed = text::encode(id, form);
                assert_eq!(text::parse(&printed, form), Ok(id), "{form} {printed}");
            }
            Err(error @ Error::IdText { form: refused, position, .. }) => {
                assert_eq!(refused, form);
                assert!(found.is_char_boundary(position), "{error}");
                assert!(error.to_string().is_ascii());
            }
            Err(error) => panic!("{error}"),
        }
        if let Some(standard) = standard(found, form) {
            assert_eq!(read.ok(), standard, "{form} {found}");
        }
    }
    if let Ok(form) = found.parse::<Form>() {
        assert_eq!(form.name(), found);
    }
});

/// What the standard library reads, where it reads the form at all.
fn standard(text: &str, form: Form) -> Option<Option<u64>> {
    let (radix, digits_max) = match form {
        Form::Decimal => (10, 20),
        Form::Hex => (16, 16),
        Form::Binary => (2, 64),
        Form::Base36 => (36, 13),
        Form::SignedDecimal => {
            let is_read = !text.starts_with('+') && text.trim_start_matches('-').len() <= 20;
            let id = text.parse().ok().map(i64::cast_unsigned);
            return Some(id.filter(|_| is_read));
        }
        _ => return None,
    };
    let is_read = !text.starts_with('+') && text.len() <= digits_max;
    Some(u64::from_str_radix(text, radix).ok().filter(|_| is_read))
}
