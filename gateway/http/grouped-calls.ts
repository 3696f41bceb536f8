/**
 * Requests of a route that arrive together share one message to the service and one back: under load, a message for
 * each small request would cost more than its work.
 */
import { createBatcher } from "../../shared/batcher.ts";
import { AppError, errorCode } from "../../shared/errors.ts";
import type { GroupedAnswer, GroupedRequest } from "../../shared/moleculer/grouped-call.ts";

/** The size of the body limits how many requests share a message. */
export type GroupedCall = (request: GroupedRequest, bytes?: number) => Promise<GroupedAnswer>;

type SendGroup = (requests: GroupedRequest[]) => Promise<{ answers: GroupedAnswer[] }>;
type Sized = { request: GroupedRequest; bytes: number };

const MAX_GROUP = 64;
/** Half of the message limit, since other data is sent with the bodies. */
const MAX_GROUP_BYTES = 4 * 1_048_576;
/** A group in the service, a group being stored, a group in transit. */
const MAX_IN_FLIGHT = 3;
/** A frozen instance must not block calls that others would answer. */
const STALL = { afterMs: 1_000, most: 9 };
/** Plus the twelve seconds a call may take: within the fifteen in which every request is answered. */
const MAX_WAIT_MS = 2_500;
/** In memory with their bodies. More is no burst: the service must be hanging. */
const MAX_WAITING = 5_000;

const busy = () =>
  new AppError("Service.Unavailable", "The service is overloaded. Try again shortly.", {
    retryAfterSeconds: 1,
  });

export function createGroupedCall(send: SendGroup): GroupedCall {
  const groups = createBatcher<Sized, GroupedAnswer>({
    run: async (group) => (await send(group.map(({ request }) => request))).answers,
    maxBatch: MAX_GROUP,
    maxInFlight: MAX_IN_FLIGHT,
    stall: STALL,
    weightOf: ({ bytes }) => bytes,
    maxWeight: MAX_GROUP_BYTES,
    // A body can grow when it is serialised again (1e20 becomes 21 digits); only that request is refused.
    isOneItemsFault: (error) => errorCode(error) === "Request.TooLarge",
    queue: {
      maxWaiting: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
      refusal: busy,
    },
  });
  return (request, bytes = 0) => groups.add({ request, bytes });
}
