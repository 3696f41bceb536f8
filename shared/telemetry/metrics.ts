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

/** Each sample wakes an idle process. The reported lag is never less than this. */
const EVENT_LOOP_SAMPLE_MS = 200;
/** 0.3 is what the objectives of creates and tokens promise. */
const LATENCY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.3, 0.5, 1, 2.5, 5, 10, 15];
/** 5 is what the objective of first attempts promises. */
const FIRST_ATTEMPT_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800];
const ARRIVAL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 1_800];

const counter = (help: string, ...labels: string[]) => ({ type: "counter" as const, help, labels });
const gauge = (help: string, ...labels: string[]) => ({ type: "gauge" as const, help, labels });
const histogram = (buckets: number[], help: string, ...labels: string[]) => ({
  type: "histogram" as const,
  help,
  labels,
  buckets,
});

export const METRICS = {
  http_server_request_duration_seconds: histogram(
    LATENCY_SECONDS,
    "HTTP requests answered by the gateway",
    ...["method", "route", "status"],
  ),
  pbo_action_duration_seconds: histogram(LATENCY_SECONDS, "Actions of this process", "action", "result"),
  pbo_outbox_pending: gauge("Unpublished events in outboxes; reported by a single process, 0 in the others"),
  pbo_outbox_oldest_age_seconds: gauge(
    "Age of the oldest event in an outbox; reported by a single process, 0 in the others",
  ),
  pbo_outbox_unconfirmed: gauge("Published events that are older than a minute and not yet confirmed"),
  pbo_outbox_republished_total: counter("Events published again by the sweep"),
  pbo_outbox_last_sweep_timestamp_seconds: gauge("Time of the last complete sweep of the outboxes"),
  pbo_events_consumed_total: counter("Events received from JetStream", "result"),
  pbo_lane_abandoned_total: counter("Work abandoned by its lane because it did not end in time", "lane"),
  pbo_stream_rebuilt_total: counter("Streams recreated because they delivered nothing", "stream"),
  pbo_partitions_unheld: gauge("Partitions without an owner at the last check; their work waits"),
  pbo_dead_letters_total: counter("Messages stored as dead letters", "consumer"),
  pbo_delivery_due: gauge("Due deliveries in this process's partitions; counted up to 10,000"),
  pbo_delivery_oldest_due_age_seconds: gauge("Age of the oldest due delivery in this process's partitions"),
  pbo_delivery_attempts_total: counter(
    "Webhook requests by outcome; healthy: the receiver's last answers were good",
    ...["outcome", "attempt", "receiver"],
  ),
  pbo_delivery_first_attempt_seconds: histogram(
    FIRST_ATTEMPT_SECONDS,
    "Time from the change to its first webhook request",
    "receiver",
  ),
  pbo_delivery_attempt_duration_seconds: histogram(
    LATENCY_SECONDS,
    "Webhook requests, from the first byte to the answer",
  ),
  pbo_delivery_dead_total: counter("Deliveries that used up their attempts"),
  pbo_delivery_in_hand: gauge("Webhook attempts in flight in this process"),
  pbo_ssrf_blocked_total: counter("Webhook URLs refused because their address is not public", "place"),
  pbo_documents_settled_total: counter(
    "Documents confirmed, rejected, superseded or found missing",
    ...["status", "reason"],
  ),
  pbo_document_arrival_seconds: histogram(
    ARRIVAL_SECONDS,
    "Time from the end of an upload to its confirmation",
  ),
  pbo_document_scans_total: counter(
    "Malware scans by verdict; failed: no verdict, the scan is repeated",
    "result",
  ),
  pbo_documents_due: gauge("Documents whose next check by the sweep is overdue"),
  pbo_documents_last_sweep_timestamp_seconds: gauge("Time of the last complete document sweep"),
  pbo_auth_failures_total: counter("Refused tokens, sessions, logins and token requests", "reason"),
  pbo_tokens_issued_total: counter("Access tokens issued"),
  pbo_request_log_dropped_total: counter("Requests missing from partners' request logs: too many or unsent"),
  pbo_rate_limited_total: counter("Requests over their budget", "budget"),
  pbo_trust_state_age_seconds: gauge("Age of this gateway's keys and revocations"),
  pbo_consumer_pending: gauge("Messages of a stream not yet delivered to this consumer", "consumer"),
  pbo_consumer_ack_pending: gauge("Delivered messages not yet acknowledged", "consumer"),
  pbo_consumer_ack_pending_limit: gauge(
    "Largest number of unacknowledged messages; at it delivery stops",
    "consumer",
  ),
  pbo_consumer_redelivered: gauge("Unacknowledged messages that were delivered more than once", "consumer"),
  pbo_consumer_seen_timestamp_seconds: gauge(
    "Time of JetStream's last answer for this consumer, which needs a leader",
    "consumer",
  ),
  pbo_mongodb_pool_wait_seconds_total: counter("Time that operations waited for a free MongoDB connection"),
  pbo_dependency_up: gauge("1 while a dependency of this process can be reached", "dependency"),
  pbo_ready: gauge("1 while this process is ready"),
  pbo_build_info: gauge("Version of this process", "version", "service"),
};

type MetricName = keyof typeof METRICS;
type Labels = Record<string, string>;

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(process: string, { defaults = false } = {}) {
  const register = new Registry<OpenMetricsContentType>();
  register.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  register.setDefaultLabels({ process });
  if (defaults) collectDefaultMetrics({ register, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  const made = new Map<string, Counter | Gauge | Histogram>();
  for (const [name, row] of Object.entries(METRICS)) {
    const options = { name, help: row.help, labelNames: row.labels, registers: [register] };
    if (row.type === "counter") made.set(name, new Counter(options));
    else if (row.type === "gauge") made.set(name, new Gauge(options));
    else made.set(name, new Histogram({ ...options, buckets: [...row.buckets], enableExemplars: true }));
  }

  return {
    increment: (name: MetricName, labels: Labels = {}, by = 1): void =>
      (made.get(name) as Counter).inc(labels, by),
    set: (name: MetricName, value: number, labels: Labels = {}): void =>
      (made.get(name) as Gauge).set(labels, value),
    /** The trace becomes the exemplar of its bucket. */
    observe(name: MetricName, value: number, labels: Labels = {}, traceparent: string | null = null): void {
      const exemplarLabels = traceparent ? { trace_id: traceIdOf(traceparent) } : {};
      (made.get(name) as Histogram).observe({ labels, value, exemplarLabels });
    },
    /** In OpenMetrics: Prometheus' own text format has no exemplars. */
    text: (): Promise<string> => register.metrics(),
    contentType: register.contentType,
  };
}
