/** A call of the API with a token, repeated where that is safe. */
import { randomUUID } from "node:crypto";
import { ApiError, ConnectionError, redirectOf, TokenError } from "./errors.ts";
import type { TokenSource } from "./token.ts";
import type { PartnerError, Violation } from "./types.ts";

export type CallOptions = {
  /** The version you read, to change only that one. */
  ifMatch?: number;
  /** The same key for the same change: sent twice it is made once. A random one is used when none is given. */
  idempotencyKey?: string;
};

type Query = Readonly<Record<string, string | number | undefined>>;
export type Call = CallOptions & {
  method: "GET" | "POST" | "PUT" | "PATCH";
  path: string;
  query?: Query;
  body?: unknown;
};

export type HttpSettings = {
  baseUrl: string;
  timeoutMs: number;
  /** Tries after the first one. */
  retries: number;
  tokens: TokenSource;
  onWarnings(warnings: readonly Violation[]): void;
};

/** The call had no effect, or the first try is still in progress and its answer follows shortly. */
const REFUSED_FOR_NOW = new Set<string>(["Service.Unavailable", "Idempotency.InProgress"]);
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 60_000;

/** Status 0: no answer. `sentWith` is null when there was no token to send it with. */
type Failed = { failure: Error; status: number; retryAfterMs: number | null; sentWith: string | null };
type Tried = { value: unknown; warnings: readonly Violation[] } | Failed;

export function createHttp({ baseUrl, timeoutMs, retries, tokens, onWarnings }: HttpSettings) {
  return async function call<T>(request: Call): Promise<T> {
    const headers = headersOf(request);
    for (let attempt = 0; ; attempt += 1) {
      const tried = await attemptOnce(request, headers);
      if ("value" in tried) {
        if (tried.warnings.length > 0) onWarnings(tried.warnings);
        return tried.value as T;
      }
      if (attempt >= retries || !mayRepeat(request, tried)) throw tried.failure;
      if (tried.sentWith !== null && tried.status === 401) tokens.forget(tried.sentWith);
      const wait = tried.retryAfterMs ?? FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random());
      await new Promise((resolve) => setTimeout(resolve, Math.min(wait, LONGEST_WAIT_MS)));
    }
  };

  async function attemptOnce(request: Call, headers: Record<string, string>): Promise<Tried> {
    const token = await tokens.get().catch(withoutToken);
    if (typeof token !== "string") return token;
    try {
      const response = await fetch(urlOf(baseUrl, request), {
        method: request.method,
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
        headers: { ...headers, Authorization: `Bearer ${token}` },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      });
      return await read(response, token);
    } catch (cause) {
      const failure = new ConnectionError(`${request.method} ${request.path} was not answered.`, cause);
      return { failure, status: 0, retryAfterMs: null, sentWith: token };
    }
  }
}

const withoutToken = (failure: Error): Failed => ({
  failure,
  status: failure instanceof TokenError ? failure.status : 0,
  retryAfterMs: null,
  sentWith: null,
});

function headersOf({ method, body, ifMatch, idempotencyKey }: Call): Record<string, string> {
  return {
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(ifMatch === undefined ? {} : { "If-Match": `"${ifMatch}"` }),
    ...(method === "POST" ? { "Idempotency-Key": idempotencyKey ?? randomUUID() } : {}),
  };
}

function urlOf(baseUrl: string, { path, query = {} }: Call): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(
    Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  ).toString();
  return `${baseUrl}/api${path}${text && `?${text}`}`;
}

type Success = { isSuccess: true; value?: unknown; warnings?: Violation[] };

async function read(response: Response, token: string): Promise<Tried> {
  const { status } = response;
  // A truncated answer fails here, like a missing one.
  const text = await response.text();
  const body = parsed(text) as Success | PartnerError | null;
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : null;
  if (response.ok && body?.isSuccess) return { value: body.value, warnings: body.warnings ?? [] };
  const failure =
    body?.isSuccess === false
      ? new ApiError(status, body.error)
      : (redirectOf(response) ?? new ConnectionError(`An answer that is not the API's: ${status}.`));
  return { failure, status, retryAfterMs, sentWith: token };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A call that was refused without an effect is repeated; any other call only if it is idempotent. */
function mayRepeat({ method }: Call, tried: Failed): boolean {
  const { failure, status, sentWith } = tried;
  if (sentWith === null) return status === 0 || status === 429 || status >= 500;
  // The token has expired, or its certificate was replaced: a new token is requested.
  if (status === 401 || status === 429) return true;
  if (failure instanceof ApiError && REFUSED_FOR_NOW.has(failure.code)) return true;
  const mayHaveBeenDone = status === 0 || status >= 500;
  return mayHaveBeenDone && (method === "GET" || method === "POST");
}
