/** An answer that is shared for a second, so that strangers cannot make the services work. */
const SHARED_MS = 1_000;

/** A failure is shared only by the callers that wait for it. */
export function shareAnswers<Given extends unknown[], T>(
  ask: (...given: Given) => Promise<T>,
): (...given: Given) => Promise<T> {
  let shared: { since: number; answer: Promise<T> } | null = null;
  return (...given) => {
    const now = performance.now();
    if (shared && now - shared.since < SHARED_MS) return shared.answer;
    const mine = { since: now, answer: ask(...given) };
    shared = mine;
    mine.answer.catch(() => {
      if (shared === mine) shared = null;
    });
    return mine.answer;
  };
}
