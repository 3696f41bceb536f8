/** A request to the API. Whatever a test is about, an answer that the API document does not show fails it. */
import type { Route } from "../../../gateway/route.ts";
import { expectDocumented } from "./documented.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely and fail when they are wrong.
type Loose = any;
export type HttpAnswer = { status: number; headers: Headers; body: Loose; text: string };

/** Longer than the longest deadline that the API promises. */
const ANSWER_WITHIN_MS = 30_000;

/** isReal is false for routes behind which a test has put a stand-in. */
export async function ask(
  url: string,
  init: RequestInit = {},
  isReal?: (route: Route) => boolean,
): Promise<HttpAnswer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS), ...init });
  const text = await response.text();
  const body = text ? JSON.parse(text) : {};
  const { status, headers } = response;
  expectDocumented(init.method ?? "GET", new URL(url).pathname, { status, body, headers }, isReal);
  return { status, headers, body, text };
}
