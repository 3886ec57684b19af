//! Metrics of all sequencers, for Prometheus.

use std::sync::atomic::AtomicU64;

use edgeflake::Sequencer;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};
use worker::web_sys;

use crate::access::Role;
use crate::incoming::Incoming;
use crate::problem::Problem;
use crate::{answer, directory, sequencer, status};

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Labels {
    sequencer: String,
    incarnation: u64,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct NodeLabels {
    sequencer: String,
    state: &'static str,
}

/// Answers with the metrics, in the text format of `OpenMetrics`.
///
/// # Errors
/// A problem if an object does not answer.
pub(crate) async fn answer(incoming: &Incoming<'_>) -> Result<web_sys::Response, Problem> {
    incoming.admit(Role::Issue)?;
    let statistics = incoming.settings.sequencer()?.1.terms.statistics;
    let issued = Family::<Labels, Counter<u64, AtomicU64>>::default();
    let nodes = Family::<NodeLabels, Gauge>::default();
    let granting = Family::<Labels, Gauge>::default();
    let ends = Family::<Labels, Gauge>::default();
    for name in names(incoming).await? {
        let (sequencer, status) = status::status(incoming, &name).await?;
        let labels = Labels { sequencer: name.clone(), incarnation: sequencer.incarnation };
        issued.get_or_create(&labels).inc_by(status.issued);
        granting.get_or_create(&labels).set(i64::from(Sequencer::is_active(&sequencer)));
        let end_ms = sequencer.identity.layout().end_ms();
        ends.get_or_create(&labels).set((end_ms / 1_000).cast_signed());
        for (state, count) in [("held", status.held), ("free", status.free())] {
            let labels = NodeLabels { sequencer: name.clone(), state };
            nodes.get_or_create(&labels).set(count.cast_signed());
        }
    }

    let mut registry = Registry::with_prefix("edgeflake");
    if statistics {
        registry.register("ids_issued", "Ids that holders have reported as issued", issued);
    }
    registry.register("nodes", "Nodes by state", nodes);
    registry.register("sequencer_granting", "1 for a sequencer that grants, else 0", granting);
    registry.register_with_unit("layout_end", "When the layout runs out", Unit::Seconds, ends);
    let mut text = String::new();
    encode(&mut text, &registry).map_err(|error| Problem::own(&error))?;
    Ok(answer::text_of("application/openmetrics-text; version=1.0.0; charset=utf-8", &text))
}

/// The names of all sequencers.
async fn names(incoming: &Incoming<'_>) -> Result<Vec<String>, Problem> {
    let mut names = directory::names(incoming.env).await.map_err(|_| Problem::unreachable())?;
    if !names.iter().any(|name| name == sequencer::DEFAULT) {
        names.push(sequencer::DEFAULT.to_owned());
    }
    Ok(names)
}
