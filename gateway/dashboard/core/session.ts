/** Who is signed in, and what the menu offers them. */
import type { SessionView } from "../../../shared/action-types/auth-token.ts";
import type { AnswerOf } from "../../../shared/actions.ts";
import { ApiFailure, SESSION, send, sessionState } from "./http.ts";
import { useStore } from "./store.ts";

export type Credentials = { email: string; password: string; code?: string };

export async function findSession(): Promise<void> {
  try {
    sessionState.set({ kind: "signedIn", session: (await send<SessionView>("GET", SESSION)).value });
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.status === 401) sessionState.set({ kind: "signedOut" });
    else throw failure;
  }
}

/** Somebody else than before gets a page of their own. */
export async function signIn(credentials: Credentials): Promise<void> {
  const before = sessionState.get();
  const { value: session } = await send<SessionView>("POST", SESSION, { body: credentials });
  if (before.kind === "again" && before.session.user.email !== session.user.email)
    location.assign("/dashboard");
  sessionState.set({ kind: "signedIn", session });
}

/** Answers whose password it is now. */
export async function acceptInvitation(token: string, password: string): Promise<string> {
  const body = { token, password };
  return (await send<AnswerOf<"auth-token.acceptInvitation">>("POST", `${SESSION}/invitation`, { body }))
    .value.email;
}

export async function signOut(): Promise<void> {
  await send("DELETE", SESSION);
  location.assign("/dashboard");
}

export function useSession(): SessionView {
  const state = useStore(sessionState);
  if (!("session" in state)) throw new Error("Nobody is signed in.");
  return state.session;
}

/** The API refuses a Viewer as well; this only hides what would be refused. */
export const useMayChange = (): boolean => useSession().user.role !== "Viewer";
