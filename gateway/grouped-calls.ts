/**
 * Requests of one route that arrive together travel together: one message to the service and one back. Where many
 * small requests come at once, a message each would cost more than the work itself.
 */
import type { GroupedAnswer, GroupedRequest } from "../shared/grouped-call.ts";

/** The size of the request's body decides how many can share a message. */
export type GroupedCall = (request: GroupedRequest, bytes?: number) => Promise<GroupedAnswer>;

type SendGroup = (requests: GroupedRequest[]) => Promise<{ answers: GroupedAnswer[] }>;
type Waiting = {
  request: GroupedRequest;
  bytes: number;
  resolve(answer: GroupedAnswer): void;
  reject(error: unknown): void;
};

const MAX_GROUP = 64;
/** Half of what a message may hold, since other things travel with the bodies. */
const MAX_GROUP_BYTES = 4 * 1_048_576;
/** One that the service works on, one that the database stores, one on its way; meanwhile the next gathers. */
const UNDER_WAY = 3;

export function createGroupedCall(send: SendGroup): GroupedCall {
  const waiting: Waiting[] = [];
  let underWay = 0;
  let isGathering = false;

  const sendNext = async (): Promise<void> => {
    isGathering = false;
    const group = waiting.splice(0, groupSize(waiting));
    underWay += 1;
    gather();
    try {
      const { answers } = await send(group.map(({ request }) => request));
      if (answers.length !== group.length) throw new Error("A group of calls was answered only in part.");
      for (const [index, answer] of answers.entries()) group[index]?.resolve(answer);
    } catch (error) {
      for (const each of group) each.reject(error);
    }
    underWay -= 1;
    gather();
  };

  /** After this turn of the loop, so that requests that came in together go together. */
  function gather(): void {
    if (isGathering || waiting.length === 0 || underWay >= UNDER_WAY) return;
    isGathering = true;
    setImmediate(sendNext);
  }

  return (request, bytes = 0) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, bytes, resolve, reject });
      gather();
    });
}

function groupSize(waiting: readonly Waiting[]): number {
  let bytes = 0;
  const end = waiting.findIndex((each, index) => {
    bytes += each.bytes;
    return index === MAX_GROUP || (index > 0 && bytes > MAX_GROUP_BYTES);
  });
  return end === -1 ? waiting.length : end;
}
