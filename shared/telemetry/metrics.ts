/** Every metric in one table; tests check alert rules and dashboards against it. No tenant ids as labels. */
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  Registry,
} from "prom-client";
import { traceIdOf } from "./trace.ts";

type MetricSpec = {
  type: "counter" | "gauge" | "histogram";
  help: string;
  labels?: readonly string[];
  buckets?: readonly number[];
};

/** Each sample wakes an idle process. The reported lag is never less than this. */
const EVENT_LOOP_SAMPLE_MS = 200;
/** 0.3 is what the objectives of creates and tokens promise. */
const LATENCY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.3, 0.5, 1, 2.5, 5, 10, 15];

export const METRICS = {
  http_server_request_duration_seconds: {
    type: "histogram",
    help: "HTTP requests answered by the gateway",
    labels: ["method", "route", "status"],
    buckets: LATENCY_SECONDS,
  },
  pbo_action_duration_seconds: {
    type: "histogram",
    help: "Actions handled by this process",
    labels: ["action", "result"],
    buckets: LATENCY_SECONDS,
  },
  pbo_outbox_pending: {
    type: "gauge",
    help: "Events in outboxes that were not yet published; one process reports it, the others 0",
  },
  pbo_outbox_oldest_age_seconds: {
    type: "gauge",
    help: "Age of the oldest event in an outbox; one process reports it, the others 0",
  },
  pbo_outbox_unconfirmed: {
    type: "gauge",
    help: "Events published, older than a minute and not yet confirmed as recorded",
  },
  pbo_outbox_republished_total: { type: "counter", help: "Events published again by the reconciler" },
  pbo_outbox_last_sweep_timestamp_seconds: { type: "gauge", help: "When a sweep of the outboxes last ended" },
  pbo_events_consumed_total: {
    type: "counter",
    help: "Events taken from JetStream",
    labels: ["result"],
  },
  pbo_lane_abandoned_total: {
    type: "counter",
    help: "Pieces of work that did not end and were abandoned, so that their lane goes on",
    labels: ["lane"],
  },
  pbo_stream_rebuilt_total: {
    type: "counter",
    help: "Streams that stood still and were made anew",
    labels: ["stream"],
  },
  pbo_partitions_unheld: {
    type: "gauge",
    help: "Partitions that nobody held when this process last looked: nobody does their work",
  },
  pbo_dead_letters_total: { type: "counter", help: "Messages given up as poison", labels: ["consumer"] },
  pbo_delivery_due: {
    type: "gauge",
    help: "Deliveries of this process's partitions that are due and not yet taken; counted up to 10,000",
  },
  pbo_delivery_oldest_due_age_seconds: {
    type: "gauge",
    help: "How long the oldest due webhook of this process's partitions has waited to be taken",
  },
  pbo_delivery_attempts_total: {
    type: "counter",
    help: "Webhook requests made, by what they came to; healthy: the receiver's last answers were good",
    labels: ["outcome", "attempt", "receiver"],
  },
  pbo_delivery_first_attempt_seconds: {
    type: "histogram",
    help: "From the change to the first webhook request that tells of it",
    labels: ["receiver"],
    // 5 is what the objective promises.
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800],
  },
  pbo_delivery_attempt_duration_seconds: {
    type: "histogram",
    help: "Webhook requests, from the first byte to the answer",
    buckets: LATENCY_SECONDS,
  },
  pbo_delivery_dead_total: { type: "counter", help: "Deliveries that used up their attempts" },
  pbo_delivery_in_hand: { type: "gauge", help: "Webhook attempts taken by this process and not yet ended" },
  pbo_ssrf_blocked_total: {
    type: "counter",
    help: "Webhook URLs refused because their address is not public",
    labels: ["place"],
  },
  pbo_documents_settled_total: {
    type: "counter",
    help: "Documents confirmed, rejected, superseded or found missing",
    labels: ["status", "reason"],
  },
  pbo_document_arrival_seconds: {
    type: "histogram",
    help: "From the end of an upload to its confirmation",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 1_800],
  },
  pbo_document_scans_total: {
    type: "counter",
    help: "Files given to the malware scanner, by what it said; failed: no verdict, tried again",
    labels: ["result"],
  },
  pbo_documents_due: { type: "gauge", help: "Documents whose next look by the sweep is overdue" },
  pbo_documents_last_sweep_timestamp_seconds: { type: "gauge", help: "When the document sweep last ended" },
  pbo_auth_failures_total: {
    type: "counter",
    help: "Refused tokens, sessions, logins and token requests",
    labels: ["reason"],
  },
  pbo_tokens_issued_total: { type: "counter", help: "Access tokens issued" },
  pbo_request_log_dropped_total: {
    type: "counter",
    help: "Requests that were too many for the request log of partners, or could not be told",
  },
  pbo_rate_limited_total: { type: "counter", help: "Requests over their budget", labels: ["budget"] },
  pbo_trust_state_age_seconds: {
    type: "gauge",
    help: "Time since this gateway last heard of keys and revocations",
  },
  pbo_consumer_pending: {
    type: "gauge",
    help: "Messages of a stream that this consumer has yet to be given",
    labels: ["consumer"],
  },
  pbo_consumer_ack_pending: {
    type: "gauge",
    help: "Messages given to processes and not yet acknowledged",
    labels: ["consumer"],
  },
  pbo_consumer_ack_pending_limit: {
    type: "gauge",
    help: "Most messages that may be unacknowledged; at it nothing more is given",
    labels: ["consumer"],
  },
  pbo_consumer_redelivered: {
    type: "gauge",
    help: "Unacknowledged messages that were given out more than once",
    labels: ["consumer"],
  },
  pbo_consumer_seen_timestamp_seconds: {
    type: "gauge",
    help: "When JetStream last answered for this consumer, which needs a leader",
    labels: ["consumer"],
  },
  pbo_mongodb_pool_wait_seconds_total: {
    type: "counter",
    help: "Time that operations waited for a free connection to MongoDB",
  },
  pbo_dependency_up: {
    type: "gauge",
    help: "1 while what this process needs can be reached",
    labels: ["dependency"],
  },
  pbo_ready: { type: "gauge", help: "1 while this process is ready" },
  pbo_build_info: { type: "gauge", help: "Version of this process", labels: ["version", "service"] },
} as const satisfies Record<string, MetricSpec>;

