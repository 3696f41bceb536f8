/** The three sets of field keys are rotated to the end by the operator's commands, on real services. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { pino } from "pino";
import authTokenService from "../../../services/auth-token/auth-token.service.ts";
import deliveryService from "../../../services/delivery/delivery.service.ts";
import { excerptKeyRepository } from "../../../services/delivery/excerpt/excerpt-key.repository.ts";
import { createExcerpts } from "../../../services/delivery/excerpt/excerpts.ts";
import profileService from "../../../services/profile/profile.service.ts";
import type { StoredProfile } from "../../../services/profile/record/profile.types.ts";
import type { Endpoint } from "../../../services/webhook-registry/endpoint.model.ts";
import registryService from "../../../services/webhook-registry/webhook-registry.service.ts";
import type { DeliveryEndpoint } from "../../../shared/contract/actions/webhook-registry.ts";
import type { Caller } from "../../../shared/identity/caller.ts";
import { randomId } from "../../../shared/ids.ts";
import { serviceRuntimeOf } from "../../../shared/moleculer/service.ts";
import { createFieldCipher } from "../../../shared/sealing/field-cipher.ts";
import { aPassport, aPerson, aProfile, aReplacement } from "../../support/builders/profile-builders.ts";
import { adminCommand } from "../../support/clients/admin-command.ts";
import { untilForgotten } from "../../support/stage/known-nodes.ts";
import { partner } from "../../support/stage/profile-stage.ts";
import { type MakeService, openStage } from "../../support/stage/stage.ts";

const aKey = (id: string) => `${id}:${randomBytes(32).toString("base64")}`;
const [OLD, NEW, LATER] = [aKey("old"), aKey("new"), aKey("later")];
const keysOf = (text: string) => {
  const [id = "", key = ""] = text.split(":");
  return [{ id, key: Buffer.from(key, "base64") }];
};
const sets = (keys: string) => ({ PBO_IDENTITY_KEYS: keys, PBO_TOKEN_KEYS: keys, PBO_WEBHOOK_KEYS: keys });

const SERVICES = {
  profile: profileService,
  "auth-token": authTokenService,
  "webhook-registry": registryService,
  delivery: deliveryService,
} as unknown as Record<"profile" | "auth-token" | "webhook-registry" | "delivery", MakeService>;
type Name = keyof typeof SERVICES;

const on = openStage({ PBO_WEBHOOK_ALLOW_LOOPBACK: "true" });
const partnerId = randomId();
let running: Record<Name, ServiceBroker>;
let edge: ServiceBroker;
let admin: ServiceBroker;

/** As a rollout leaves them: all with these keys and nothing of before in memory. */
async function restart(keys: string): Promise<void> {
  const before = Object.entries(running ?? {}) as [Name, ServiceBroker][];
  await Promise.all(before.map(([, broker]) => on.end(broker)));
  for (const caller of [edge, admin])
    for (const [name, broker] of before) await untilForgotten(caller, name, broker);
  const names = Object.keys(SERVICES) as Name[];
  const started = await Promise.all(
    names.map(async (name) => [name, await on.start(name, [SERVICES[name]], sets(keys))] as const),
  );
  running = Object.fromEntries(started) as Record<Name, ServiceBroker>;
  await on.untilMet();
}

beforeAll(async () => {
  [edge, admin] = await Promise.all([on.start("gateway", []), on.start("admin", [])]);
  await restart(OLD);
});
afterAll(() => on.stop());

const call = <T>(action: string, params: object, caller: Caller = partner(partnerId)): Promise<T> =>
  edge.call(action, params, { meta: { requestId: randomId(), traceparent: "", caller } }) as Promise<T>;
const http = (params: object, body?: unknown) => ({ params, query: {}, body, headers: { ifMatch: null } });
const owner: Caller = { kind: "user", userId: "u", email: "dev@example.com", role: "Owner", partnerId };

async function create(): Promise<{ customerId: string; email: string }> {
  const person = aPerson({ identities: [aPassport({ identityValue: "B98761234" })] });
  const params = http({}, aProfile({ businessPersonList: [person] }));
  const meta = { requestId: randomId(), traceparent: "", caller: partner(partnerId) };
  const { answers } = await call<{ answers: { body: { customerId: string } }[] }>("profile.create", {
    requests: [{ params, meta }],
  });
  return { customerId: String(answers[0]?.body.customerId), email: String(person.email) };
}

const aPut = ({ customerId, email }: { customerId: string; email: string }) => {
  const person = aPerson({ email, identities: [aPassport({ identityValue: "B98761234" })] });
  return aReplacement(customerId, { businessPersonList: [person] });
};
/** A replacement opens the stored numbers to see whether they changed; the version says whether anything did. */
const put = async (body: { customerId?: unknown }): Promise<number> => {
  const params = { businessProfileId: String(body.customerId) };
  return (await call<{ version: number }>("profile.replace", http(params, body))).version;
};

/** As a delivery process with this key has them. */
const excerptsUnder = (key: string) =>
  createExcerpts({
    keys: excerptKeyRepository(serviceRuntimeOf(running.delivery).mongo.connection),
    cipher: createFieldCipher(keysOf(key)),
    clock: { now: () => Date.now() },
    logger: pino({ level: "silent" }),
  });

