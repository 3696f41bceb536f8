/** Batches the requests of a route: those that arrive together share one message to the service and back. */
import { errorCode, unavailable } from "../../shared/errors.ts";
import type { GroupedAnswer, GroupedRequest } from "../../shared/moleculer/grouped-call.ts";

/** The size of the request's body decides how many can share a message. */
export type GroupedCall = (request: GroupedRequest, bytes?: number) => Promise<GroupedAnswer>;

type SendGroup = (requests: GroupedRequest[]) => Promise<{ answers: GroupedAnswer[] }>;
type Waiting = {
  request: GroupedRequest;
  bytes: number;
  refuseAt: number;
  resolve(answer: GroupedAnswer): void;
  reject(error: unknown): void;
};

const MAX_GROUP = 64;
/** Half of what a message may hold, since other things travel with the bodies. */
const MAX_GROUP_BYTES = 4 * 1_048_576;
/** One that the service works on, one that the database stores, one on its way; meanwhile the next gathers. */
const UNDER_WAY = 3;
/** Together with the twelve seconds that a call may take, less than the fifteen within which everybody is answered. */
const MAX_WAIT_MS = 2_500;
/** All are held in memory with their bodies; so many are no burst any more, the service hangs. */
const MAX_WAITING = 5_000;

export function createGroupedCall(send: SendGroup): GroupedCall {
  const waiting: Waiting[] = [];
  let underWay = 0;
  let isGathering = false;
  let refusal: NodeJS.Timeout | undefined;

  const sendNext = async (): Promise<void> => {
    isGathering = false;
    // All can have been refused since this was planned.
    if (waiting.length === 0) return;
    const group = waiting.splice(0, groupSize(waiting));
    underWay += 1;
    gather();
    await sendGroup(send, group);
    underWay -= 1;
    gather();
  };

  /** After this turn of the loop, so that requests that came in together go together. */
  function gather(): void {
    if (isGathering || waiting.length === 0) return;
    if (underWay < UNDER_WAY) {
      isGathering = true;
      setImmediate(sendNext);
    } else planRefusal();
  }

  /** One timer for all: they wait in the order in which their time is up. */
  function planRefusal(): void {
    const [longest] = waiting;
    if (refusal || !longest) return;
    refusal = setTimeout(refuseLate, longest.refuseAt - performance.now());
    refusal.unref();
  }

  function refuseLate(): void {
    refusal = undefined;
    const now = performance.now();
    const inTime = waiting.findIndex(({ refuseAt }) => refuseAt > now);
    const late = waiting.splice(0, inTime === -1 ? waiting.length : inTime);
    for (const { reject } of late) reject(refused());
    planRefusal();
  }

  return (request, bytes = 0) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= MAX_WAITING) return reject(refused());
      waiting.push({ request, bytes, refuseAt: performance.now() + MAX_WAIT_MS, resolve, reject });
      gather();
    });
}

const refused = () => unavailable("A part of the service");

async function sendGroup(send: SendGroup, group: readonly Waiting[]): Promise<void> {
  try {
    const { answers } = await send(group.map(({ request }) => request));
    if (answers.length !== group.length) throw new Error("A group of calls was answered only in part.");
    for (const [index, answer] of answers.entries()) group[index]?.resolve(answer);
  } catch (error) {
    // A body can grow when it is written again (1e20 becomes 21 digits); nobody is refused for another's.
    if (errorCode(error) === "Request.TooLarge" && group.length > 1)
      await Promise.all(group.map((each) => sendGroup(send, [each])));
    else for (const each of group) each.reject(error);
  }
}

function groupSize(waiting: readonly Waiting[]): number {
  let bytes = 0;
  const end = waiting.findIndex((each, index) => {
    bytes += each.bytes;
    return index === MAX_GROUP || (index > 0 && bytes > MAX_GROUP_BYTES);
  });
  return end === -1 ? waiting.length : end;
}
