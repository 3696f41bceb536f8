/** A shared answer for a second, so that strangers cannot make the services work. */
import type { GroupedAnswer, GroupedRequest } from "../../shared/moleculer/grouped-call.ts";

type Call = (request: GroupedRequest, bytes: number) => Promise<GroupedAnswer>;

const SHARED_MS = 1_000;

/** A failure is shared only by the callers that wait for it. */
export function shareAnswers(call: Call): Call {
  let shared: { since: number; answer: Promise<GroupedAnswer> } | null = null;
  return (request, bytes) => {
    const now = performance.now();
    if (shared && now - shared.since < SHARED_MS) return shared.answer;
    const mine = { since: now, answer: call(request, bytes) };
    shared = mine;
    mine.answer.catch(() => {
      if (shared === mine) shared = null;
    });
    return mine.answer;
  };
}
