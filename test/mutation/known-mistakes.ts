/**
 * Mistakes that once passed every suite, and faults that once stopped the work for good: each with the tests that must
 * notice it now. Run by npm run mutate -- --known.
 */
import { REMOVED_FIXES } from "../chaos/lab/removed-fixes.rules.ts";
import type { SourceEdit } from "../support/source-edit.rules.ts";
import type { RelatedTests } from "./related-tests.ts";

export type KnownMistake = SourceEdit & { what: string; unit?: string; integration?: string };

const DELIVERIES = "services/delivery/records/delivery.repository.ts";
const CHANGES = "services/delivery/records/delivery-change.repository.ts";
const TASK = "services/delivery/attempt/attempt-task.ts";
const TRANSPORTER = "shared/moleculer/nats-transporter.ts";
const [NO_DEADLINE] = REMOVED_FIXES.deadlines.edits;
const [DEAD_ENDPOINT_KEPT, NO_LATE_ROUTE] = REMOVED_FIXES["asking-for-dead-endpoints"].edits;
const [NO_LEASE] = REMOVED_FIXES.leases.edits;
const ARRIVALS = "services/document/arrival.consumer.ts";
const OUTCOME_STORED = "  if (!(await deps.store(update, delivery))) return;\n";
const HEALTH_TOLD = '  deps.reportHealth(endpoint, outcome, next.status === "Exhausted");\n';
const DRAINED = "    await lifecycle.drain();\n";
const BROKER_STOPPED = "    await broker.stop();\n";

