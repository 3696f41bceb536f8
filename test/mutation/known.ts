/** Mistakes that once passed every suite, each with the suite that must notice it now: npm run mutate -- --known. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { edited } from "../support/source-edit.rules.ts";
import type { Job } from "./judge-group.ts";

const DELIVERIES = "services/delivery/records/delivery.repository.ts";
const ATTEMPT = "services/delivery/attempt/attempt-task.ts";
const MONGO = "shared/mongo/mongo.ts";
const NATS = "shared/moleculer/nats-transporter.ts";
const STORE = "if (!(await deps.store(attempted(";

/** A mistake, its suite, its file, a text that occurs once in the file, and what takes its place. */
const KNOWN = `
x01b: writes do not wait for the journal | integration/shared/write-concern | ${MONGO} | journal: true | journal: false
a08: an assertion id is stored on one server | integration/auth/token-replay | services/auth-token/token/used-assertion.repository.ts | collection, assertions) | collection, assertions, { writeConcern: { w: 1 } })
a09: a write without its majority is a duplicate | integration/shared/write-concern | ${MONGO} | result?.getWriteConcernError() === undefined | true
g06: a planted second cookie is believed | integration/auth/session | gateway/admit/session.ts | values.length === 1 | true
y01: a total ignores the filter | integration/profile/list | services/profile/record/profile.repository.ts | countDocuments(filterQuery(partnerId, filter, null, nowIso) | countDocuments({ partnerId }
g15: all people share a budget | unit/gateway/rate-limit | gateway/admit/rate-limit.ts | : caller.userId | : caller.kind
a13: a session is last seen in the past | integration/auth/record-fences/sessions | services/auth-token/session/session.repository.ts | $max | $set
an outcome is stored whatever the status | integration/delivery/record-fences | ${DELIVERIES} | attemptCount: (group | status: { $exists: true }, attemptCount: (group
an outcome is stored whatever the attempt count | integration/delivery/record-fences | ${DELIVERIES} | attemptCount: (group[0]?.attemptNo ?? 0) - 1 | attemptCount: { $gte: 0 }
a claim takes what another process has claimed | integration/delivery/record-fences | ${DELIVERIES} | status: "Pending", claimableAt: { $lte: new Date(atMs) } } | status: "Pending" }
a replay's cursor is moved without its claim | integration/delivery/record-fences | services/delivery/replay/replay.repository.ts | { _id, claim }, { $set, $inc | { _id }, { $set, $inc
an attempt is made after its partition changed hands | unit/delivery/run-attempts | ${ATTEMPT} | partitions.epoch(delivery.partnerId) !== attempt.epoch | false
an attempt is made after its lease | unit/delivery/run-attempts | ${ATTEMPT} | waitedMs > config.deliveryLeaseMs / 3 | false
health is reported before the outcome is stored | unit/delivery/run-attempts | ${ATTEMPT} | ${STORE} | deps.reportHealth(endpoint, outcome, false); ${STORE}
a redelivered message hands its deliveries over again | unit/delivery/schedule-deliveries | services/delivery/intake/schedule-deliveries.ts | give(immediate.filter((_, index) => !before.has(index))) | give(immediate)
a sweep never gets beyond its first page | unit/shared/outbox-sweep | shared/outbox/outbox-sweep.ts | page.map((outbox) => outbox.filter(hasId)), | [],
a failed publish is remembered as sent | unit/shared/outbox | shared/outbox/outbox-sender.ts | } catch { | } catch { return false;
a fault of the database makes a message poison | unit/shared/jetstream-dispatch | shared/jetstream/jetstream-dispatch.ts | !first.settled() && !isPassing(error) | !first.settled()
a silent consumer is not noticed | unit/shared/jetstream-pull | shared/jetstream/jetstream-pull.ts | Date.now() - heardAt > SILENCE_MS | false
a notification is acknowledged though its document failed | unit/document/arrival-consumer | services/document/arrival.consumer.ts | if (!failed.has(message)) message.ack() | message.ack()
a notification settles the document of another key | unit/document/arrival-consumer | services/document/reconcile-document.ts | !record || (notification && !isOf(record, notification)) | !record
two sweeps work on one document | integration/document/record-fences | services/document/document.repository.ts | { ...unchanged(record), dueAt: record.dueAt }, | placeOf(record),
totals are not read at one snapshot | unit/delivery/history-at-rest | services/delivery/history/history.repository.ts | spans], SNAPSHOT) | spans])
tallies stay when their deliveries expire | unit/delivery/history-at-rest | services/delivery/collections.ts | { key: { at: 1 }, name: "expiry", expireAfterSeconds: RECORD_KEPT_SECONDS }, |
a stale view of trust is believed | unit/gateway/admit | gateway/admit/trust.ts | performance.now() - view.at > MAX_AGE_MS | false
a group that is answered in part leaves callers waiting | unit/shared/batcher | shared/batcher.ts | answers.length !== batch.length | false
the broker is stopped before the drain | unit/shared/lifecycle | shared/process/lifecycle.ts | await lifecycle.drain(); | await broker.stop(); await lifecycle.drain();
a seal is not bound to its person | unit/profile/customer-key | services/profile/change/seal-people.ts | people.\${uboId} | people
an email in other letters is another person's | unit/auth-token/rules | services/auth-token/account/user.rules.ts | .toLowerCase().normalize("NFC") |
an endpoint is enabled without a check of its URL | integration/webhook-registry/url-check | services/webhook-registry/enable-endpoint.ts | await checkUrl(deps, partnerId, endpoint.url); |
failures are counted per IPv6 address | unit/gateway/admit | shared/identity/address-key.ts | isIP(address) !== 6 | isIP(address) > 0
a broken socket is not the database being away | unit/shared/database-away | shared/mongo/database-away.ts | || BROKEN_SOCKET.has(code as string) |
a deadline is sent in the caller's clock | integration/shared/nats-transporter | ${NATS} | + peer.clockAheadMs |
a code is refused in the last millisecond of its step | unit/auth-token/totp.rules | services/auth-token/session/totp.rules.ts | [-STEP_MS, 0, STEP_MS] | [-STEP_MS, 1, STEP_MS]
a text is read as a number | unit/gateway/read-json | gateway/http/read-json.rules.ts | !token.startsWith('"') | true
a stop leaves a failed batch behind | unit/shared/jetstream-dispatch | shared/jetstream/jetstream-dispatch.ts | await settleFailed | void settleFailed
readiness believes a dead connection between processes | integration/shared/readiness | ${NATS} | && performance.now() - at < SILENCE_MS |
`;

export const knownJobs = (root: string): Job[] =>
  KNOWN.trim()
    .split("\n")
    .map((row) => jobOf(root, row));

/** A column ends with a single bar: two are an operator of the code. */
function jobOf(root: string, row: string): Job {
  const [what = "", suite = "", file = "", from = "", to = ""] = row
    .split(/(?<!\|)\|(?!\|)/)
    .map((text) => text.trim());
  const project = suite.startsWith("unit/") ? "unit" : "integration";
  return {
    file,
    operator: "known",
    place: what,
    line: 0,
    text: `${from} → ${to}`,
    source: edited(readFileSync(join(root, file), "utf8"), { file, from, to }),
    tests: { unit: [], integration: [], [project]: [`test/${suite}.test.ts`] },
  };
}
