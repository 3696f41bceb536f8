/** Fences of endpoints: each query reaches the endpoint that it names, as it was read. Then the sweeps' limits and pages. */
import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { COLLECTIONS } from "../../../services/webhook-registry/collections.ts";
import type { Endpoint } from "../../../services/webhook-registry/endpoint.model.ts";
import { endpointRepository } from "../../../services/webhook-registry/endpoint.repository.ts";
import { healthy } from "../../../services/webhook-registry/health.rules.ts";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { idsOf, later, NOW, several } from "../../support/builders/records.ts";
import { fences } from "../../support/fences.ts";
import { databaseOfFile } from "../../support/stage/test-database.ts";

const { connection } = databaseOfFile("webhook-registry", COLLECTIONS);
const endpoints = endpointRepository(connection);

const aSecret = (id: string, notAfter: Date | null = null) => ({ id, sealed: id, createdAt: NOW, notAfter });
const anEndpoint = (given: Partial<Endpoint> = {}): Endpoint => ({
  ...healthy(NOW),
  ...{ _id: randomUUID(), partnerId: randomUUID(), url: "https://example.com", secrets: [aSecret("s")] },
  ...{ createdAt: NOW, updatedAt: NOW, liveSince: NOW, partnerInactiveSince: null, version: 1 },
  ...given,
});
const withSecretUntil = (notAfter: Date) => ({ secrets: [aSecret("new"), aSecret("old", notAfter)] });
const url = "https://new.example.com";
const secrets = [aSecret("anew")];

fences(connection, COLLECTIONS.endpoints, anEndpoint, {
  findByPartner: { by: ["partnerId"], call: ({ partnerId }) => endpoints.findByPartner(partnerId) },
  replaceIfUnchanged: {
    by: ["_id", "version"],
    call: (read) => endpoints.replaceIfUnchanged(read, { url }),
    becomes: { url, version: 2 },
    once: true,
  },
  replaceSecrets: {
    by: ["_id", "version"],
    call: (read) => endpoints.replaceSecrets([{ ...read, secrets }]),
    becomes: { secrets, version: 2 },
    once: true,
  },
  findDegradedSince: {
    by: [],
    given: { status: "Degraded", failingSince: NOW },
    others: {},
    unless: { "it failed later": { failingSince: later(1) }, "it is active": { status: "Active" } },
    call: () => endpoints.findDegradedSince(NOW),
  },
  findWithExpiredSecrets: {
    by: [],
    given: withSecretUntil(NOW),
    others: {},
    unless: { "its secret is valid": withSecretUntil(later(1)) },
    call: () => endpoints.findWithExpiredSecrets(NOW),
  },
});

test("a partner has one endpoint, and the sweep takes 500", async () => {
  const mine = anEndpoint();
  expect(await endpoints.insert(mine)).toBe(true);
  expect(await endpoints.insert(anEndpoint({ partnerId: mine.partnerId }))).toBe(false);
  const given = { status: "Degraded", failingSince: NOW, ...withSecretUntil(NOW) } as const;
  await collectionOf(connection, COLLECTIONS.endpoints).insertMany(several(501, () => anEndpoint(given)));
  expect(await endpoints.findDegradedSince(NOW)).toHaveLength(500);
  expect(await endpoints.findWithExpiredSecrets(NOW)).toHaveLength(500);
});

test("pages: in the order of ids", async () => {
  await collectionOf(connection, COLLECTIONS.endpoints).deleteMany({});
  for (const _id of ["2", "1", "3"]) await endpoints.insert(anEndpoint({ _id }));
  expect(idsOf(await endpoints.pageAfter("1", 9))).toEqual(["2", "3"]);
  expect(idsOf(await endpoints.pageAfter("", 2))).toEqual(["1", "2"]);
});
