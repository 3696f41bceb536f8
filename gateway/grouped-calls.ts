/**
 * Requests of one route that arrive together travel together: one message to the service and one back. Where many
 * small requests come at once, a message each would cost more than the work itself.
 */
import type { GroupedAnswer, GroupedRequest } from "../shared/grouped-call.ts";

export type GroupedCall = (request: GroupedRequest) => Promise<GroupedAnswer>;

type SendGroup = (requests: GroupedRequest[]) => Promise<{ answers: GroupedAnswer[] }>;
type Waiting = {
  request: GroupedRequest;
  resolve(answer: GroupedAnswer): void;
  reject(error: unknown): void;
};

const MAX_GROUP = 64;
/** While the service works on one group and the database on another, the next one gathers. */
const UNDER_WAY = 4;

export function createGroupedCall(send: SendGroup): GroupedCall {
  const waiting: Waiting[] = [];
  let underWay = 0;
  let isGathering = false;

  const sendNext = async (): Promise<void> => {
    isGathering = false;
    const group = waiting.splice(0, MAX_GROUP);
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

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      gather();
    });
}
