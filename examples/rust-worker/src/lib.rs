//! A Worker in Rust with edgeflake's crates inside: each of its isolates leases a node from
//! edgeflake's Durable Object, and issues ids from its own memory.

mod authority;
mod ids;

use worker::{Context, Env, Request, Response, Result, event};

#[event(fetch)]
async fn fetch(_request: Request, env: Env, context: Context) -> Result<Response> {
    match ids::next(&env, &context).await {
        Ok(id) => Response::from_json(&[id.to_string()]),
        Err(error) => Response::error(error.to_string(), 503),
    }
}
