/** A real auth-token service and a real gateway in this process, over real NATS and MongoDB, with a clock to move. */
import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { type Context, ServiceBroker } from "moleculer";
import { createConnection } from "mongoose";
import { freePort } from "../../../deploy/local/ports.ts";
import { makePartnerKeys, type PartnerKeys } from "../../../deploy/local/secrets/partner-certificate.ts";
import apiService from "../../../gateway/api.service.ts";
import authTokenService from "../../../services/auth-token/auth-token.service.ts";
import { ACTIONS } from "../../../shared/actions.ts";
import { loadConfig, type ProcessName, SETTINGS } from "../../../shared/config/config.ts";
import { brokerOptions } from "../../../shared/moleculer/broker.ts";
import type { GroupedRequest } from "../../../shared/moleculer/grouped-call.ts";
import { callerFor } from "../../../shared/moleculer/typed-actions.ts";
import { databaseName } from "../../../shared/mongo.ts";
import { createLogger } from "../../../shared/telemetry/logger.ts";
import { type AssertionWish, makeAssertion, tokenForm } from "../builders/assertions.ts";
import { ask } from "../http/ask.ts";
import { aTestNamespace, testServerSettings, testServers } from "../servers/servers.ts";

export type StagePartner = PartnerKeys & { partnerId: string; clientId: string; name: string };
export type Answer = { status: number; headers: Headers; body: Record<string, unknown>; text: string };
export type StageClock = { now(): number; move(milliseconds: number): void };

/** Most tests are about something else. */
const HIGH_LIMITS = Object.fromEntries(
  Object.values(SETTINGS)
    .filter(({ env }) => env.startsWith("PBO_LIMIT_"))
    .map(({ env }) => [env, "100000"]),
);

export type AuthStage = Awaited<ReturnType<typeof startAuthStage>>;

/** profileProbe false leaves the place of the profile service to the real one, which the test starts. */
export async function startAuthStage(settings: Record<string, string> = {}, { profileProbe = true } = {}) {
  const namespace = settings.PBO_NAMESPACE ?? aTestNamespace();
  const log: string[] = [];
  const clock = movableClock();
  const fieldKeys = `test:${randomBytes(32).toString("base64")}`;
  const issuer = settings.PBO_BASE_URL ?? `http://127.0.0.1:${await freePort()}`;
  const brokers: ServiceBroker[] = [];

  async function start(process: ProcessName, service: (broker: ServiceBroker) => object, port = "0") {
    const config = loadConfig(process, {
      ...testServerSettings(namespace),
      PBO_FIELD_KEYS: fieldKeys,
      PBO_BASE_URL: issuer,
      PBO_PORT: port,
      PBO_LOG_LEVEL: "info",
      ...HIGH_LIMITS,
      ...settings,
    });
    const broker = new ServiceBroker(
      brokerOptions(config, { clock, logger: createLogger(config, collect(log)) }),
    );
    broker.createService(service(broker) as never);
    await broker.start();
    brokers.push(broker);
    return broker;
  }

  const startAuthToken = () => start("auth-token", authTokenService);
  const startGateway = async (port?: string) => {
    const broker = await start("gateway", apiService as never, port);
    await broker.waitForServices(["auth-token", "profile"], 10_000);
    const service = broker.getLocalService("api") as unknown as { server: { address(): AddressInfo } };
    return { broker, url: `http://127.0.0.1:${service.server.address().port}` };
  };

  const authToken = await startAuthToken();
  if (profileProbe) await start("profile", probeService);
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
    gateway,
    /** What is stored, seen past the service. */
    database: () => database,
    async stopBroker(broker: ServiceBroker) {
      brokers.splice(brokers.indexOf(broker), 1);
      await broker.stop();
    },
    async partner(name = "Acme Trading Ltd", keys?: PartnerKeys): Promise<StagePartner> {
      const made = await call("auth-token.createPartner", {
        name,
        approved: true,
      });
      const pair = keys ?? (await makePartnerKeys({ commonName: name }));
      const certificate = pair.certificatePem;
      await call("auth-token.registerCertificate", { partnerId: made.partnerId, certificate });
      return { ...pair, ...made, name };
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
    login: (
      login: { email: string; password: string },
      headers: Record<string, string> = {},
    ): Promise<Answer> =>
      request("/api/customer/v1/session", {
        method: "POST",
        body: JSON.stringify(login),
        headers: { "Content-Type": "application/json", ...headers },
      }),
    async cookie(login: { email: string; password: string }): Promise<string> {
      const answer = await stage.login(login);
      const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
      if (answer.status !== 200 || cookie === "")
        throw new Error(`No session: ${answer.status} ${answer.text}`);
      return cookie;
    },
    async stop() {
      await Promise.all(
        brokers
          .splice(0)
          .reverse()
          .map((broker) => broker.stop()),
      );
      await database.dropDatabase();
      await inspector.close();
    },
  };
  return stage;
}

/** Stands where the profile service would, and tells what the gateway said about the caller. */
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

function movableClock(): StageClock {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    move: (milliseconds) => {
      offset += milliseconds;
    },
  };
}

const collect = (lines: string[]): Writable =>
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
