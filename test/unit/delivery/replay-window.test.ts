import { describe, expect, test } from "@jest/globals";
import type { ReplayJob } from "../../../services/delivery/replay/replay-job.model.ts";
import { replayWindow } from "../../../services/delivery/replay/replay-window.ts";
import { anEndpoint, anEvent } from "../../support/builders/delivery-records.ts";

const NOW = Date.parse("2026-01-31T12:00:00.000Z");
const event = anEvent({ occurredAt: new Date(NOW - 1_000) });

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
      last: async () => null,
      add: async (job) => added.push(job) > 0,
      async count() {
        takes("count");
        return chunks;
      },
      async eventsAfter() {
        takes("eventsAfter");
        left -= 1;
        return left >= 0 ? [event] : [];
      },
      async deliveriesOf() {
        takes("deliveriesOf");
        const at = new Date(NOW - 500);
        return [{ eventId: event._id, createdAt: at, status: "Exhausted", completedAt: at }];
      },
    },
    directory: { find: async () => anEndpoint(), forget: () => undefined },
    onJob: () => undefined,
    clock: { now: () => NOW },
    monotonic: { now: () => passedMs },
  };
  return { deps, added, queried };
}

const window = { from: new Date(NOW - 60_000).toISOString(), to: new Date(NOW).toISOString() };
const tooLate = { type: "Webhook.DispatcherUnavailable", code: 503, data: { retryAfterSeconds: 1 } };

describe("replayWindow", () => {
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
