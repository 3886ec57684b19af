// Turns a generator's events and counts into OpenTelemetry instruments. The metrics stay in memory
// here; in your service, use an exporter such as `@opentelemetry/exporter-metrics-otlp-proto`.

import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { LeasedGenerator } from "edgeflake/lease";

const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter });
const meter = new MeterProvider({ readers: [reader] }).getMeter("orders");

const events = meter.createCounter("edgeflake.events");
const ids = new LeasedGenerator({
  authority: "https://ids.example.com",
  token: process.env.EDGEFLAKE_LEASE_TOKEN,
  onEvent: ({ type, sequencer }) => events.add(1, { type, sequencer }),
});
for (const name of ["issued", "renewals", "failures"]) {
  const counter = meter.createObservableCounter(`edgeflake.${name}`);
  counter.addCallback((result) => result.observe(ids.stats()[name]));
}

await ids.batch(3);
await reader.forceFlush();
const [{ metrics }] = exporter.getMetrics()[0].scopeMetrics;
const issued = metrics.find(({ descriptor }) => descriptor.name === "edgeflake.issued");
issued.dataPoints[0].value === ids.stats().issued; // => true
await reader.shutdown();
