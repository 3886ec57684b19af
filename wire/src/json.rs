use alloc::string::String;
use core::fmt::{Display, Write};

/// Writes JSON, one field after the other. Texts must not contain characters that JSON escapes;
/// tokens, layouts and message names contain no such characters.
#[derive(Debug, Default)]
pub struct Json {
    text: String,
    /// Whether the next field or item is the first of its object or list.
    first: bool,
}

impl Json {
    /// Starts an object.
    #[must_use]
    pub fn object() -> Self {
        Self { text: String::from("{"), first: true }
    }

    /// Starts a field that is an object. Its fields come next.
    pub fn open(&mut self, name: &str) {
        self.name(name);
        self.text.push('{');
        self.first = true;
    }

    /// Ends an object.
    pub fn close(&mut self) {
        self.text.push('}');
        self.first = false;
    }

    /// Starts a field that is a list. Its items come next.
    pub fn list(&mut self, name: &str) {
        self.name(name);
        self.text.push('[');
        self.first = true;
    }

    /// Starts a list item that is an object. Its fields come next.
    pub fn open_item(&mut self) {
        self.comma();
        self.text.push('{');
        self.first = true;
    }

    /// Ends a list.
    pub fn end_list(&mut self) {
        self.text.push(']');
        self.first = false;
    }

    /// Adds a field whose value is already written as JSON.
    pub fn json(&mut self, name: &str, json: &str) {
        self.name(name);
        self.text.push_str(json);
    }

    /// Adds a field whose value is a number.
    pub fn number(&mut self, name: &str, value: u64) {
        self.name(name);
        self.show(&value);
    }

    /// Adds a field whose value is a string.
    pub fn text(&mut self, name: &str, value: &dyn Display) {
        self.name(name);
        self.text.push('"');
        self.show(value);
        self.text.push('"');
    }

    /// Adds a field whose value is a list of strings.
    pub fn texts(&mut self, name: &str, values: &[String]) {
        self.list(name);
        for value in values {
            self.comma();
            self.text.push('"');
            self.text.push_str(value);
            self.text.push('"');
        }
        self.end_list();
    }

    /// Adds a field whose value is `true` or `false`.
    pub fn flag(&mut self, name: &str, value: bool) {
        self.name(name);
        self.text.push_str(if value { "true" } else { "false" });
    }

    /// Ends the object that [`object`](Self::object) started, and returns its JSON.
    #[must_use]
    pub fn end(mut self) -> String {
        self.close();
        self.text
    }

    fn comma(&mut self) {
        if !self.first {
            self.text.push(',');
        }
        self.first = false;
    }

    fn name(&mut self, name: &str) {
        self.comma();
        self.text.push('"');
        self.text.push_str(name);
        self.text.push_str("\":");
    }

    fn show(&mut self, value: &dyn Display) {
        // Writing into a string cannot fail.
        let _ = write!(self.text, "{value}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        let mut json = Json::object();
        json.list("none");
        json.end_list();
        json.list("objects");
        json.open_item();
        json.text("a", &"b");
        json.flag("c", true);
        json.close();
        json.open_item();
        json.close();
        json.end_list();
        json.json("d", "[3]");
        json.texts("e", &["f".into(), "g".into()]);
        assert_eq!(
            json.end(),
            r#"{"none":[],"objects":[{"a":"b","c":true},{}],"d":[3],"e":["f","g"]}"#
        );
    }
}
