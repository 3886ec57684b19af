//! How a request is answered: its settings, its route, its admission, and the code of the route.

pub(crate) mod decode;
pub(crate) mod ids;
pub(crate) mod leases;
mod lifecycle;
mod metrics;
mod range;
mod status;
pub(crate) mod table;

use edgeflake::code;
use worker::Env;
use worker::web_sys::{Request, Response};

use self::table::Route;
use crate::admission::{AdmittedRequest, Inquiry};
use crate::audit;
use crate::http::answer;
use crate::settings::Settings;
use edgeflake_workers::objects::address::target;
use edgeflake_workers::problem::Problem;

/// Answers a request.
pub(crate) async fn respond(request: Request, env: Env) -> Response {
    let settings = match Settings::of(&env) {
        Ok(settings) => settings,
        Err(problem) => {
            audit::misconfigured(&request, &problem);
            return answer::problem(&problem);
        }
    };
    let (url, method) = (request.url(), request.method());
    let (path, query) = target(&url);
    let (answered, methods) = match Route::at(path) {
        Err(problem) => (Err(problem), None),
        Ok(route) if method == "OPTIONS" => {
            let allow = route.allow();
            (Ok(answer::empty("Allow", &allow)), Some(allow))
        }
        Ok(route) => {
            let answered = match route.takes(&method) {
                None => Err(Problem::method(&method, route.allow())),
                Some(takes) => {
                    let asked = Inquiry { request: &request, query };
                    match AdmittedRequest::admit(takes, asked, &env, &settings).await {
                        Ok(admitted) => dispatch(route, &method, &admitted).await,
                        Err(problem) => Err(problem),
                    }
                }
            };
            (answered, None)
        }
    };
    let response = answered.unwrap_or_else(|problem| {
        if problem.name == code::INVALID_CONFIGURATION {
            audit::misconfigured(&request, &problem);
        }
        answer::problem(&problem)
    });
    settings.cors.apply(&request, &response, methods.as_deref());
    settings.hsts.apply(&response);
    response
}

/// Runs the code of a route.
async fn dispatch(
    route: Route<'_>,
    method: &str,
    request: &AdmittedRequest<'_>,
) -> Result<Response, Problem> {
    match route {
        Route::Ids { sequencer } => ids::answer(request, sequencer).await,
        Route::Decode { id } => decode::answer(request, &id),
        Route::Range => range::answer(request),
        Route::Sequencer { name } => match method {
            "PUT" => lifecycle::create(request, name).await,
            "PATCH" => lifecycle::change(request, name).await,
            "DELETE" => lifecycle::destroy(request, name).await,
            _ => status::answer(request, name).await,
        },
        Route::Nodes { sequencer } => status::nodes(request, sequencer).await,
        Route::Lease { sequencer, operation } => {
            leases::answer(request, sequencer, operation).await
        }
        Route::Metrics => metrics::answer(request).await,
        Route::Health => status::health(request).await,
    }
}
