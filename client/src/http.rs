//! Calls over HTTP to edgeflake's Worker, or to an authority on Node.

use edgeflake::code;
use edgeflake::lease::{Call, Refusal, Reply, Request};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};
use serde_json::Value;

use crate::error::Error;
use crate::transport::{Failure, Sent, Transport, reason};

/// The HTTP statuses below 500 after which another try may succeed.
const PASSING: [StatusCode; 2] = [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_MANY_REQUESTS];

/// The largest number of characters that an error quotes from an answer.
const SHOWN_MAX: usize = 200;

pub(crate) struct Http {
    client: Client,
    /// The URL of the sequencer.
    base: String,
}

impl Http {
    pub(crate) fn new(authority: &str, token: Option<&str>, name: &str) -> Result<Self, Error> {
        let url = Url::parse(authority).ok().filter(|url| {
            matches!(url.scheme(), "http" | "https") && url.query().or(url.fragment()).is_none()
        });
        let Some(url) = url else {
            let allowed = "give an http or https URL without query or fragment, such as \
                 https://ids.example.com";
            return Err(Error::option(format!("authority is {authority:?}: {allowed}")));
        };
        let mut headers =
            HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        if let Some(token) = token {
            let Ok(mut value) = HeaderValue::from_str(&format!("Bearer {token}")) else {
                return Err(Error::option(
                    "token has a character that no header can have, such as a line break: remove it",
                ));
            };
            value.set_sensitive(true);
            headers.insert(reqwest::header::AUTHORIZATION, value);
        }
        // Redirects are not followed, because a redirect could turn the POST into a GET, or lose
        // the token.
        let client = Client::builder().default_headers(headers).redirect(Policy::none()).build();
        let client = client
            .map_err(|error| Error::option(format!("cannot create an HTTP client: {error}")))?;
        let base = format!("{}/v1/sequencers/{name}", url.as_str().trim_end_matches('/'));
        Ok(Self { client, base })
    }

    async fn reply(&self, call: &Call) -> Result<Reply, Failure> {
        let path = match call.request {
            Request::Renew(_) => "leases/renew",
            Request::Release(_) => "leases/release",
            Request::Prefetch(_) => "batches",
            _ => "leases",
        };
        let url = format!("{}/{path}", self.base);
        let sent = self.client.post(&url).body(body(call)).send().await;
        let response = sent.map_err(|error| Failure::Passing(reason(&error)))?;
        answer(response, &url).await
    }
}

impl Transport for Http {
    fn send<'a>(&'a self, call: &'a Call) -> Sent<'a> {
        Box::pin(self.reply(call))
    }
}

/// Returns the body of a call: the fields of the call's message, the shard if the call has a shard,
/// and the number of earlier tries.
fn body(call: &Call) -> String {
    let mut message: Value =
        serde_json::from_str(&edgeflake_wire::write(&call.request)).unwrap_or_default();
    let fields = message.as_object_mut().and_then(|message| message.values_mut().next());
    let mut fields = fields.map(Value::take).unwrap_or_default();
    if let Some(shard) = call.shard {
        fields["shard"] = shard.into();
    }
    fields["tries"] = call.tries.into();
    fields.to_string()
}

/// Reads the reply from a response. An error response becomes a refusal or a failed call.
pub(crate) async fn answer(response: Response, url: &str) -> Result<Reply, Failure> {
    let status = response.status();
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let kind = header(CONTENT_TYPE).unwrap_or("no type").to_owned();
    let target = header(LOCATION).map(|target| format!("a redirect to {target}"));
    let text = response.text().await.map_err(|error| Failure::Passing(reason(&error)))?;
    let json = if kind.contains("json") { serde_json::from_str::<Value>(&text).ok() } else { None };
    if status.is_success() && kind.contains("json") {
        let reply = json.and_then(|json| edgeflake_wire::read(&json).ok());
        let shown = || text.chars().take(SHOWN_MAX).collect::<String>();
        return reply.ok_or_else(|| Failure::Passing(format!("it answered {}", shown())));
    }
    let problem = json.unwrap_or_default();
    if !problem["refused"].is_null()
        && let Ok(reply) =
            edgeflake_wire::read(&serde_json::json!({ "refused": problem["refused"] }))
    {
        return Ok(reply);
    }
    let detail = problem["detail"].as_str();
    let code = problem["type"].as_str().and_then(|text| text.strip_prefix("/problems/"));
    let lasting = |code, text: &str| Err(Failure::Lasting(Error::new(code, text)));
    let found = target.or(detail.map(str::to_owned)).unwrap_or(kind);
    let message = format!("{url} answered {}, {found}", status.as_u16());
    match code {
        Some(code::UNKNOWN_SEQUENCER) => Ok(Reply::refused(Refusal::UnknownSequencer, None)),
        Some(code::INVALID_CONFIGURATION) => lasting(code::INVALID_CONFIGURATION, &found),
        Some(code::UNAUTHORIZED) => lasting(code::UNAUTHORIZED, &found),
        Some(code::FORBIDDEN) => lasting(code::FORBIDDEN, &found),
        _ if status.is_server_error() || PASSING.contains(&status) => {
            Err(Failure::Passing(message))
        }
        Some(_) => lasting(code::AUTHORITY_UNREACHABLE, &message),
        None => {
            let todo = "set authority to the URL of edgeflake's Worker or of its authority on Node";
            lasting(code::AUTHORITY_UNREACHABLE, &format!("{message}: {todo}"))
        }
    }
}
