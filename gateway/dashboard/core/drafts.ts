/** An analyst's flags and opened documents of each case: kept over a reload, removed with the claim or the session. */
import { useEffect } from "preact/hooks";
import { sessionState } from "./http.ts";
import { createStore, useStore } from "./store.ts";
import type { Flag } from "./targets.ts";

type Draft = {
  /** End of the claim: a later claim begins without flags. */
  claim: string | null;
  flags: readonly Flag[];
  /** Documents that the analyst opened. */
  openedIds: readonly string[];
};
/** `owner`: the email of the analyst. */
type Drafts = { owner: string; ofCase: Readonly<Record<string, Draft>> };

const KEY = "drafts";
const NONE: Drafts = { owner: "", ofCase: {} };
const EMPTY: Draft = { claim: null, flags: [], openedIds: [] };

const drafts = createStore<Drafts>(stored());

function stored(): Drafts {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "") as Drafts;
  } catch {
    return NONE;
  }
}

function keep(next: Drafts): void {
  drafts.set(next);
  if (Object.keys(next.ofCase).length === 0) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(next));
}

sessionState.watch(() => {
  const state = sessionState.get();
  if (!("session" in state) && state.kind !== "unknown") keep(NONE);
  // Memory keeps them for the same analyst; the browser's storage does not outlive the session.
  if (state.kind === "again" && state.reason === "ended") sessionStorage.removeItem(KEY);
  if (state.kind !== "signedIn") return;
  const owner = state.session.user.email;
  keep(drafts.get().owner === owner ? drafts.get() : { owner, ofCase: {} });
});

type Case = { customerId: string; claimedUntil: string | null };

export function useDraft({ customerId, claimedUntil }: Case) {
  const { claim, flags, openedIds } = useStore(drafts).ofCase[customerId] ?? EMPTY;
  const isOfThisClaim = claim === claimedUntil;
  const change = (changes: Partial<Draft>) => {
    const { owner, ofCase } = drafts.get();
    const before = ofCase[customerId] ?? EMPTY;
    keep({ owner, ofCase: { ...ofCase, [customerId]: { ...before, ...changes, claim: claimedUntil } } });
  };
  useEffect(() => {
    if (!isOfThisClaim && flags.length > 0) change({ flags: [] });
  }, [isOfThisClaim]);
  return {
    flags: isOfThisClaim ? flags : [],
    openedIds,
    setFlags: (next: readonly Flag[]) => change({ flags: next }),
    open: (documentId: string) =>
      change({ flags: isOfThisClaim ? flags : [], openedIds: [...new Set([...openedIds, documentId])] }),
  };
}

/** After a decision or a release. */
export function dropDraft(customerId: string): void {
  const { owner, ofCase } = drafts.get();
  const { [customerId]: _dropped, ...rest } = ofCase;
  keep({ owner, ofCase: rest });
}
