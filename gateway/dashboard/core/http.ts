/** Calls our own routes. The first answer 401 stops everything until somebody has signed in again. */
import type { SessionView } from "../../../shared/action-types/auth-token.ts";
import { createStore } from "./store.ts";

type Violation = { field: string; code: string; message: string };

export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly details: readonly Violation[];
  readonly retryAfterSeconds: number;

  constructor(status: number, error: Partial<ErrorBody>, headers: Headers) {
    super(
      error.description ??
        error.message ??
        "The server could not be reached. Nothing is known to have changed.",
    );
    this.status = status;
    this.code = error.code ?? "Unreachable";
    this.requestId = error.requestId ?? headers.get("svc-request-id") ?? "";
    this.details = error.details ?? [];
    this.retryAfterSeconds = Number(headers.get("retry-after") ?? 0);
  }
}

type ErrorBody = {
  code: string;
  description: string;
  message: string;
  requestId: string;
  details: readonly Violation[];
};

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Asked = { body?: unknown; ifMatch?: number; background?: boolean };
export type Answered<T> = { value: T; headers: Headers };

/** `again`: the page stays as it is, and a dialog asks to sign in. */
export type SessionState =
  | { kind: "unknown" | "signedOut" }
  | { kind: "signedIn"; session: SessionView }
  | { kind: "again"; session: SessionView; reason: "ended" | "fresh" };

export const SESSION = "/api/customer/v1/session";
export const sessionState = createStore<SessionState>({ kind: "unknown" });

export async function ask<T>(method: Method, path: string, asked: Asked = {}): Promise<Answered<T>> {
  await untilSignedIn();
  try {
    return await send<T>(method, path, asked);
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || path === SESSION) throw failure;
    if (failure.code === "Session.FreshSignInRequired") askToSignIn("fresh");
    else if (failure.status === 401 && (await hasEnded())) askToSignIn("ended");
    else throw failure;
    await untilSignedIn();
    return send<T>(method, path, asked);
  }
}

/** As it is, without a look at the session: for signing in and for the question who is signed in. */
export async function send<T>(method: Method, path: string, asked: Asked = {}): Promise<Answered<T>> {
  const response = await fetch(path, {
    method,
    headers: {
      Accept: "application/json",
      ...(asked.body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(asked.ifMatch === undefined ? {} : { "If-Match": `"${asked.ifMatch}"` }),
      // What the page asks for by itself does not keep the session alive.
      ...(asked.background ? { "Svc-Background": "true" } : {}),
    },
    ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
  }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (!response?.ok || !answer)
    throw new ApiFailure(response?.status ?? 0, answer?.error ?? {}, response?.headers ?? new Headers());
  return { value: (answer.value ?? null) as T, headers: response.headers };
}

/** Routes of another kind of person answer 401, too; only the session itself says that it ended. */
let asking: Promise<boolean> | null = null;
function hasEnded(): Promise<boolean> {
  asking ??= send(`GET`, SESSION)
    .then(
      () => false,
      (failure: ApiFailure) => failure.status === 401,
    )
    .finally(() => {
      asking = null;
    });
  return asking;
}

function askToSignIn(reason: "ended" | "fresh"): void {
  const state = sessionState.get();
  if (state.kind === "signedIn") sessionState.set({ ...state, kind: "again", reason });
}

function untilSignedIn(): Promise<void> {
  return new Promise((resolve) => {
    const isOpen = () => sessionState.get().kind !== "again";
    if (isOpen()) return resolve();
    const forget = sessionState.watch(() => {
      if (!isOpen()) return;
      forget();
      resolve();
    });
  });
}
