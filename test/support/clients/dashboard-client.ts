/** A signed-in person, as a browser would call. */
import { expect } from "@jest/globals";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import { ask } from "../http/ask.ts";

type DashboardAnswer<T = Record<string, unknown>> = {
  status: number;
  headers: Headers;
  body: {
    value: T | null;
    isSuccess: boolean;
    error: { code: string; description: string; requestId: string; details: unknown[] } | null;
  };
};

export type DashboardClient = {
  get<T>(path: string): Promise<DashboardAnswer<T>>;
  post<T>(path: string, body?: unknown): Promise<DashboardAnswer<T>>;
  put<T>(path: string, body?: unknown): Promise<DashboardAnswer<T>>;
  send<T>(method: string, path: string, body?: unknown): Promise<DashboardAnswer<T>>;
};

export type Login = { email: string; password: string };

export const SESSION = "/api/customer/v1/session";
export const PARTNER_PROFILE = "/api/customer/v1/partner-profile";
export const WEBHOOKS = `${PARTNER_PROFILE}/webhooks`;

/** The body of an answer that refuses, for a comparison. */
export const refused = (code: string) => ({
  value: null,
  isSuccess: false,
  error: {
    code,
    description: expect.any(String),
    requestId: expect.any(String),
    details: expect.any(Array),
    docsUrl: expect.any(String),
  },
});

/** Without a login: a stranger. */
export async function dashboardClient(
  baseUrl: string,
  login?: Login,
  headers: Record<string, string> = {},
): Promise<DashboardClient> {
  let cookie = "";
  async function call<T>(method: string, path: string, body?: unknown): Promise<DashboardAnswer<T>> {
    const answer = await ask(baseUrl + path, {
      method,
      headers: {
        ...headers,
        ...(cookie ? { Cookie: cookie } : {}),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? cookie;
    return answer;
  }
  if (login) {
    const { status, body } = await call("POST", SESSION, login);
    if (status !== 200)
      throw new Error(`${login.email} could not sign in: ${status} ${JSON.stringify(body)}`);
  }
  return {
    get: (path) => call("GET", path),
    post: (path, body) => call("POST", path, body),
    put: (path, body) => call("PUT", path, body),
    send: call,
  };
}

/** A demo user of the first partner, or of another. */
export function demoLogin({ partners }: DemoData, role: string, partner = 0): Login {
  const user = partners[partner]?.users.find((candidate) => candidate.role === role);
  if (!user) throw new Error(`There is no demo user with the role ${role}.`);
  return user;
}

/** The shortest way from the outside to the database and back, whatever comes of it. */
export async function signIn(demo: DemoData, login: Login = demoLogin(demo, "Owner")) {
  const { status, headers, body } = await ask(demo.baseUrl + SESSION, {
    method: "POST",
    body: JSON.stringify({ email: login.email, password: login.password }),
    headers: { "Content-Type": "application/json" },
  });
  const cookie = headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return { status, code: (body.error?.code ?? null) as string | null, cookie };
}

export const whoAmI = ({ baseUrl }: DemoData, cookie: string) =>
  ask(baseUrl + SESSION, { headers: { Cookie: cookie } });
