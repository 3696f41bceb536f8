/** A real auth-token service and a real gateway in this process, over real NATS and MongoDB, with a clock to move. */
import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { Context } from "moleculer";
import { createConnection } from "mongoose";
import { freePort } from "../../../deploy/local/ports.ts";
import type { PartnerKeys } from "../../../deploy/local/secrets/partner-certificate.ts";
import apiService from "../../../gateway/api.service.ts";
import authTokenService from "../../../services/auth-token/auth-token.service.ts";
import { SETTINGS } from "../../../shared/config/config.ts";
import { ACTIONS } from "../../../shared/contract/actions.ts";
import type { GroupedRequest } from "../../../shared/moleculer/grouped-call.ts";
import { callerFor } from "../../../shared/moleculer/typed-actions.ts";
import { databaseName } from "../../../shared/mongo/mongo.ts";
import { type AssertionWish, makeAssertion, tokenForm } from "../builders/assertions.ts";
import { adminCommand } from "../clients/admin-command.ts";
import { ask, type HttpAnswer } from "../http/ask.ts";
import { nextPartnerKeys } from "../servers/partner-keys.ts";
import { testServers } from "../servers/servers.ts";
import { auditOf } from "./audit-of.ts";
import { openStage, type Settings, type Stage } from "./stage.ts";

export type StagePartner = PartnerKeys & { partnerId: string; clientId: string; name: string };
export type Answer = HttpAnswer;
export type Login = { email: string; password: string; code?: string };

export const codeOf = ({ body }: Answer): string | null => body.error?.code ?? null;
export const refusalOf = (answer: Answer) => [answer.status, codeOf(answer)];
export const cookieOf = ({ headers }: Answer): string => headers.get("set-cookie")?.split(";")[0] ?? "";

const HIGH_LIMITS = Object.fromEntries(
  Object.values(SETTINGS)
    .filter(({ env }) => env.startsWith("PBO_LIMIT_"))
    .map(({ env }) => [env, "100000"]),
);

export type AuthStage = Awaited<ReturnType<typeof startAuthStage>>;

type Options = {
  on?: Stage;
  /** False leaves the place of the profile service to the real one, which the test starts. */
  profileProbe?: boolean;
};

