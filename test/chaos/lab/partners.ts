/** The two demo partners and a sandbox, as their machines and people call, and the receiver of their webhooks. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { type DemoPartner, demoPartner } from "../../../deploy/lib/demo-data.ts";
import { tokenRequest } from "../../support/clients/partner-client.ts";
import { startRunningTime } from "../../support/running-time.ts";
import { type ReceivedRequest, startReceiver } from "../../support/servers/receiver.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { Received } from "./checker.rules.ts";
import type { Answer, Call as NotedCall } from "./ledger.rules.ts";
import { type LabStage, RECEIVER_NAME } from "./stage.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely, and compared later.
type Loose = any;
export type CallAnswer = Answer &
  Pick<NotedCall, "atMs" | "tookMs"> & { value: Loose; requestId: string | null };

type Headers = Record<string, string>;
type Call = (
  gateway: string,
  method: string,
  path: string,
  body?: unknown,
  headers?: Headers,
) => Promise<CallAnswer>;
/** Calls with an access token, and clicks as the Owner with a session. */
export type Partner = { partnerId: string; call: Call; click: Call };
export type Partners = Awaited<ReturnType<typeof registerPartners>>;

const NO_ANSWER = { status: null, code: null, description: "", requestId: null, value: null, cookie: "" };

export const PROFILES = "/api/partner/v1/business-profiles";
export const EVENTS = "/api/partner/v1/events";
export const WEBHOOKS = "/api/customer/v1/partner-profile/webhooks";
const SESSION = "/api/customer/v1/session";

/** Behind the two demo partners. */
export const SANDBOX = 2;
/** Above the longest that the API promises. */
const ANSWER_WITHIN_MS = 20_000;
/** Tokens last 300 s. */
const SAME_TOKEN_MS = 200_000;

export async function registerPartners(stage: LabStage) {
  const { cert, key } = stage.demo.tls;
  const receiver = await startReceiver({
    name: RECEIVER_NAME,
    certificate: { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") },
  });
  const all: Partner[] = [];
  const secrets: string[] = [];
  for (const index of accountsOf(stage).keys()) {
    const partner = await signIn(stage, index);
    const url = receiver.url(`/hook/${index}`);
    const { value } = await untilServed(() => partner.click(stage.demo.baseUrl, "POST", WEBHOOKS, { url }));
    secrets.push(value.webhookSecret);
    all.push(partner);
  }
  const judged: { request: ReceivedRequest; isSigned: boolean }[] = [];
  return {
    all,
    receiver,
    received(): Received[] {
      for (const request of receiver.requests.slice(judged.length)) {
        const secret = secrets[Number(request.path.split("/").at(-1))] ?? "";
        judged.push({ request, isSigned: isSignedBy(secret, request.headers, request.bytes) });
      }
      // The answer may be given later than the first look.
      return judged.map(({ request: { path, headers, body, receivedAt, answered }, isSigned }) => ({
        deliveryId: headers["svc-delivery-id"] ?? "",
        eventId: headers["svc-event-id"] ?? "",
        partnerId: all[Number(path.split("/").at(-1))]?.partnerId ?? "",
        ...{ body, isSigned, answered, receivedAtMs: receivedAt },
      }));
    },
    close: () => receiver.close(),
  };
}

/** The Owner of the first partner is the person of its sandbox. */
function accountsOf({ demo }: LabStage): DemoPartner[] {
  const { sandbox, users } = demoPartner(demo, 1);
  if (!sandbox) throw new Error("The first demo partner has no sandbox.");
  return [...demo.partners, { ...sandbox, users }];
}

async function signIn(stage: LabStage, index: number): Promise<Partner> {
  const demo = { ...stage.demo, partners: accountsOf(stage) };
  const owner = demo.partners[index]?.users.find(({ role }) => role === "Owner");
  let grant = { token: "", until: 0 };
  async function tokenFrom(gateway: string): Promise<string | null> {
    if (grant.until > Date.now()) return grant.token;
    const { value } = await send(`${gateway}/oauth2/token`, "POST", {}, tokenRequest(demo, index));
    if (!value?.access_token) return null;
    grant = { token: value.access_token, until: Date.now() + SAME_TOKEN_MS };
    return grant.token;
  }
  const credentials = { email: owner?.email, password: owner?.password };
  const { cookie } = await untilServed(() => send(demo.baseUrl + SESSION, "POST", {}, credentials));
  return {
    partnerId: demo.partners[index]?.partnerId ?? "",
    async call(gateway, method, path, body, headers = {}) {
      const token = await tokenFrom(gateway);
      return token === null
        ? { ...NO_ANSWER, atMs: Date.now(), tookMs: 0 }
        : send(gateway + path, method, { Authorization: `Bearer ${token}`, ...headers }, body);
    },
    click: (gateway, method, path, body) =>
      send(gateway + path, method, { Cookie: cookie, "Svc-Sandbox": String(index === SANDBOX) }, body),
  };
}

/** Twelve processes that have just started on a busy machine may answer 503 for a moment. */
const untilServed = <T extends CallAnswer>(ask: () => Promise<T>): Promise<T> =>
  waitFor(async () => {
    const answer = await ask();
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.description}`);
    return answer;
  }, "an answer of 200");

/** Never fails: no answer is an answer with no status. */
async function send(
  url: string,
  method: string,
  headers: Headers,
  body?: unknown,
): Promise<CallAnswer & { cookie: string }> {
  const [atMs, running] = [Date.now(), startRunningTime()];
  const isForm = body instanceof URLSearchParams;
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...headers,
        ...(body === undefined || isForm ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const text = await response.text();
    const parsed: Loose = text ? JSON.parse(text) : {};
    return {
      ...{ atMs, tookMs: running.ranMs() },
      status: response.status,
      code: parsed.error?.code ?? null,
      description: String(parsed.error?.description ?? parsed.error?.message ?? ""),
      requestId: parsed.error?.requestId ?? null,
      value: parsed.value ?? parsed,
      cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "",
    };
  } catch (error) {
    return { ...NO_ANSWER, atMs, tookMs: running.ranMs(), description: (error as Error).message };
  }
}

function isSignedBy(secret: string, headers: Record<string, string>, bytes: Buffer): boolean {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${headers["svc-event-id"]}.${headers["svc-timestamp"]}.`;
  const expected = createHmac("sha256", key).update(signed).update(bytes).digest();
  return (headers["svc-signature"] ?? "").split(" ").some((part) => {
    const given = Buffer.from(part.replace("v1,", ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
