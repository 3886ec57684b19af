//! The target of a request: the path and the query of its URL.

/// Path and query of a request's URL. The platform has normalised the URL, so the path begins at
/// the first `/` after the host and ends at the first `?`.
#[must_use]
pub fn target(url: &str) -> (&str, &str) {
    let rest = url.split_once(':').map_or(url, |(_, rest)| rest).trim_start_matches('/');
    let path = rest.find('/').and_then(|start| rest.get(start..)).unwrap_or("/");
    let path = path.split_once('#').map_or(path, |(path, _)| path);
    path.split_once('?').unwrap_or((path, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets() {
        for (url, expected) in [
            ("https://ids.example.com/v1/ids?count=3", ("/v1/ids", "count=3")),
            ("http://127.0.0.1:8787/v1/ids", ("/v1/ids", "")),
            ("http://host/", ("/", "")),
            ("http://host/a?b?c/d#e?f", ("/a", "b?c/d")),
            ("http://host/a#b?c", ("/a", "")),
        ] {
            assert_eq!(target(url), expected, "{url}");
        }
    }
}