type MetricName = keyof typeof METRICS;
type Labels = Record<string, string>;

export type Metrics = {
  increment(name: MetricName, labels?: Labels, by?: number): void;
  set(name: MetricName, value: number, labels?: Labels): void;
  /** The trace becomes the exemplar of its bucket. */
  observe(name: MetricName, seconds: number, labels?: Labels, traceparent?: string | null): void;
  /** In OpenMetrics: Prometheus' own text format has no exemplars. */
  text(): Promise<string>;
  contentType: string;
};

export function createMetrics(process: string, options: { defaults?: boolean } = {}): Metrics {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  registry.setDefaultLabels({ process });
  if (options.defaults)
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  const made = new Map<string, Counter | Gauge | Histogram>();
  for (const [name, spec] of Object.entries(METRICS) as [string, MetricSpec][]) {
    const base = { name, help: spec.help, labelNames: [...(spec.labels ?? [])], registers: [registry] };
    const buckets = [...(spec.buckets ?? LATENCY_SECONDS)];
    if (spec.type === "counter") made.set(name, new Counter(base));
    else if (spec.type === "gauge") made.set(name, new Gauge(base));
    else made.set(name, new Histogram({ ...base, buckets, enableExemplars: true }));
  }

  return {
    increment: (name, labels = {}, by = 1) => (made.get(name) as Counter).inc(labels, by),
    set: (name, value, labels = {}) => (made.get(name) as Gauge).set(labels, value),
    observe: (name, value, labels = {}, traceparent = null) =>
      (made.get(name) as Histogram).observe({
        labels,
        value,
        exemplarLabels: traceparent ? { trace_id: traceIdOf(traceparent) } : {},
      }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
