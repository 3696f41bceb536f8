/** Every answer that the partners' machines got. */

/**
 * refused: the answer says that nothing was changed, or is a 4xx. unknown: no answer, or one that does not say whether
 * something was changed.
 */
export type Verdict = "acknowledged" | "refused" | "unknown";
export type Answer = { status: number | null; code: string | null; description: string };

export type Create = {
  verdict: Verdict;
  partnerId: string;
  reference: string;
  customerId: string | null;
  people: number;
  answer: { atMs: number; status: number | null };
};
export type Patch = { verdict: Verdict; customerId: string; tradingName: string };
export type Test = { verdict: Verdict; requestId: string | null; eventId: string | null };
export type Replay = { verdict: Verdict; eventId: string };

export type Ledger = {
  creates: Create[];
  patches: Patch[];
  tests: Test[];
  replays: Replay[];
  wrong: string[];
  /** How often each status was answered, of all calls. */
  statuses: Map<string, number>;
};

export const emptyLedger = (): Ledger => ({
  creates: [],
  patches: [],
  tests: [],
  replays: [],
  wrong: [],
  statuses: new Map(),
});

export function verdictOf({ status, description }: Answer): Verdict {
  if (status === 200) return "acknowledged";
  if (status === null) return "unknown";
  const saysNothingChanged = /nothing was changed/i.test(description);
  return saysNothingChanged || (status >= 400 && status < 500) ? "refused" : "unknown";
}

/** A good request is answered 200 or 503, whatever is broken. */
export const isWrong = ({ status }: Answer): boolean => status !== null && status !== 200 && status !== 503;
