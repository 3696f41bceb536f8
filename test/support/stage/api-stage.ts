/** The API over HTTP: real gateway, tokens and profile service in this process, over real NATS and MongoDB. */
import { expectDocumented } from "../http/documented.ts";
import { type Answer, startAuthStage } from "./auth-stage.ts";
import { startProfileStage, type Value } from "./profile-stage.ts";
import { openStage, type Settings } from "./stage.ts";

export type ApiStage = Awaited<ReturnType<typeof startApiStage>>;
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export const PROFILES = "/api/partner/v1/business-profiles";
export const CASES = "/api/compliance/v1/cases";

export async function startApiStage(settings: Settings = {}) {
  const on = openStage(settings);
  const [profiles, auth] = await Promise.all([
    startProfileStage({}, { on }),
    startAuthStage(settings, { on, profileProbe: false }),
  ]);
  await on.untilMet();

  const partner = await auth.partner();
  const token = await auth.token(partner);

  const send = async (method: Method, path: string, wish: Sent = {}): Promise<Answer> => {
    const answer = await auth.request(path, {
      method,
      headers: {
        ...(wish.cookie ? { Cookie: wish.cookie } : { Authorization: `Bearer ${wish.token ?? token}` }),
        ...(wish.body === undefined ? {} : { "Content-Type": "application/json" }),
        ...wish.headers,
      },
      ...(wish.body === undefined
        ? {}
        : { body: typeof wish.body === "string" ? wish.body : JSON.stringify(wish.body) }),
    });
    expectDocumented(method, path, answer);
    return answer;
  };

  const stage = {
    auth,
    profiles,
    partner,
    token,
    send,
    collection: profiles.collection,
    async value(method: Method, path: string, wish: Sent = {}): Promise<Value> {
      const answer = await send(method, path, wish);
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer.body.value as Value;
    },
    create: (body: unknown): Promise<Value> => stage.value("POST", PROFILES, { body }),
    async otherToken(): Promise<string> {
      return auth.token(await auth.partner("Other Partner Ltd"));
    },
    analystCookie: async (): Promise<string> => auth.cookie(await auth.analyst()),
    stop: auth.stop,
  };
  return stage;
}

export type Sent = { body?: unknown; token?: string; cookie?: string; headers?: Record<string, string> };

export type ApiError = {
  code: string;
  message: string;
  requestId: string;
  details: { field: string; code: string; message: string }[];
};
export const errorOf = (answer: Answer): ApiError => answer.body.error as ApiError;
