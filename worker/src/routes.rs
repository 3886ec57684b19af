//! The way of a request: to its settings, its route, its admission, and the code of the route.

pub(crate) mod decode;
pub(crate) mod ids;
pub(crate) mod leases;
mod lifecycle;
pub(crate) mod location;
mod metrics;
mod parameters;
pub(crate) mod range;
pub(crate) mod route;
mod status;
pub(crate) mod table;

use worker::Env;
use worker::web_sys::{Request, Response};

use self::location::Location;
use self::table::Endpoint;
use crate::admission::{AdmittedRequest, Inquiry};
use crate::http::answer;
use crate::settings::Settings;
use edgeflake_workers::objects::address::target;
use edgeflake_workers::problem::Problem;

pub(crate) async fn respond(request: Request, env: Env) -> Response {
    let settings = match Settings::of(&env) {
        Ok(settings) => settings,
        Err(problem) => return answer::problem(&problem),
    };
    let (url, method) = (request.url(), request.method());
    let (path, query) = target(&url);
    let (answered, methods) = match Location::at(path) {
        Err(problem) => (Err(problem), None),
        Ok(location) if method == "OPTIONS" => {
            let allow = location.allow();
            (Ok(answer::empty("Allow", &allow)), Some(allow))
        }
        Ok(location) => {
            let answered = match location.endpoint(&method) {
                None => Err(Problem::method(&method, location.allow())),
                Some(Endpoint { route, handler }) => {
                    let asked = Inquiry { request: &request, query };
                    match AdmittedRequest::admit(route, asked, &env, &settings).await {
                        Ok(admitted) => handler(&admitted, &location.parameter).await,
                        Err(problem) => Err(problem),
                    }
                }
            };
            (answered, None)
        }
    };
    let response = answered.unwrap_or_else(|problem| answer::problem(&problem));
    settings.cors.apply(&request, &response, methods.as_deref());
    response
}
