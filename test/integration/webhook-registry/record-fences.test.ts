/** Which endpoints are found and changed, and what a late write does: the guarantee is in the queries. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { COLLECTIONS } from "../../../services/webhook-registry/collections.ts";
import type { Endpoint } from "../../../services/webhook-registry/endpoint.model.ts";
import {
  type EndpointRepository,
  endpointRepository,
} from "../../../services/webhook-registry/endpoint.repository.ts";
import { healthy } from "../../../services/webhook-registry/health.rules.ts";
import { ensureCollections } from "../../../shared/mongo/ensure-collections.ts";
import { collectionOf, type Mongo } from "../../../shared/mongo/mongo.ts";
import { idsOf, several } from "../../support/builders/records.ts";
import { openTestDatabase } from "../../support/stage/test-database.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const later = (ms: number) => new Date(NOW.getTime() + ms);

let mongo: Mongo;
let endpoints: EndpointRepository;
beforeAll(async () => {
  mongo = await openTestDatabase("webhook-registry");
  await ensureCollections({ connection: mongo.connection, table: COLLECTIONS });
  endpoints = endpointRepository(mongo.connection);
});
beforeEach(async () => void (await collectionOf(mongo.connection, COLLECTIONS.endpoints).deleteMany({})));
afterAll(() => mongo.close());

const aSecret = (id: string, notAfter: Date | null = null) => ({ id, sealed: id, createdAt: NOW, notAfter });
const anEndpoint = (given: Partial<Endpoint> = {}): Endpoint => ({
  ...healthy(NOW),
  ...{ _id: randomUUID(), partnerId: randomUUID(), url: "https://example.com", secrets: [aSecret("s")] },
  ...{ createdAt: NOW, updatedAt: NOW, liveSince: NOW, partnerInactiveSince: null, version: 1 },
  ...given,
});
async function stored(given: Partial<Endpoint> = {}): Promise<Endpoint> {
  const endpoint = anEndpoint(given);
  expect(await endpoints.insert(endpoint)).toBe(true);
  return endpoint;
}

test("a partner has one endpoint, changed only as it was read, and no other with it", async () => {
  const [other, mine] = [await stored(), await stored()];
  expect(await endpoints.insert(anEndpoint({ partnerId: mine.partnerId }))).toBe(false);
  const changed = { ...mine, url: "https://new.example.com", version: 2 };
  expect(await endpoints.replaceIfUnchanged(mine, { url: changed.url })).toEqual(changed);
  expect(await endpoints.replaceIfUnchanged(mine, { url: "https://late.example.com" })).toBeNull();
  expect(await endpoints.findByPartner(mine.partnerId)).toEqual(changed);
  expect(await endpoints.findByPartner(other.partnerId)).toEqual(other);
  expect(await endpoints.findByPartner("none")).toBeNull();
});

test("for the sweep: those degraded since then, those with a secret whose time is over; a bounded number", async () => {
  const degraded = await stored({ status: "Degraded", failingSince: NOW });
  await stored({ status: "Degraded", failingSince: later(1) });
  await stored({ status: "Active", failingSince: NOW });
  expect(await endpoints.findDegradedSince(NOW)).toEqual([degraded]);
  const expired = await stored({ secrets: [aSecret("new"), aSecret("old", NOW)] });
  await stored({ secrets: [aSecret("new"), aSecret("old", later(1))] });
  expect(await endpoints.findWithExpiredSecrets(NOW)).toEqual([expired]);
  const secrets = [aSecret("old", NOW)];
  const many = several(501, () => anEndpoint({ status: "Degraded", failingSince: NOW, secrets }));
  await collectionOf(mongo.connection, COLLECTIONS.endpoints).insertMany(many);
  expect(await endpoints.findDegradedSince(NOW)).toHaveLength(500);
  expect(await endpoints.findWithExpiredSecrets(NOW)).toHaveLength(500);
});

test("a move to a new field key: page by page in the order of ids; who was changed meanwhile is left out", async () => {
  const [one, two, three] = [
    await stored({ _id: "1" }),
    await stored({ _id: "2" }),
    await stored({ _id: "3" }),
  ];
  expect(idsOf(await endpoints.pageAfter("1", 9))).toEqual(["2", "3"]);
  expect(idsOf(await endpoints.pageAfter("", 2))).toEqual(["1", "2"]);
  await endpoints.replaceIfUnchanged(one, { url: "https://new.example.com" });
  const secrets = [aSecret("anew")];
  await endpoints.replaceSecrets([one, three].map((endpoint) => ({ ...endpoint, secrets })));
  expect(await endpoints.findByPartner(three.partnerId)).toEqual({ ...three, secrets, version: 2 });
  expect(await endpoints.findByPartner(one.partnerId)).toMatchObject({ secrets: one.secrets, version: 2 });
  expect(await endpoints.findByPartner(two.partnerId)).toEqual(two);
});
