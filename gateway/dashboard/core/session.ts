/** The signed-in person. All windows of a browser share one session. */

import type { AnswerOf } from "../../../shared/contract/actions.ts";
import type { SessionView } from "../../../shared/contract/answers/session.ts";
import { type Answered, ApiFailure, askToSignIn, endWait, SESSION, send, sessionState } from "./http.ts";
import { useStore } from "./store.ts";

export type Credentials = { email: string; password: string; code?: string };

const HOME = "/dashboard";

export async function findSession(): Promise<void> {
  try {
    begin(await send<SessionView>("GET", SESSION));
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.status === 401) sessionState.set({ kind: "signedOut" });
    else throw failure;
  }
}

/** Another person than before gets a new page, and nothing that waited is sent in their name. */
export async function signIn(credentials: Credentials): Promise<void> {
  const answered = await send<SessionView>("POST", SESSION, { body: credentials });
  const { email } = answered.value.user;
  windows.postMessage({ email });
  if (isAnother(email)) leave(() => location.assign(HOME));
  else begin(answered);
}

/** Answers the email of the person who has the password now. */
export async function acceptInvitation(token: string, password: string): Promise<string> {
  const body = { token, password };
  return (await send<AnswerOf<"auth-token.acceptInvitation">>("POST", `${SESSION}/invitation`, { body }))
    .value.email;
}

export async function signOut(): Promise<void> {
  await send("DELETE", SESSION);
  windows.postMessage({ email: null });
  leaveForSignIn();
}

/** Nothing of the person before stays in the page. */
export const leaveForSignIn = (): void => leave(() => location.assign(HOME));

/** The sign-in dialog is closed without an answer; only where the session goes on. */
export function cancelSignIn(): void {
  const state = sessionState.get();
  if (state.kind === "again") endWait({ ...state, kind: "signedIn" }, "cancelled");
}

/** The pages are asked for once more, for example after the second factor was set up. */
export function forgetHindrance(): void {
  const state = sessionState.get();
  if (state.kind === "signedIn") sessionState.set({ kind: "signedIn", session: state.session });
}

export function useSession(): SessionView {
  const state = useStore(sessionState);
  if (!("session" in state)) throw new Error("No person is signed in.");
  return state.session;
}

/** The API refuses a Viewer as well; this only hides what would be refused. */
export const useMayChange = (): boolean => useSession().user.role !== "Viewer";

/** Signing in and out, to the other windows of this browser: the email of the person, or null. */
const windows = new BroadcastChannel("session");

/** A window never goes on showing what belongs to a person who signed out in another one. */
export function watchOtherWindows(): void {
  windows.onmessage = ({ data }: MessageEvent<{ email: string | null }>) => {
    const state = sessionState.get();
    if (!("session" in state)) return;
    if (data.email === null || isAnother(data.email)) leave(() => location.reload());
    else if (state.kind === "again") void findSession().catch(() => undefined);
  };
  // A page that the browser kept for "Back".
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
}

function begin({ value: session, headers }: Answered<SessionView>): void {
  const before = sessionState.get();
  endWait({ kind: "signedIn", session, hindrance: "session" in before ? before.hindrance : undefined });
  checkAtEnd(session, headers);
}

function isAnother(email: string): boolean {
  const state = sessionState.get();
  return "session" in state && state.session.user.email !== email;
}

function leave(go: () => void): void {
  endWait({ kind: "left" });
  go();
}

/** If the server cannot be reached, or its clock differs. */
const LEAST_CHECK_MS = 30_000;
let check: ReturnType<typeof setTimeout> | undefined;

/** By the clock of the server, which wrote both times. */
function checkAtEnd({ expiresAt }: SessionView, headers: Headers): void {
  const now = Date.parse(headers.get("date") ?? "") || Date.now();
  checkIn(Date.parse(expiresAt) - now);
}

function checkIn(ms: number): void {
  clearTimeout(check);
  check = setTimeout(() => void checkSession(), Math.max(ms, LEAST_CHECK_MS));
}

/** Each call of the person moves the end of the session; this one does not. */
async function checkSession(): Promise<void> {
  try {
    const { value, headers } = await send<SessionView>("GET", SESSION, { background: true });
    checkAtEnd(value, headers);
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.status === 401) askToSignIn("ended");
    else checkIn(LEAST_CHECK_MS);
  }
}
