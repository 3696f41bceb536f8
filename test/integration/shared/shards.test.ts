/**
 * The hot paths behind a real mongos with two shards. Each command of a service must name what leads to one shard; the few
 * that may ask every shard stand here with their reason.
 */
import { afterEach, describe, expect } from "@jest/globals";
import mongoose from "mongoose";
import { migrate } from "../../../deploy/lib/migrate.ts";
import { COLLECTIONS as AUTH_TOKEN } from "../../../services/auth-token/collections.ts";
import { usedAssertionRepository } from "../../../services/auth-token/token/used-assertion.repository.ts";
import { COLLECTIONS as DELIVERY } from "../../../services/delivery/collections.ts";
import { COLLECTIONS as DOCUMENT } from "../../../services/document/collections.ts";
import { COLLECTIONS as PROFILE } from "../../../services/profile/collections.ts";
import { COLLECTIONS as REGISTRY } from "../../../services/webhook-registry/collections.ts";
import type { ServiceName } from "../../../shared/config/config.ts";
import type { CollectionTable } from "../../../shared/mongo/collections.rules.ts";
import { createMongo, databaseName } from "../../../shared/mongo/mongo.ts";
import { aProfile, aReference, aSmallProfile } from "../../support/builders/profile-builders.ts";
import { type RoutedCommand, splitAt, startShardedCluster } from "../../support/servers/sharded-cluster.ts";
import { nightlyTest } from "../../support/skipped.ts";
import { startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { put, startDocumentStage } from "../../support/stage/document-stage.ts";
import { analyst, partner, startProfileStage } from "../../support/stage/profile-stage.ts";
import { openStage } from "../../support/stage/stage.ts";
import { ofFile } from "../../support/stage/stage-of-file.ts";

/** Collections are split at this partner, or in the middle of it where the id spreads a partner. */
const SPLIT = "80000000-0000-4000-8000-000000000000";
const BEFORE = "10000000-0000-4000-8000-000000000000";

/** Commands that may ask every shard: collection, command and fields of the filter. */
const ASKS_ALL: Record<string, string> = {
  "business_profiles find outbox.eventId": "the sweep of outboxes, for what anybody left behind",
  "business_profiles find _id,erased":
    "whose customer an id is: asked by analysts, and for another partner's",
  "business_profiles find companyNameKey,isTest,reviewStage,submittedAt": "the sweep of sandboxes",
  "business_profiles find _id,erased.isUnfinished": "the sweep of erasures",
  "business_profiles find reviewStage,updatedAt,verificationStatus": "the sweep of retention",
  "business_profiles find keptAnswers.at,keptAnswers.key": "the hourly sweep of stored responses",
  "business_profiles find people.removedAt": "the hourly sweep of removed people",
  "business_profiles update outbox.eventId,partnerId":
    "an event may lie in a tombstone, elsewhere than its partner",
  "deliveries distinct queue": "the holder of partitions looks for what waits in all of them",
  "deliveries find queue": "the first look at a queue, which tells whose it is",
  "deliveries update claimableAt,nextAttemptAt,queue": "what a process that died had in hand",
  "deliveries find claimableAt,nextAttemptAt,queue": "the waiting retries of an endpoint that works again",
  "deliveries find _id,queue": "what waits for an endpoint that is disabled",
  "deliveries aggregate claimableAt,queue": "the gauge of what is due",
  "deliveries distinct ": "the partners that may have something to tally",
  "events aggregate endpointId,partnerId": "the partners with events that were sent nowhere",
  "events find feedAt": "the events without a position in the feed",
  "documents find dueAt": "the sweep of documents",
  "documents aggregate dueAt": "the gauge of what is due",
};

const cluster = ofFile(startShardedCluster, ({ end }) => end());

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const nsOf = (namespace: string, service: ServiceName, collection: string) =>
  `${databaseName(namespace, service)}.${collection}`;

const filtersOf = ({ command }: RoutedCommand): object[] => {
  const { filter, query, updates, pipeline } = command as Record<string, unknown>;
  if (Array.isArray(updates)) return updates.map(({ q }) => q);
  if (Array.isArray(pipeline)) return [pipeline[0]?.$match ?? {}];
  return [(filter ?? query ?? {}) as object];
};

const shapesOf = (routed: RoutedCommand): string[] =>
  filtersOf(routed).map((filter) => {
    const [name = ""] = Object.keys(routed.command);
    return `${routed.ns.split(".")[1]} ${name} ${Object.keys(filter).sort().join(",")}`;
  });

/** Where mongos does not say how many it asked (of an upsert: none), the filter tells: it names the beginning of the key, or does not. */
const asksOne = (routed: RoutedCommand, table: CollectionTable): boolean => {
  if (routed.shards) return routed.shards === 1;
  const row = Object.values(table).find(({ name }) => name === routed.ns.split(".")[1]);
  const [first = ""] = Object.keys(row?.shards ?? {});
  return filtersOf(routed).every((filter) => first in filter);
};

const isOfSplit = ({ command }: RoutedCommand): boolean => JSON.stringify(command).includes(SPLIT);

/** Commands on sharded collections since the last call, without those for the partner on both shards. */
function routedTo(namespace: string, service: ServiceName, table: CollectionTable) {
  const sharded = Object.values(table).filter(({ shards }) => typeof shards !== "string");
  const spread = new Set(sharded.map(({ name }) => nsOf(namespace, service, name)));
  const asked = cluster
    .routed()
    // The rest of a cursor goes where its beginning went.
    .filter((routed) => spread.has(routed.ns) && !("getMore" in routed.command) && !isOfSplit(routed));
  const [one, all] = [new Set<string>(), new Set<string>()];
  for (const routed of asked)
    for (const shape of shapesOf(routed)) (asksOne(routed, table) ? one : all).add(shape);
  return { one, unexplained: [...all].filter((shape) => !(shape in ASKS_ALL)) };
}

const hasOneId = (filter: { _id?: unknown }): boolean => typeof filter._id === "string";

/** How many documents each shard has. */
async function counts(ns: string, filter: object): Promise<number[]> {
  const [dbName = "", collection = ""] = ns.split(".");
  const explained = await cluster.admin.client
    .db(dbName)
    .command({ explain: { find: collection, filter }, verbosity: "executionStats" });
  const { shards } = explained.executionStats.executionStages as { shards: { nReturned: number }[] };
  return shards.map(({ nReturned }) => nReturned);
}

/** The events in the outbox of a customer, seen past the service. */
async function pendingOf(ns: string, _id: string): Promise<string[]> {
  const [dbName = "", collection = ""] = ns.split(".");
  const customers = cluster.admin.client
    .db(dbName)
    .collection<{ _id: string; outbox: { eventId: string }[] }>(collection);
  return ((await customers.findOne({ _id }))?.outbox ?? []).map(({ eventId }) => eventId);
}

describe("the migration behind mongos", () => {
  nightlyTest(
    "spreads what the table names, also what has documents, once; the plan says so before and after",
    async () => {
      const on = openStage({ PBO_MONGODB_URI: cluster.uri });
      const config = on.configOf("auth-token");
      const parts = ["auth-token"] as const;
      const ns = nsOf(on.namespace, "auth-token", "request_log");
      const database = cluster.admin.client.db(databaseName(on.namespace, "auth-token"));
      await database.collection<{ _id: string; partnerId: string }>("request_log").insertOne({
        _id: "before",
        partnerId: BEFORE,
      });
      const shardsIn = async (planOnly: boolean) =>
        (await migrate(config, { parts, planOnly })).filter(({ name }) => name.startsWith("shard "));
      const lines = ["shard used_assertions by _id (hashed)", "shard request_log by partnerId, _id (hashed)"];
      const all = (state: string) => lines.map((name) => ({ part: "auth-token", name, state }));
      expect(await shardsIn(true)).toEqual(all("to do"));
      expect(await shardsIn(false)).toEqual(all("done"));
      expect(await shardsIn(false)).toEqual([]);
      expect(await shardsIn(true)).toEqual([]);
      expect(await database.command({ collStats: "request_log" })).toMatchObject({ sharded: true, count: 1 });
      expect(ns).toBe(`${database.databaseName}.request_log`);
    },
  );
});

nightlyTest("an assertion is used once, and the use is asked of one shard", async () => {
  const on = openStage({ PBO_MONGODB_URI: cluster.uri });
  const config = on.configOf("auth-token");
  await migrate(config, { parts: ["auth-token"] });
  const service = createMongo(config);
  ends.push(() => service.close());
  await service.connect();
  const uses = usedAssertionRepository(service.connection);
  cluster.routed();
  const expiresAt = new Date(Date.now() + 60_000);
  const wishes = Array.from({ length: 20 }, (_, no) => ({ clientId: "c", jti: `j${no}`, expiresAt }));
  for (const wish of wishes) expect(await uses.use(wish)).toBe(true);
  for (const wish of wishes) expect(await uses.use(wish)).toBe(false);
  const { one, unexplained } = routedTo(on.namespace, "auth-token", AUTH_TOKEN);
  expect([[...one], unexplained]).toEqual([["used_assertions insert "], []]);
  const perShard = await counts(nsOf(on.namespace, "auth-token", "used_assertions"), {});
  expect(perShard.reduce((sum, each) => sum + each, 0)).toBe(20);
  expect(perShard).toHaveLength(2);
});

nightlyTest(
  "customers: every request of a partner asks one shard, references and keys stay unique, an erased one is found",
  async () => {
    const stage = await startProfileStage({ PBO_MONGODB_URI: cluster.uri });
    ends.push(stage.stop);
    const ns = nsOf(stage.namespace, "profile", "business_profiles");
    await splitAt(cluster, ns, { partnerId: SPLIT });
    const [caller, other] = [partner(BEFORE), partner(SPLIT)];
    cluster.routed();

    const partnerCustomerId = aReference();
    const wish = { body: aProfile({ partnerCustomerId }), idempotencyKey: "key-1", caller };
    const { customerId } = await stage.get<{ customerId: string }>("profile.create", wish);
    expect(await stage.get("profile.create", wish)).toMatchObject({ customerId });
    const again = { body: aSmallProfile(), idempotencyKey: "key-1", caller };
    expect(await stage.ask("profile.create", again)).toMatchObject({ code: "Idempotency.KeyReused" });
    expect(
      await stage.ask("profile.create", { body: aSmallProfile({ partnerCustomerId }), caller }),
    ).toMatchObject({
      code: "Customer.PartnerCustomerIdDuplicate",
    });
    const params = { customerId };
    expect(await stage.get("profile.get", { params, caller })).toMatchObject({ customerId });
    expect(await stage.get("profile.list", { caller })).toMatchObject({ items: [{ customerId }] });
    await stage.get("profile.getByReference", { params: { partnerCustomerId }, caller });
    await stage.get("profile.patch", { params, body: { website: "https://other.example" }, caller });
    await stage.call("profile.recordDocument", { customerId, partnerId: BEFORE, document: A_FILE });
    const eventIds = await pendingOf(ns, customerId);
    expect(await stage.call("profile.confirmEvents", { eventIds, partnerIds: [BEFORE] })).toEqual({
      changed: 1,
    });

    const elsewhere = await stage.create(aSmallProfile({ partnerCustomerId }), other);
    expect(await counts(ns, { partnerCustomerId })).toEqual([1, 1]);
    expect(await stage.ask("profile.get", { params, caller: other })).toMatchObject({
      code: "Partner.NotAuthorized",
    });
    expect(await stage.step("claimCase", customerId, analyst("ada"))).toMatchObject({ ok: true });

    const { one, unexplained } = routedTo(stage.namespace, "profile", PROFILE);
    expect(unexplained).toEqual([]);
    expect([...one]).toEqual(
      expect.arrayContaining([
        "business_profiles insert ",
        "business_profiles find _id,partnerId",
        "business_profiles find partnerId",
        "business_profiles find partnerCustomerId,partnerId",
        "business_profiles find keptAnswers.key,partnerId",
        "business_profiles update _id,partnerId,version",
      ]),
    );

    // The tombstone lies under another partner, so the write moves it to the other shard.
    const erasure = { customerId, partnerId: BEFORE, operator: "ada", reason: "ticket-4711" };
    expect(await stage.call("profile.eraseCustomer", erasure)).toMatchObject({ finished: true });
    expect(await stage.ask("profile.get", { params, caller })).toMatchObject({ code: "Customer.Erased" });
    const confirmed = { eventIds: await pendingOf(ns, customerId), partnerIds: [BEFORE] };
    expect(await stage.call("profile.confirmEvents", confirmed)).toEqual({ changed: 1 });
    expect(
      await stage.get("profile.get", { params: { customerId: elsewhere.customerId }, caller: other }),
    ).toBeTruthy();
    await expectTabled(stage.namespace, "profile", PROFILE);
  },
);

nightlyTest(
  "deliveries: a large partner is on both shards, and what is known by its id is asked of one",
  async () => {
    const stage = await startDeliveryStage({
      PBO_MONGODB_URI: cluster.uri,
      PBO_DELIVERY_RETRY_SCHEDULE: "0,0.05,0.05,0.05,0.05,0.05,0.05,0.05",
    });
    ends.push(stage.stop);
    const nsIn = (collection: string) => nsOf(stage.namespace, "delivery", collection);
    const middle = { partnerId: SPLIT, _id: mongoose.mongo.Long.fromNumber(0) };
    for (const collection of ["events", "deliveries"]) await splitAt(cluster, nsIn(collection), middle);
    await stage.register(SPLIT);
    const many = Array.from({ length: 40 }, () => stage.anEvent(SPLIT));
    await stage.publish(many);
    const untilTotal = (partnerId: string, status: string, total: number) =>
      stage.untilTotal(partnerId, { status }, total);
    await untilTotal(SPLIT, "Delivered", 40);
    for (const collection of ["events", "deliveries"]) {
      const perShard = await counts(nsIn(collection), { partnerId: SPLIT });
      expect([perShard.length, perShard.reduce((sum, each) => sum + each, 0)]).toEqual([2, 40]);
      expect(Math.min(...perShard)).toBeGreaterThan(0);
    }
    // Recorded once, whatever shard it is on.
    await stage.publish(many, ({ eventId }) => `${eventId} again`);
    const extra = stage.anEvent(SPLIT);
    await stage.publish([extra]);
    await untilTotal(SPLIT, "Delivered", 41);
    const [newest] = (await stage.list(SPLIT)).items;
    cluster.routed();
    await stage.detail(SPLIT, newest?.id ?? "");
    const byId = cluster
      .routed()
      .filter((routed) => isOfSplit(routed) && filtersOf(routed).every((filter) => hasOneId(filter)));
    expect(byId.map(({ ns, shards }) => [ns, shards])).toEqual([
      [nsIn("deliveries"), 1],
      [nsIn("events"), 1],
    ]);

    const receiver = await stage.aReceiver();
    receiver.answer(500, 500, 200);
    await stage.register(BEFORE, receiver.url());
    await stage.publish([stage.anEvent(BEFORE)]);
    await untilTotal(BEFORE, "Delivered", 1);
    const [first] = (await stage.list(BEFORE)).items;
    expect(await stage.detail(BEFORE, first?.id ?? "")).toMatchObject({ attemptCount: 3 });
    expect((await stage.list(BEFORE, { page: "2", pageSize: "1" })).items).toEqual([]);
    await stage.replay(BEFORE, first?.id ?? "");
    await untilTotal(BEFORE, "Delivered", 2);
    expect(await stage.replayWindow(BEFORE, stage.aroundNow())).toMatchObject({ created: 1 });
    await untilTotal(BEFORE, "Delivered", 3);

    const { one, unexplained } = routedTo(stage.namespace, "delivery", DELIVERY);
    expect(unexplained).toEqual([]);
    expect([...one]).toEqual(
      expect.arrayContaining([
        "events insert ",
        "events find _id,partnerId",
        "deliveries insert ",
        "deliveries update _id,attemptCount,partnerId,status",
        "deliveries update _id,claimableAt,partnerId,status",
        "deliveries find _id,claim,partnerId,status",
        "deliveries find _id,partnerId",
        "deliveries find counted,eventType,occurredAt,partnerId,status",
      ]),
    );
    await expectTabled(stage.namespace, "delivery", DELIVERY);
    await expectTabled(stage.namespace, "webhook-registry", REGISTRY);
  },
);

nightlyTest(
  "documents: a link, its file and its confirmation ask one shard, and a key is used once",
  async () => {
    const stage = await startDocumentStage({ mongodbUri: cluster.uri });
    ends.push(stage.end);
    await stage.start();
    const ns = nsOf(stage.namespace, "document", "documents");
    await splitAt(cluster, ns, { partnerId: SPLIT });
    const [owner, other] = [
      { ...stage.aCustomer(), partnerId: BEFORE },
      { ...stage.aCustomer(), partnerId: SPLIT },
    ];
    cluster.routed();
    const link = await stage.link(owner, undefined, {}, { idempotencyKey: "key-1" });
    expect(await stage.link(owner, undefined, {}, { idempotencyKey: "key-1" })).toMatchObject({
      documentId: link.documentId,
    });
    await put(link);
    await stage.settled(link.documentId, "Confirmed");
    expect(await stage.confirm(owner, [link.documentId])).toMatchObject([{ status: "Confirmed" }]);
    const { one, unexplained } = routedTo(stage.namespace, "document", DOCUMENT);
    expect(unexplained).toEqual([]);
    expect([...one]).toEqual(
      expect.arrayContaining([
        "documents insert ",
        "documents aggregate customerId,partnerId",
        "documents find _id,partnerId",
        "documents findAndModify _id,partnerId,revision",
      ]),
    );
    await expect(stage.confirm(other, [link.documentId])).rejects.toMatchObject({
      type: "Document.AccessDenied",
    });
    await expectTabled(stage.namespace, "document", DOCUMENT);
  },
);

/** A collection without a row would stay on one shard unnoticed. */
async function expectTabled(namespace: string, service: ServiceName, table: CollectionTable): Promise<void> {
  const found = await cluster.admin.client.db(databaseName(namespace, service)).listCollections().toArray();
  const declared = ["beats", ...Object.values(table).map(({ name }) => name)];
  expect([service, found.map(({ name }) => name).filter((name) => !declared.includes(name))]).toEqual([
    service,
    [],
  ]);
}

const A_FILE = {
  documentId: "0190a5d4-7c1e-7b3a-9d8e-5f2c1a6b4d3e",
  documentCategory: "BusinessLicense",
  contentType: "application/pdf",
  sizeBytes: 10,
  uboId: null,
  status: "Confirmed",
  reason: null,
  uploadedAt: "2030-01-01T00:00:00.000Z",
  confirmedAt: "2030-01-01T00:00:00.000Z",
};
