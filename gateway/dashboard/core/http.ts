/** Calls our own routes. The first answer 401 stops everything until the same person has signed in again. */
import type { SessionView } from "../../../shared/contract/answers/session.ts";
import { withoutRoutes } from "./path.ts";
import { createStore } from "./store.ts";

type Violation = { field: string; code: string; message: string };
type ErrorBody = {
  code: string;
  description: string;
  message: string;
  requestId: string;
  details: readonly Violation[];
};

export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly details: readonly Violation[];
  readonly retryAfterSeconds: number;

  constructor(status: number, error: Partial<ErrorBody>, headers = new Headers()) {
    super(withoutRoutes(error.description ?? error.message ?? UNREACHABLE));
    this.status = status;
    this.code = error.code ?? "Unreachable";
    this.requestId = error.requestId ?? headers.get("svc-request-id") ?? "";
    this.details = (error.details ?? []).map((each) => ({ ...each, message: withoutRoutes(each.message) }));
    this.retryAfterSeconds = Number(headers.get("retry-after") ?? 0);
  }
}

const UNREACHABLE = "The server could not be reached. Check your connection, then try again.";
const UNCERTAIN =
  "The server did not answer. Your change may or may not have been saved. Reload the page to check.";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Asked = { body?: unknown; ifMatch?: number; background?: boolean };
export type Answered<T> = { value: T; headers: Headers };

/** A reason why every page of a signed-in person is refused. */
export type Hindrance = "secondFactor" | "approval" | "inactive";
/**
 * `again`: a dialog asks the same person to sign in, because the session has ended or is not fresh. `left`: the page is
 * being left, and shows nothing of the person any more.
 */
export type SessionState =
  | { kind: "unknown" | "signedOut" | "left" }
  | { kind: "signedIn"; session: SessionView; hindrance?: Hindrance | undefined }
  | { kind: "again"; session: SessionView; hindrance?: Hindrance | undefined; reason: "ended" | "fresh" };

export const SESSION = "/api/customer/v1/session";
export const sessionState = createStore<SessionState>({ kind: "unknown" });

const HINDRANCES: Readonly<Record<string, Hindrance>> = {
  "Session.SecondFactorMissing": "secondFactor",
  "Partner.OnboardingNotApproved": "approval",
  "Partner.Inactive": "inactive",
};

export async function ask<T>(method: Method, path: string, asked: Asked = {}): Promise<Answered<T>> {
  await untilSignedIn();
  try {
    return await sendPatiently<T>(method, path, asked);
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || path === SESSION) throw failure;
    if (failure.code === "Session.FreshSignInRequired") askToSignIn("fresh");
    else if (failure.status === 401 && (await hasEnded())) askToSignIn("ended");
    else {
      if (!path.startsWith(SESSION)) hinder(HINDRANCES[failure.code]);
      throw failure;
    }
    if ((await untilSignedIn()) === "cancelled") throw notDone();
    return send<T>(method, path, asked);
  }
}

const MOST_WAIT_SECONDS = 5;

/** A read that a busy service refuses for a moment (503 with Retry-After) is sent once more before the page shows a failure. */
async function sendPatiently<T>(method: Method, path: string, asked: Asked): Promise<Answered<T>> {
  try {
    return await send<T>(method, path, asked);
  } catch (failure) {
    const seconds = failure instanceof ApiFailure && failure.status === 503 ? failure.retryAfterSeconds : 0;
    if (method !== "GET" || !(seconds > 0 && seconds <= MOST_WAIT_SECONDS)) throw failure;
    await new Promise((go) => setTimeout(go, seconds * 1_000));
    return send<T>(method, path, asked);
  }
}

/** Without a check of the session: for signing in, and for the session itself. */
export async function send<T>(method: Method, path: string, asked: Asked = {}): Promise<Answered<T>> {
  const response = await fetch(path, {
    method,
    headers: {
      Accept: "application/json",
      ...(asked.body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(asked.ifMatch === undefined ? {} : { "If-Match": `"${asked.ifMatch}"` }),
      // Background reads do not keep the session alive.
      ...(asked.background ? { "Svc-Background": "true" } : {}),
    },
    ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
  }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (!response?.ok || !answer) {
    const unanswered = { message: method === "GET" ? UNREACHABLE : UNCERTAIN };
    throw new ApiFailure(response?.status ?? 0, answer?.error ?? unanswered, response?.headers);
  }
  return { value: (answer.value ?? null) as T, headers: response.headers };
}

/** Routes of another kind of person answer 401, too; only the session itself says that it ended. */
let asking: Promise<boolean> | null = null;
function hasEnded(): Promise<boolean> {
  asking ??= send("GET", SESSION, { background: true })
    .then(
      () => false,
      (failure: ApiFailure) => failure.status === 401,
    )
    .finally(() => {
      asking = null;
    });
  return asking;
}

export function askToSignIn(reason: "ended" | "fresh"): void {
  const state = sessionState.get();
  if (state.kind === "signedIn") sessionState.set({ ...state, kind: "again", reason });
}

function hinder(hindrance: Hindrance | undefined): void {
  const state = sessionState.get();
  if (hindrance && state.kind === "signedIn" && state.hindrance !== hindrance)
    sessionState.set({ ...state, hindrance });
}

type Answer = "signedIn" | "cancelled";
type Waiter = { go(answer: Answer): void; stop(failure: ApiFailure): void };
const waiting = new Set<Waiter>();

/** Calls that wait for the dialog go on as the same person, or not at all. */
export function endWait(state: SessionState, answer: Answer = "signedIn"): void {
  const all = [...waiting];
  waiting.clear();
  sessionState.set(state);
  for (const waiter of all)
    if (state.kind === "signedIn") waiter.go(answer);
    else waiter.stop(notDone());
}

function untilSignedIn(): Promise<Answer> {
  const { kind } = sessionState.get();
  if (kind === "left") return Promise.reject(notDone());
  if (kind !== "again") return Promise.resolve("signedIn");
  return new Promise((go, stop) => void waiting.add({ go, stop }));
}

const notDone = (): ApiFailure =>
  new ApiFailure(0, {
    code: "SignIn.Cancelled",
    description: "Nothing was changed, because you did not sign in again. Your entries are still here.",
  });
