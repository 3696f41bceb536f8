/** Records a webhook.test event and sends it like any other event. */
import { TEST_MESSAGE } from "../../../shared/contract/answers/webhook.ts";
import { outboxEntry } from "../../../shared/contract/events.ts";
import { withDeadline } from "../../../shared/deadline.ts";
import { AppError, isAppError, outcomeUnknown } from "../../../shared/errors.ts";
import { type CallMeta, isTestCaller } from "../../../shared/identity/caller.ts";
import { isDatabaseAway } from "../../../shared/mongo/database-away.ts";
import { retry } from "../../../shared/retry.ts";
import { type EndpointDirectory, liveEndpoint } from "../endpoint/endpoint-directory.ts";
import type { EventRepository } from "../records/event.repository.ts";
import { parseEvent } from "../records/event.rules.ts";
import { readInTime, usualEnd, writeInTime } from "../records/in-time.ts";
import { type RouteDeps, routeTo } from "./route-late.ts";

/** Goes on after the caller was answered; an attempt of it ends after ten seconds. */
const ROUTING = { firstWaitMs: 250, maxWaitMs: 1_000, withinMs: 15_000, isPassing: isDatabaseAway };

type Deps = RouteDeps & {
  directory: Pick<EndpointDirectory, "find" | "forget">;
  events: Pick<EventRepository, "record">;
};

export async function sendTest(
  deps: Deps,
  partnerId: string,
  meta: Pick<CallMeta, "requestId" | "traceparent" | "endsAt" | "caller">,
): Promise<{ eventId: string }> {
  const { requestId, traceparent, endsAt = usualEnd() } = meta;
  const { directory, events, clock } = deps;
  const { endpointId } = await readInTime(liveEndpoint(directory, partnerId), endsAt);
  const correlation = {
    correlationId: requestId,
    requestId,
    customerId: null,
    partnerCustomerId: null,
    sequence: null,
  };
  const data = { message: TEST_MESSAGE };
  const isTest = isTestCaller(meta);
  const entry = outboxEntry(
    { eventType: "webhook.test", partnerId, correlation, data, traceparent, isTest },
    clock,
  );
  const parsed = parseEvent(entry.body, entry.traceparent, new Date(clock.now()));
  if ("malformed" in parsed) throw testRejected(new Error(parsed.malformed));
  try {
    await writeInTime(() => events.record([{ ...parsed.event, endpointId: null }]), endsAt);
  } catch (error) {
    if (isAppError(error)) throw error;
    throw testRejected(error);
  }
  // Recorded: it is sent within half a minute. If this process dies, the sweep of unrouted events sends it.
  const routed = retry(() => routeTo(deps, [parsed.event], { endpointId, partnerId }), ROUTING);
  await withDeadline(routed, endsAt - performance.now()).catch((error) => {
    throw outcomeUnknown(error);
  });
  return { eventId: entry.eventId };
}

const testRejected = (cause: unknown): AppError =>
  new AppError("Webhook.TestFireRejected", "The test event could not be recorded.", { cause });
