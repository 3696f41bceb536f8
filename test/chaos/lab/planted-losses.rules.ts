/** Losses that no released version had: each is a hole that a check of the laboratory must close. */
import { edit, type SourceEdit } from "../../support/source-edit.rules.ts";
import type { FaultKind } from "./faults.rules.ts";

const plant = <K extends FaultKind>(shows: string, only: readonly K[], ...edits: SourceEdit[]) => ({
  ...{ shows, only, edits },
});

/** Few faults, so that a round is short; which ones hardly matters to most losses. */
const EASY = ["receiver-slow", "link-cut", "link-half-close"] as const;
const BAD_ANSWERS = ["receiver-500", "receiver-429"] as const;

const CREATE = "services/profile/change/store-profile.ts";
const CHANGES = "services/profile/change/update-own.ts";
const ARRIVAL = "services/document/judge-arrival.ts";
const SEND = "services/delivery/send/send-attempt.ts";
const TRANSMIT = "return finish(answered(await transmit({ url, headers, body }), clock.now()));";
const STORE = "wasAsked = true;\n    return tryToStore(deps, profile);";

export const PLANTED_LOSSES = {
  "delivered-without-2xx": plant(
    "delivered without an answer 2xx",
    BAD_ANSWERS,
    edit(
      "services/delivery/records/attempt-outcome.rules.ts",
      "if (statusCode >= 200 && statusCode < 300) return",
      "if (statusCode >= 200) return",
    ),
  ),
  "lost-change-event": plant(
    "an acknowledged change without its event",
    EASY,
    edit(
      "services/profile/change/profile-events.rules.ts",
      "if (changes.fields.length > 0)",
      "if (changes.fields.length > 0 && before.version !== 2)",
    ),
  ),
  "lost-upload": plant(
    "uploads are not confirmed|uploaded and not kept: .* is AwaitingUpload",
    EASY,
    edit(
      "services/document/arrival.consumer.ts",
      "for (const notification of notifications) {",
      "for (const notification of notifications) {\n      if (/[0-7]$/.test(notification.documentId)) continue;",
    ),
    edit("services/document/sweep.ts", "return findArrival(deps, record);", "return undefined;"),
  ),
  "lost-file": plant("uploaded and not kept", EASY, edit(ARRIVAL, "if (!isKept) await deps", "await deps")),
  "wrong-sha256": plant(
    "uploaded and not kept: .* another SHA-256",
    EASY,
    edit(ARRIVAL, "sha256: verdict.sha256 }", 'sha256: verdict.sha256.replace(/^./, "g") }'),
  ),
  "window-ends-early": plant(
    "a window replay answered 200 and not done: .* left out",
    EASY,
    edit(
      "services/delivery/replay/replay-chunk.ts",
      "const EVENTS_PER_CHUNK = 500;",
      "const EVENTS_PER_CHUNK = 3;",
    ),
    edit(
      "services/delivery/replay/run-replay-jobs.ts",
      "if (isLast || !keeps) return false;",
      "if (isLast || !keeps) return true;",
    ),
  ),
  "replay-not-sent": plant(
    "a replay answered 200 and not sent",
    EASY,
    edit(
      "services/delivery/replay/replay-delivery.ts",
      "return replayOf(event, { ...target, ...dueAt(now) }, orderedId(now));",
      `const { queue: _, claimableAt: __, ...sent } = replayOf(event, { ...target, ...dueAt(now) }, orderedId(now));
  return { ...sent, status: "Delivered", nextAttemptAt: null, completedAt: new Date(now) };`,
    ),
  ),
  "sent-twice": plant(
    "deliveries received more than once",
    EASY,
    edit(SEND, TRANSMIT, `await transmit({ url, headers, body });\n        ${TRANSMIT}`),
  ),
  /** Only events of the partner whose endpoint a fault disables, at any time. */
  "lost-before-gone": plant(
    "recorded without a delivery|recorded and never received",
    ["receiver-gone"],
    edit(
      "services/delivery/intake/schedule-deliveries.ts",
      "endpointId: isLive(endpoint) ? endpoint.endpointId : null",
      'endpointId: isLive(endpoint) && !(endpoint.url.endsWith("/1") && /[0-3]$/.test(event._id)) ? endpoint.endpointId : null',
    ),
    edit(
      "services/delivery/intake/route-late.ts",
      "partners = await deps.events.unroutedPartners();",
      "partners = [];",
    ),
  ),
  "partial-unknown-create": plant(
    "created in part",
    EASY,
    edit(
      CREATE,
      "await profiles.insert(profile);",
      `const isCut = profile.people.length > 1 && /[0-3]$/.test(profile._id);
    await profiles.insert(isCut ? { ...profile, people: profile.people.slice(1) } : profile);
    if (isCut) throw outcomeUnknown();`,
    ),
  ),
  "slow-first-create": plant(
    "work resumed late",
    ["mongod-kill"],
    edit(CREATE, "const RETRY = {", "const refusing = { untilMs: 0 };\nconst RETRY = {"),
    edit(
      CREATE,
      "if (!deps.profiles.isReachable()) throw",
      `if (!deps.profiles.isReachable()) refusing.untilMs = Date.now() + 12_000;
    if (Date.now() < refusing.untilMs) throw`,
    ),
  ),
  /** Right again when all is quiet. */
  "wrong-total": plant(
    "a wrong total of the history",
    BAD_ANSWERS,
    edit(
      "services/delivery/history/history.repository.ts",
      "const uncounted = historyQuery(partnerId, filter, [false], spanOf(filter));",
      'const uncounted = { ...historyQuery(partnerId, filter, [false], spanOf(filter)), status: "Delivered" };',
    ),
  ),
  "many-503": plant(
    "refused or unknown: ",
    BAD_ANSWERS,
    edit(CREATE, STORE, `if (Math.random() < 0.15) throw unavailable("The database");\n    ${STORE}`),
  ),
  "late-answers": plant(
    "answered later than 15 s",
    EASY,
    edit(
      "gateway/serve-route.ts",
      "if (answer.error) throw",
      `if (row.action === "profile.get" && Math.random() < 0.1) await new Promise((done) => setTimeout(done, 16_500));
    if (answer.error) throw`,
    ),
  ),
  "flapping-readiness": plant(
    "became unready .* times without a fault on it",
    EASY,
    edit(
      "shared/health.ts",
      "return { ready:",
      'if (Date.now() % 8_000 < 1_500) all.planted = "no";\n      return { ready:',
    ),
  ),
  /** Webhooks stand while a process that does not send them is unready. */
  "hidden-standstill": plant(
    "deliveries pend: no progress",
    ["link-cut-off"],
    edit(
      SEND,
      TRANSMIT,
      `await new Promise((done) => setTimeout(done, 14_000 - (Date.now() % 14_000)));\n        ${TRANSMIT}`,
    ),
  ),
  "ignored-version": plant(
    "two changes of one version succeeded",
    EASY,
    edit(CHANGES, "if (ifMatch === null) return;", "if (ifMatch !== undefined) return;"),
  ),
  "forgotten-key": plant(
    "answered neither 200 nor 503: .*keyed create",
    EASY,
    edit(
      "services/profile/change/create-profile.ts",
      "const kept = keyed && keptAnswer(cipher, customerId, keyed, answer, at);",
      "const kept = null;",
    ),
  ),
} as const;
