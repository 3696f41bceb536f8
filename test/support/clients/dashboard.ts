/** A demo user signing in, the shortest way from the outside to the database and back. */
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import { ask as askDocumented } from "../http/ask.ts";

export type Answer = { status: number; code: string | null; cookie: string };

const ANSWER_WITHIN_MS = 15_000;

type Login = { email: string; password: string };

export async function signIn(
  { baseUrl, partners }: DemoData,
  login: Login | undefined = partners[0]?.users[0],
): Promise<Answer> {
  const body = JSON.stringify({ email: login?.email, password: login?.password });
  return ask(`${baseUrl}/api/customer/v1/session`, {
    method: "POST",
    body,
    headers: { "Content-Type": "application/json" },
  });
}

export const whoAmI = ({ baseUrl }: DemoData, cookie: string): Promise<Answer> =>
  ask(`${baseUrl}/api/customer/v1/session`, { headers: { Cookie: cookie } });

/** Rejects when no answer comes within the longest deadline that the API promises. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const { status, headers, body } = await askDocumented(url, { signal, ...init });
  const cookie = headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return { status, code: body.error?.code ?? null, cookie };
}