export async function startAuthStage(
  settings: Settings = {},
  { on = openStage(settings), profileProbe = true }: Options = {},
) {
  const { namespace, clock, log } = on;
  const issuer = settings.PBO_BASE_URL ?? `http://127.0.0.1:${await freePort()}`;
  const own = { ...HIGH_LIMITS, PBO_BASE_URL: issuer, ...settings };

  const startAuthToken = () => on.start("auth-token", [authTokenService], own);
  const startGateway = async (port = "0") => {
    const broker = await on.start("gateway", [apiService as never], { ...own, PBO_PORT: port });
    await on.untilMet();
    const service = broker.getLocalService("api") as unknown as { server: { address(): AddressInfo } };
    return { broker, url: `http://127.0.0.1:${service.server.address().port}` };
  };

  const [authToken] = await Promise.all([
    startAuthToken(),
    ...(profileProbe ? [on.start("profile", [probeService])] : []),
  ]);
  // After the others, so that its log is free of complaints.
  const gateway = await startGateway(new URL(issuer).port);

  const inspector = await createConnection(testServers().mongodbUri, {
    dbName: databaseName(namespace, "auth-token"),
  }).asPromise();
  const database = inspector.db;
  if (!database) throw new Error("no database");

  const call = callerFor("admin", authToken);

  async function request(path: string, init: RequestInit = {}, url = gateway.url): Promise<Answer> {
    return ask(url + path, init, ({ action }) => action.startsWith("auth-token."));
  }

  const stage = {
    issuer,
    namespace,
    clock,
    log,
    call,
    request,
    startAuthToken,
    startGateway,
    authToken,
    audit: auditOf(authToken),
    gateway,
    database: () => database,
    stopBroker: on.end,
    async partner(name = "Acme Trading Ltd", keys?: PartnerKeys): Promise<StagePartner> {
      const made = await call("auth-token.createPartner", {
        name,
        approved: true,
      });
      const pair = keys ?? nextPartnerKeys();
      const certificate = pair.certificatePem;
      await call("auth-token.registerCertificate", { partnerId: made.partnerId, certificate });
      return { ...pair, ...made, name };
    },
    /** The test twin, with the keys of the live partner. */
    async sandbox(live: StagePartner): Promise<StagePartner> {
      const { partnerId, clientId, name } = await call("auth-token.createSandbox", {
        partnerId: live.partnerId,
      });
      await call("auth-token.registerCertificate", { partnerId, certificate: live.certificatePem });
      return { ...live, partnerId, clientId, name };
    },
    assertion: ({ clientId, privateKey }: StagePartner, wish: Partial<AssertionWish> = {}): string =>
      makeAssertion({ clientId, key: privateKey, audience: issuer, now: clock.now(), ...wish }),
    tokenRequest: (body: string | URLSearchParams, init: RequestInit = {}, url?: string): Promise<Answer> =>
      request(
        "/oauth2/token",
        {
          method: "POST",
          body: String(body),
          headers: { "Content-Type": "application/x-www-form-urlencoded" },
          ...init,
        },
        url,
      ),
    async token(partner: StagePartner, scope?: string): Promise<string> {
      const form = tokenForm(stage.assertion(partner), scope ? { scope } : {});
      const answer = await stage.tokenRequest(form);
      if (answer.status !== 200) throw new Error(`No token: ${answer.status} ${answer.text}`);
      return String(answer.body.access_token);
    },
    async user(
      partnerId: string,
      role: string,
      email = `${role.toLowerCase()}-${randomBytes(4).toString("hex")}@acme.test`,
    ) {
      const password = randomBytes(12).toString("base64url");
      await call("auth-token.createUser", { partnerId, role, email, password });
      return { email, password };
    },
    async analyst() {
      const login = {
        email: `${randomBytes(4).toString("hex")}@operator.test`,
        password: randomBytes(12).toString("base64url"),
      };
      await call("auth-token.createAnalyst", login);
      return login;
    },
    userId: async (email: string) => String((await database.collection("users").findOne({ email }))?._id),
    /** As the dashboard sends it. */
    send: (
      method: string,
      path: string,
      cookie: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<Answer> =>
      request(path, {
        method,
        headers: {
          ...(cookie ? { cookie } : {}),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    login: (login: Login, headers: Record<string, string> = {}): Promise<Answer> =>
      stage.send("POST", "/api/customer/v1/session", "", login, headers),
    async cookie(login: Login): Promise<string> {
      const answer = await stage.login(login);
      if (answer.status !== 200) throw new Error(`No session: ${answer.status} ${answer.text}`);
      return cookieOf(answer);
    },
    cookieOfA: async (role: string, partnerId: string) => stage.cookie(await stage.user(partnerId, role)),
    async admin(...args: string[]): Promise<Record<string, unknown>> {
      const { code, out, err } = await adminCommand(call, [...args, "--json"]);
      if (code !== 0) throw new Error(err);
      return JSON.parse(out);
    },
    async stop() {
      await on.stop();
      await inspector.close();
    },
  };
  return stage;
}

/** Replaces the profile service, and answers the gateway's statement about the caller. */
const probeService = () => ({
  name: "profile",
  actions: Object.fromEntries(Object.keys(ACTIONS.profile).map((name) => [name, { handler: probe(name) }])),
});

const probe =
  (action: string) =>
  ({ params, meta }: Context<{ requests?: GroupedRequest[] }>) =>
    params.requests
      ? {
          answers: params.requests.map((each) => ({
            status: 200,
            headers: {},
            body: { action, meta: each.meta },
          })),
        }
      : { action, meta };
