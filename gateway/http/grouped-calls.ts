/**
 * Requests of one route that arrive together travel together: one message to the service and one back. Where many
 * small requests come at once, a message each would cost more than the work itself.
 */
import { createBatcher } from "../../shared/batcher.ts";
import { errorCode, unavailable } from "../../shared/errors.ts";
import type { GroupedAnswer, GroupedRequest } from "../../shared/moleculer/grouped-call.ts";

/** The size of the request's body decides how many can share a message. */
export type GroupedCall = (request: GroupedRequest, bytes?: number) => Promise<GroupedAnswer>;

type SendGroup = (requests: GroupedRequest[]) => Promise<{ answers: GroupedAnswer[] }>;
type Sized = { request: GroupedRequest; bytes: number };

const MAX_GROUP = 64;
/** Half of what a message may hold, since other things travel with the bodies. */
const MAX_GROUP_BYTES = 4 * 1_048_576;
/** One that the service works on, one that the database stores, one on its way; meanwhile the next gathers. */
const MAX_IN_FLIGHT = 3;
/** Together with the twelve seconds that a call may take, less than the fifteen within which everybody is answered. */
const MAX_WAIT_MS = 2_500;
/** All are held in memory with their bodies; so many are no burst any more, the service hangs. */
const MAX_WAITING = 5_000;

export function createGroupedCall(send: SendGroup): GroupedCall {
  const groups = createBatcher<Sized, GroupedAnswer>({
    run: async (group) => (await send(group.map(({ request }) => request))).answers,
    maxBatch: MAX_GROUP,
    maxInFlight: MAX_IN_FLIGHT,
    weightOf: ({ bytes }) => bytes,
    maxWeight: MAX_GROUP_BYTES,
    // A body can grow when it is written again (1e20 becomes 21 digits); nobody is refused for another's.
    isOneItemsFault: (error) => errorCode(error) === "Request.TooLarge",
    queue: {
      maxWaiting: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
      refusal: () => unavailable("A part of the service"),
    },
  });
  return (request, bytes = 0) => groups.add({ request, bytes });
}
