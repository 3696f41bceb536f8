import type { CallMeta } from "./caller.ts";
import type { HttpParams } from "./http-params.ts";

/** One of several requests that travel in one call; each has its own caller and gets its own answer. */
export type GroupedRequest = { params: HttpParams; meta: CallMeta };
export type GroupedAnswer = { status: number; headers: Record<string, string>; body: unknown };
