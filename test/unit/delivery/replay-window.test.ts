import { describe, expect, jest, test } from "@jest/globals";
import { usualEnd } from "../../../services/delivery/records/in-time.ts";
import type { ReplayJob } from "../../../services/delivery/replay/replay-job.model.ts";
import { replayWindow } from "../../../services/delivery/replay/replay-window.ts";
import type { DeliveryEndpoint } from "../../../shared/contract/actions/webhook-registry.ts";

const NOW = Date.parse("2026-01-31T12:00:00.000Z");
const endpoint: DeliveryEndpoint = {
  endpointId: "e",
  partnerId: "p",
  url: "https://example.com",
  status: "Active",
  consecutiveFailures: 0,
  disabledAt: null,
  liveSince: "2026-01-01T00:00:00.000Z",
  secrets: [],
};
const anEvent = {
  _id: "event",
  partnerId: "p",
  eventType: "business.profile.created",
  eventVersion: 1,
  customerId: null,
  occurredAt: new Date(NOW - 1_000),
};

/** A window of so many chunks of one failed event each; every query takes as long as is said. */
function aDispatcher({ chunks, queryMs }: { chunks: number; queryMs: number }) {
  let passedMs = 0;
  const added: ReplayJob[] = [];
  const queried: string[] = [];
  const takes = (name: string) => {
    queried.push(name);
    passedMs += queryMs;
  };
  let left = chunks;
  const deps: Parameters<typeof replayWindow>[0] = {
    replays: {
      last: async () => added.at(-1) ?? null,
      add: async (job) => {
        if (added.some(({ number }) => number === job.number)) return false;
        added.push(job);
        return true;
      },
      async count() {
        takes("count");
        return chunks;
      },
      async eventsAfter() {
        takes("eventsAfter");
        left -= 1;
        return left >= 0 ? [anEvent] : [];
      },
      async deliveriesOf() {
        takes("deliveriesOf");
        const at = new Date(NOW - 500);
        return [{ eventId: anEvent._id, createdAt: at, status: "Exhausted", completedAt: at }];
      },
    },
    directory: { find: async () => endpoint, forget: () => undefined },
    onJob: () => undefined,
    clock: { now: () => NOW },
    monotonic: { now: () => passedMs },
  };
  return { deps, added, queried };
}

const window = { from: new Date(NOW - 60_000).toISOString(), to: new Date(NOW).toISOString() };
const tooLate = { type: "Webhook.DispatcherUnavailable", code: 503, data: { retryAfterSeconds: 1 } };

test("a caller that names no end is answered within two seconds", () => {
  jest.useFakeTimers();
  expect(usualEnd()).toBe(performance.now() + 2_000);
  jest.useRealTimers();
});

describe("replayWindow", () => {
  test("counted in time: adds one job and says how many deliveries it makes", async () => {
    const { deps, added } = aDispatcher({ chunks: 3, queryMs: 100 });
    expect(await replayWindow(deps, "p", { ...window, status: "Exhausted" })).toEqual({
      created: 3,
      replaySeries: added[0]?._id,
    });
    expect(added).toHaveLength(1);
  });

  test("two simultaneous window replays: the second is refused or answered alike", async () => {
    const { deps, added } = aDispatcher({ chunks: 1, queryMs: 1 });
    const other = { ...window, from: new Date(NOW - 70_000).toISOString() };
    const [first, second, third] = await Promise.allSettled([
      replayWindow(deps, "p", window),
      replayWindow(deps, "p", other),
      replayWindow(deps, "p", window),
    ]);
    expect(added).toHaveLength(1);
    expect(second).toMatchObject({ status: "rejected", reason: { type: "Webhook.ReplayUnderway" } });
    expect(third).toEqual(first);
  });

  test("two seconds passed while counting by status: refuses, counts no further and adds nothing", async () => {
    const { deps, added, queried } = aDispatcher({ chunks: 1_000, queryMs: 500 });
    await expect(replayWindow(deps, "p", { ...window, status: "Exhausted" })).rejects.toMatchObject(tooLate);
    expect(added).toEqual([]);
    expect(queried).toHaveLength(4);
  });

  test("two seconds passed in the one query that counts all: refuses and adds nothing", async () => {
    const { deps, added } = aDispatcher({ chunks: 3, queryMs: 2_000 });
    await expect(replayWindow(deps, "p", window)).rejects.toMatchObject(tooLate);
    expect(added).toEqual([]);
  });
});
