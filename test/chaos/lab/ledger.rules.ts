/** Every answer that the partners' machines got. */

/**
 * refused: the answer says that nothing was changed, or is a 4xx. unknown: no answer, or one that does not say whether
 * something was changed.
 */
export type Verdict = "acknowledged" | "refused" | "unknown";
export type Answer = { status: number | null; code: string | null; description: string };

/** Times of this machine. `tookMs` is without the time that the host stole. */
export type Call = Pick<Answer, "status" | "code"> & { what: string; atMs: number; tookMs: number };

export type Create = {
  verdict: Verdict;
  partnerId: string;
  reference: string;
  customerId: string | null;
  people: number;
  answer: { atMs: number; status: number | null };
};
/** The part of a customer that a change is about: its name, a person of it, or its review. */
export type ChangeKind = "profile" | "person" | "review";
export type Change = {
  verdict: Verdict;
  kind: ChangeKind;
  customerId: string;
  /** The customer, or the person. */
  subjectId: string;
  value: string;
  /** The version in If-Match: at most one change of a version succeeds. */
  version: number | null;
};
/** Creates with one Idempotency-Key: the bodies of all answers 200. */
export type Keyed = { reference: string; values: string[] };
export type Test = { verdict: Verdict; requestId: string | null; eventId: string | null };
export type Replay = { verdict: Verdict; eventId: string; deliveryId: string | null };
export type Window = {
  verdict: Verdict;
  partnerId: string;
  /** Null also for a window without events. */
  series: string | null;
  expected: number;
  fromMs: number;
  toMs: number;
  askedAtMs: number;
};
/** A file that was sent to storage; acknowledged when storage answered 200. */
export type Upload = {
  verdict: Verdict;
  customerId: string;
  documentId: string;
  sha256: string;
  endedAtMs: number;
};

export const emptyLedger = () => ({
  creates: [] as Create[],
  changes: [] as Change[],
  keyed: [] as Keyed[],
  tests: [] as Test[],
  replays: [] as Replay[],
  windows: [] as Window[],
  uploads: [] as Upload[],
  calls: [] as Call[],
  wrong: [] as string[],
  /** How often each status was answered, of all calls. */
  statuses: new Map<string, number>(),
});
export type Ledger = ReturnType<typeof emptyLedger>;

export function verdictOf({ status, description }: Answer): Verdict {
  if (status === 200) return "acknowledged";
  if (status === null) return "unknown";
  const saysNothingChanged = /nothing was changed/i.test(description);
  return saysNothingChanged || (status >= 400 && status < 500) ? "refused" : "unknown";
}

/** A good request is answered 200 or 503, whatever is broken, or by a code that its caller expects. */
export const isWrong = ({ status, code }: Answer, expected: readonly string[] = []): boolean =>
  status !== null && status !== 200 && status !== 503 && !expected.includes(code ?? "");

export function note(
  { calls, statuses, wrong }: Ledger,
  what: string,
  answer: Answer & Pick<Call, "atMs" | "tookMs">,
  expected: readonly string[] = [],
): Verdict {
  const { status, code, description, atMs, tookMs } = answer;
  calls.push({ what, atMs, tookMs, status, code });
  const told = code ? [code, description.slice(0, 60)] : [];
  const line = [what, status ?? "no answer", ...told].join(" ");
  statuses.set(line, (statuses.get(line) ?? 0) + 1);
  if (isWrong(answer, expected)) wrong.push(`${what} ${status} ${code} ${description}`);
  return verdictOf(answer);
}