export const KNOWN_MISTAKES: readonly KnownMistake[] = [
  {
    what: "an outcome is stored whatever the status",
    file: CHANGES,
    from: '  status: "Pending",\n',
    to: "",
    integration: "delivery/record-fences",
  },
  {
    what: "an outcome is stored whatever the attempt count",
    file: CHANGES,
    from: "  attemptCount: (group[0]?.attemptNo ?? 0) - 1,\n",
    to: "",
    integration: "delivery/record-fences",
  },
  {
    what: "a claim takes what another process holds",
    file: DELIVERIES,
    from: 'status: "Pending", claimableAt: { $lte: new Date(atMs) } } as const',
    to: 'status: "Pending" } as const',
    integration: "delivery/record-fences",
  },
  {
    what: "a replay's cursor is moved without its claim",
    file: "services/delivery/replay/replay.repository.ts",
    from: "jobs.updateOne({ _id, claim }, { $set, $inc",
    to: "jobs.updateOne({ _id }, { $set, $inc",
    integration: "delivery/record-fences",
  },
  {
    what: "an attempt is made after its partition changed hands",
    file: TASK,
    from: "if (deps.partitions.epoch(delivery.partnerId) !== attempt.epoch)",
    to: "if (false)",
    unit: "delivery/run-attempts",
  },
  {
    what: "an attempt is made after its lease",
    file: TASK,
    from: "if (waitedMs > deps.config.deliveryLeaseMs / 3)",
    to: "if (false)",
    unit: "delivery/run-attempts",
  },
  {
    what: "what a redelivered message planned before is handed over once more",
    file: "services/delivery/intake/plan-deliveries.ts",
    from: "deps.handOver.give(atOnce.filter((_, index) => !before.has(index)));",
    to: "deps.handOver.give(atOnce);",
    unit: "delivery/plan-deliveries",
  },
  {
    what: "health is told before the outcome is stored",
    file: TASK,
    from: `${OUTCOME_STORED}${HEALTH_TOLD}`,
    to: `${HEALTH_TOLD}${OUTCOME_STORED}`,
    unit: "delivery/run-attempts",
  },
  {
    what: "a sweep never gets beyond its first page",
    file: "shared/outbox/outbox-sweep.ts",
    from: "page.map((outbox) => outbox.filter(hasId)),\n        pass.after,",
    to: "[],\n        pass.after,",
    unit: "shared/outbox-sweep",
  },
  {
    what: "a failed publish is remembered as sent",
    file: "shared/outbox/outbox-sender.ts",
    from: "if (memory.delete(eventId)) unsent.set(eventId, true);",
    to: "",
    unit: "shared/outbox-sweep",
  },
  {
    what: "a fault of the database makes a message poison",
    file: "shared/jetstream/jetstream-dispatch.ts",
    from: "!first.settled() && !isPassing(error)",
    to: "!first.settled()",
    unit: "shared/jetstream-dispatch",
  },
  {
    what: "nobody notices a silent consumer",
    file: "shared/jetstream/jetstream-pull.ts",
    from: 'if (asked > 0 && Date.now() - heardAt > SILENCE_MS) lost("silent");',
    to: "",
    unit: "shared/jetstream-pull",
  },
  {
    what: "a storage notice is acked though not settled",
    file: ARRIVALS,
    from: "if (!failed.has(message)) message.ack();",
    to: "message.ack();",
    unit: "document/arrival-consumer",
  },
  {
    what: "a storage notice settles the document of another key",
    file: "services/document/reconcile-document.ts",
    from: "if (!record || (notice && !isOf(record, notice))) return null;",
    to: "if (!record) return null;",
    unit: "document/reconcile-document",
  },
  {
    what: "two sweeps work on one document",
    file: "services/document/document.repository.ts",
    from: "{ ...unchanged(record), dueAt: record.dueAt },",
    to: "placeOf(record),",
    integration: "document/record-fences",
  },
  {
    what: "totals are not read at one snapshot",
    file: "services/delivery/history/history.repository.ts",
    from: "...edges, spans], SNAPSHOT)",
    to: "...edges, spans])",
    unit: "delivery/history-at-rest",
  },
  {
    what: "tallies stay when what they count expires",
    file: "services/delivery/history/tally.model.ts",
    from: 'tallySchema.index({ at: 1 }, { name: "expiry", expireAfterSeconds: RECORD_KEPT_SECONDS });\n',
    to: "",
    unit: "delivery/history-at-rest",
  },
  {
    what: "a stale trust view is believed for ever",
    file: "gateway/admit/trust.ts",
    from: "if (!view || performance.now() - view.at > MAX_AGE_MS)",
    to: "if (!view)",
    unit: "gateway/admit",
  },
  {
    what: "a group that is answered in part leaves callers hanging",
    file: "shared/batcher.ts",
    from: '      if (answers.length !== batch.length) throw new Error("A batch was answered only in part.");\n',
    to: "",
    unit: "shared/batcher",
  },
  {
    what: "a late write happens after it was said that nothing was changed",
    file: "services/delivery/records/insert-in-time.repository.ts",
    from: 'const inTime = { $lte: ["$$NOW", until] };',
    to: "const inTime = { $lte: [0, until] };",
    integration: "delivery/insert-in-time",
  },
  {
    what: "the broker is stopped before the drain",
    file: "shared/process/lifecycle.ts",
    from: `${DRAINED}${BROKER_STOPPED}`,
    to: `${BROKER_STOPPED}${DRAINED}`,
    unit: "shared/lifecycle",
  },
  {
    what: "a seal is not bound to its person",
    file: "services/profile/change/seal-people.ts",
    from: "field: `people.$" + "{uboId}.sealedNumbers`",
    to: 'field: "people.sealedNumbers"',
    unit: "profile/seal-people",
  },
  {
    what: "a list cursor may have a tail",
    file: "services/profile/record/list-filter.rules.ts",
    from: "cursor.length === 22 && isUuid(id)",
    to: "isUuid(id)",
    unit: "profile/list-filter",
  },
  {
    what: "an email in other letters is another person's",
    file: "services/auth-token/account/user.rules.ts",
    from: 'email.normalize("NFC").toLowerCase().normalize("NFC");',
    to: 'email.normalize("NFC");',
    unit: "auth-token/rules",
  },
  {
    what: "an endpoint is enabled without a look at its URL",
    file: "services/webhook-registry/enable-endpoint.ts",
    from: "  await checkUrl(deps, partnerId, endpoint.url);\n",
    to: "",
    integration: "webhook-registry/url-check",
  },
  {
    what: "failures are counted per IPv6 address",
    file: "shared/identity/address-key.ts",
    from: "if (isIP(address) !== 6) return address;",
    to: "if (isIP(address) > 0) return address;",
    unit: "gateway/admit",
  },
  {
    what: "an operation of MongoDB may take for ever",
    ...NO_DEADLINE,
    integration: "shared/mongo-deadlines",
  },
  {
    what: "connections that nobody uses are kept for ever",
    file: "shared/mongo/mongo.ts",
    from: "        maxIdleTimeMS: IDLE_MS,\n",
    to: "",
    integration: "shared/mongo-deadlines",
  },
  {
    what: "a broken socket is not the database being away",
    file: "shared/mongo/database-away.ts",
    from: " || BROKEN_SOCKET.has(code as string)",
    to: "",
    unit: "shared/database-away",
  },
  {
    what: "an endpoint that was dead decides after it was registered again",
    ...DEAD_ENDPOINT_KEPT,
    unit: "delivery/endpoint-directory",
  },
  {
    what: "nobody looks again at events that had no endpoint",
    ...NO_LATE_ROUTE,
    integration: "delivery/late-routes",
  },
  {
    what: "an attempt that was lost waits longer than its lease",
    ...NO_LEASE,
    unit: "delivery/plan-deliveries",
  },
  {
    what: "calls without an answer outlive their connection",
    file: TRANSPORTER,
    from: "    this.#rejectPending(() => true);\n",
    to: "",
    integration: "shared/nats-transporter",
  },
  {
    what: "a deadline is told in the caller's clock",
    file: TRANSPORTER,
    from: "endsAt: meta.endsAt + to.clockAheadMs",
    to: "endsAt: meta.endsAt",
    integration: "shared/nats-transporter",
  },
  {
    what: "readiness believes a dead connection between processes",
    file: TRANSPORTER,
    from: "return this.isUp() && performance.now() - this.#heardSelfAt < SILENCE_MS;",
    to: "return this.isUp();",
    integration: "shared/readiness",
  },
  {
    what: "readiness believes a dead connection to JetStream",
    file: "shared/moleculer/service.ts",
    from: "    beat.check();\n",
    to: "",
    integration: "shared/readiness",
  },
  {
    what: "a stream that gives out nothing is never rebuilt",
    file: "shared/jetstream/stream-health.rules.ts",
    from: "isBroken: nowMs - sinceMs >= patienceMs",
    to: "isBroken: false",
    integration: "shared/jetstream-faults",
  },
  {
    what: "a full disk ends the supervision of a process",
    file: "deploy/local/processes/managed-process.ts",
    from: "    try {\n      writePidFile(host.paths.pidFile(spec.name), identity);\n    } catch (error) {",
    to: "    writePidFile(host.paths.pidFile(spec.name), identity);\n    try {\n    } catch (error) {",
    unit: "local/full-disk",
  },
];

export const testsOf = ({ unit, integration }: KnownMistake): RelatedTests => ({
  unit: unit ? [`test/unit/${unit}.test.ts`] : [],
  integration: integration ? [`test/integration/${integration}.test.ts`] : [],
});
