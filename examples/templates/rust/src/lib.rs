use std::collections::HashMap;

use edgeflake_workers::{Encoding, Ids};
use worker::{Context, Env, Method, Request, Response, Result, event};

// This line links the classes of the Durable Objects. A Worker exports every class that it links.
pub use edgeflake_workers::{Authority, Directory};

#[event(fetch)]
async fn fetch(request: Request, env: Env, _context: Context) -> Result<Response> {
    if request.path() != "/orders" {
        return Response::error("POST /orders creates an order", 404);
    }
    if request.method() != Method::Post {
        let mut response = Response::empty()?.with_status(405);
        response.headers_mut().set("Allow", "POST")?;
        return Ok(response);
    }
    create_order(&env).await
}

async fn create_order(env: &Env) -> Result<Response> {
    // The isolate leases a node from the authority and issues ids from memory.
    let ids = Ids::new(env);
    match ids.next_string(Encoding::Decimal).await {
        // The id is a string, because JavaScript rounds large numbers in JSON.
        Ok(id) => Ok(Response::from_json(&HashMap::from([("id", id)]))?.with_status(201)),
        // The status is 503, and `Retry-After` says when to try again. If the Worker is configured
        // wrongly, the status is 500.
        Err(error) => error.into_response(),
    }
}