const profiles = () =>
  serviceRuntimeOf(running.profile).mongo.connection.collection<StoredProfile>("business_profiles");

type Counts = Record<string, number>;

async function fieldKey(verb: "list" | "reseal"): Promise<{ left: Counts; rows: Record<string, unknown>[] }> {
  const { code, out, err } = await adminCommand(
    (action, request) => admin.call(action, request as object) as never,
    ["field-key", verb, "--json"],
  );
  if (code !== 0) throw new Error(err);
  const rows = JSON.parse(out) as Record<string, unknown>[];
  const left: Counts = {};
  // A set may have several stores.
  for (const { set, key, values } of rows)
    left[`${set} ${key}`] = (left[`${set} ${key}`] ?? 0) + Number(values);
  return { left, rows };
}

test("new key everywhere, new key first, reseal, old key gone: every value opens, at each step", async () => {
  const customers = [await create(), await create(), await create()];
  const [first, second] = customers as [(typeof customers)[0], (typeof customers)[0]];
  const { webhookSecret } = await call<{ webhookSecret: string }>(
    "webhook-registry.register",
    http({}, { url: "https://localhost:8443/hook" }),
    owner,
  );
  const attempt = { deliveryId: "d", attemptNo: 1, occurredAt: new Date() };
  const sealedExcerpt = await excerptsUnder(OLD).seal(attempt, "the answer");
  const keySet = async () => JSON.stringify(await call("auth-token.trustState", {}));
  const body = aPut(first);
  const [keysBefore, versionBefore] = [await keySet(), await put(body)];
  expect((await fieldKey("list")).left).toEqual({ "identity old": 3, "token old": 1, "webhook old": 2 });

  await restart(`${OLD},${NEW}`);
  await restart(`${NEW},${OLD}`);
  expect((await fieldKey("list")).left).toMatchObject({ "identity old": 3, "identity new": 0 });

  const resealed = await fieldKey("reseal");
  const nothingLeft = {
    ...{ "identity old": 0, "token old": 0, "webhook old": 0 },
    ...{ "identity new": 3, "token new": 1, "webhook new": 2 },
  };
  expect(resealed.left).toEqual(nothingLeft);
  expect(resealed.rows.every(({ unreadable }) => unreadable === 0)).toBe(true);
  const again = await fieldKey("reseal");
  expect(again.rows.every((row) => row.resealed === 0)).toBe(true);

  await restart(NEW);
  expect((await fieldKey("list")).left).toEqual({ "identity new": 3, "token new": 1, "webhook new": 2 });
  expect(await keySet()).toBe(keysBefore);
  expect(await put(body)).toBe(versionBefore);
  expect(await put(aPut(second))).toBe(versionBefore);
  const endpoint = await running.delivery.call<DeliveryEndpoint, object>(
    "webhook-registry.endpointForDelivery",
    {
      partnerId,
    },
  );
  const [secret] = endpoint.secrets;
  expect(createFieldCipher(keysOf(NEW)).open(String(secret?.sealed), secret?.place as never)).toBe(
    webhookSecret,
  );
  const record = { attemptNo: 1, sentAt: new Date(), statusCode: 200, durationMs: 1, errorKind: null };
  expect(await excerptsUnder(NEW).open("d", [{ ...record, sealedExcerpt }])).toEqual(["the answer"]);
});

test("beside writers: no change is lost, and nothing stays behind", async () => {
  const customers = await Promise.all(Array.from({ length: 6 }, create));
  await restart(`${LATER},${NEW}`);
  let isOver = false;
  const names = new Map<string, string>();
  const writers = customers.map(async ({ customerId, email }, index) => {
    for (let round = 0; !isOver || round < 3; round += 1) {
      const body = aReplacement(customerId, {
        name: `Company ${index} ${round}`,
        businessPersonList: [aPerson({ email, jobTitle: `Job ${round}` }), aPerson({})],
      });
      await call("profile.replace", http({ businessProfileId: customerId }, body));
      names.set(customerId, `Company ${index} ${round}`);
    }
  });
  try {
    for (let pass = 0; pass < 3; pass += 1) await fieldKey("reseal");
  } finally {
    isOver = true;
    await Promise.all(writers);
  }
  const { left } = await fieldKey("list");
  expect(left["identity new"]).toBe(0);
  for (const { customerId } of customers)
    expect((await profiles().findOne({ _id: customerId }))?.companyName).toBe(names.get(customerId));

  await restart(LATER);
  for (const customer of customers) expect(await put(aPut(customer))).toBeGreaterThan(3);
});

test("the secrets of a rotated webhook endpoint are all moved", async () => {
  const registry = serviceRuntimeOf(running["webhook-registry"]).mongo.connection.collection<Endpoint>(
    "webhook_endpoints",
  );
  await call("webhook-registry.rotateSecret", http({}), owner);
  const [current = ""] = (await registry.findOne({ partnerId }))?.secrets.map(({ sealed }) => sealed) ?? [];
  expect(current).toMatch(/^v1\.later\./);
  expect((await fieldKey("list")).left).toEqual({
    "identity later": 9,
    "token later": 1,
    "webhook later": 3,
  });
});
