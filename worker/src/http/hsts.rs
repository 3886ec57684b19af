//! Tells browsers to call the Worker over HTTPS only, for as long as the variable
//! `EDGEFLAKE_HSTS_MAX_AGE_SECONDS` says.

use worker::web_sys::Response;

use crate::http::answer;
use edgeflake_authority::found::Found;
use edgeflake_authority::value::digits;

/// The value of `Strict-Transport-Security`, if there is one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Hsts(Option<String>);

impl Hsts {
    /// # Errors
    /// A text that names the variable, what was found and what is allowed.
    pub(crate) fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let text = variable("EDGEFLAKE_HSTS_MAX_AGE_SECONDS").unwrap_or_default();
        match text.trim() {
            "" => Ok(Self(None)),
            text => digits(text)
                .map(|seconds| Self(Some(format!("max-age={seconds}"))))
                .ok_or_else(|| {
                    format!(
                        "EDGEFLAKE_HSTS_MAX_AGE_SECONDS is {}: a whole number such as 31536000 is \
                         allowed",
                        Found(text)
                    )
                }),
        }
    }

    pub(crate) fn apply(&self, response: &Response) {
        if let Some(value) = &self.0 {
            answer::set(response, "Strict-Transport-Security", value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Hsts, String> {
        Hsts::read(&|name| (name == "EDGEFLAKE_HSTS_MAX_AGE_SECONDS").then(|| text.to_owned()))
    }

    #[test]
    fn seconds() {
        assert_eq!(Hsts::read(&|_| None), Ok(Hsts(None)));
        assert_eq!(read(" "), Ok(Hsts(None)));
        assert_eq!(read("0"), Ok(Hsts(Some("max-age=0".to_owned()))));
        assert_eq!(read(" 31536000"), Ok(Hsts(Some("max-age=31536000".to_owned()))));
        for found in ["true", "-1", "1.5", "1 year"] {
            assert_eq!(
                read(found),
                Err(format!(
                    "EDGEFLAKE_HSTS_MAX_AGE_SECONDS is {found:?}: a whole number such as 31536000 \
                     is allowed"
                ))
            );
        }
    }
}
