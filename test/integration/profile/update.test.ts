import { describe, expect, test } from "@jest/globals";
import { randomId } from "../../../shared/ids.ts";
import {
  aNationalId,
  aPassport,
  aPerson,
  aProfile,
  aReplacement,
  aSmallProfile,
} from "../../support/builders/profile-builders.ts";
import { aDocumentSummary } from "../../support/builders/stored-profile.ts";
import { startProfileStage, type Value } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startProfileStage);

const eventsAfter = async (customerId: string, sequence: number) =>
  (await stage.events(customerId)).filter(({ correlation }) => correlation.sequence > sequence);
const replace = (customerId: string, changes: Record<string, unknown>) =>
  stage.put(customerId, aReplacement(customerId, changes));
const document = (customerId: string) => {
  const documentId = randomId();
  const summary = aDocumentSummary({ documentId, documentCategory: "BusinessLicense", sizeBytes: 1234 });
  stage.documents.set(documentId, { ...summary, status: "AwaitingUpload", customerId });
  return documentId;
};

describe("PATCH", () => {
  test("{} changes nothing: no version, no event", async () => {
    const { customerId } = await stage.create(aProfile());
    const before = await stage.stored(customerId);
    expect(await stage.patch(customerId, {})).toMatchObject({
      ok: true,
      value: { changedFields: [], ubos: [], confirmedDocumentIds: [], version: 1 },
    });
    expect(await stage.stored(customerId)).toEqual(before);
  });

  test("values that are already there change nothing", async () => {
    const body = aProfile();
    const { customerId } = await stage.create(body);
    const { companyName, addresses, financials: money } = body;
    expect(await stage.patch(customerId, { companyName, addresses, financials: money })).toMatchObject({
      value: { changedFields: [], version: 1 },
    });
  });

  test("changes exactly what is named, and says so in its answer, its ETag and its event", async () => {
    const { customerId, partnerCustomerId } = await stage.create(aProfile());
    const before = await stage.read(customerId);
    const outcome = await stage.patch(customerId, {
      tradingName: "New name",
      incorporationCountryCode: "GHA",
    });
    expect(outcome).toEqual({
      ok: true,
      headers: { ETag: '"2"' },
      value: {
        customerId,
        partnerCustomerId,
        verificationStatus: "PendingVerification",
        ubos: [],
        confirmedDocumentIds: [],
        changedFields: ["tradingName", "incorporationCountryIso3Code"],
        version: 2,
      },
      warnings: [],
    });
    expect(await stage.read(customerId)).toEqual({
      ...before,
      tradingName: "New name",
      incorporationCountryIso3Code: "GHA",
      version: 2,
      updatedAt: expect.any(String),
    });
    expect(await eventsAfter(customerId, 4)).toMatchObject([
      {
        eventType: "business.profile.updated",
        correlation: { sequence: 5, customerId, partnerCustomerId },
        data: { changedFields: ["tradingName", "incorporationCountryIso3Code"], removedUboIds: [] },
      },
    ]);
  });

  test("appends people, never removes one, and publishes each", async () => {
    const { customerId, ubos } = await stage.create(aProfile());
    const outcome = await stage.patch(customerId, { businessPersonList: [aPerson(), aPerson()] });
    const value = outcome.ok ? outcome.value : {};
    expect(value).toMatchObject({ changedFields: ["businessPersonList"], ubos: [{}, {}] });
    const people = (await stage.read(customerId)).businessPersonList as Value[];
    const uboIds = people.map(({ uboId }) => uboId);
    expect(uboIds).toEqual([...ubos, ...(value.ubos as Value[])].map(({ uboId }) => uboId));
    const events = await eventsAfter(customerId, 4);
    expect(events.map(({ eventType, data }) => [eventType, data.uboId ?? null])).toEqual([
      ["business.profile.updated", null],
      ["business.person.added", uboIds[3]],
      ["business.person.added", uboIds[4]],
    ]);
  });

  test("at most 50 people in all", async () => {
    const people = Array.from({ length: 49 }, () => aPerson({ percentageShare: null }));
    const { customerId } = await stage.create(aProfile({ businessPersonList: people }));
    const two = { businessPersonList: [aPerson(), aPerson()] };
    expect(await stage.patch(customerId, two)).toMatchObject({
      status: 400,
      details: [{ field: "businessPersonList" }],
    });
    expect(await stage.patch(customerId, { businessPersonList: [aPerson()] })).toMatchObject({ ok: true });
  });

  test("confirms documents once, and publishes them once", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    const ids = [document(customerId), document(customerId)];
    expect(await stage.patch(customerId, { businessDocumentIdList: ids })).toMatchObject({
      value: { confirmedDocumentIds: ids, changedFields: [], version: 2 },
    });
    expect(await stage.patch(customerId, { businessDocumentIdList: [...ids].reverse() })).toMatchObject({
      value: { version: 2 },
    });
    expect((await stage.read(customerId)).documents).toMatchObject([
      { documentId: ids[0], status: "Confirmed", documentCategory: "BusinessLicense", sizeBytes: 1234 },
      { documentId: ids[1], status: "Confirmed" },
    ]);
    expect(await eventsAfter(customerId, 1)).toMatchObject([
      { eventType: "business.document.confirmed", data: { documentId: ids[0], customerId } },
      { eventType: "business.document.confirmed", data: { documentId: ids[1] } },
    ]);
  });

  test("with a document that is unknown or of another customer: the whole call fails", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    const other = await stage.create(aSmallProfile());
    const own = document(customerId);
    const body = { tradingName: "not stored", businessDocumentIdList: [own, randomId()] };
    expect(await stage.patch(customerId, body)).toMatchObject({ status: 400, code: "Document.NotFound" });
    body.businessDocumentIdList = [own, document(other.customerId)];
    expect(await stage.patch(customerId, body)).toMatchObject({ status: 403, code: "Document.AccessDenied" });
    expect(await stage.read(customerId)).toMatchObject({ version: 1, tradingName: null, documents: [] });
  });
});

describe("PUT", () => {
  test("replaces the listed fields, clears absent optional ones, keeps absent lists", async () => {
    const { customerId, partnerCustomerId } = await stage.create(aProfile());
    const before = await stage.read(customerId);
    const changes = { name: "Renamed Limited", registrationNumber: "N".repeat(100) };
    expect(await replace(customerId, changes)).toMatchObject({
      ok: true,
      headers: { ETag: '"2"' },
      value: { customerId, partnerCustomerId, verificationStatus: "PendingVerification", version: 2 },
    });
    expect(await stage.read(customerId)).toEqual({
      ...before,
      companyName: "Renamed Limited",
      registrationNumber: "N".repeat(100),
      tradingName: null,
      description: null,
      registrationDate: null,
      version: 2,
      updatedAt: expect.any(String),
    });
  });

  test("the same body twice changes the customer once", async () => {
    const { customerId } = await stage.create(aProfile());
    const body = aReplacement(customerId, {
      businessPersonList: [aPerson({ taxIdentificationNumber: "T-12345" })],
    });
    await stage.put(customerId, body);
    const before = await stage.stored(customerId);
    expect(await stage.put(customerId, body)).toMatchObject({ value: { version: 2 } });
    expect(await stage.stored(customerId)).toEqual(before);
  });

  test("matches people by uboId, then by email; the rest is removed from reads and kept for audit", async () => {
    const { customerId, ubos } = await stage.create(aProfile());
    const [first, second, third] = (await stage.read(customerId)).businessPersonList as Value[];
    const renamed = aPerson({ uboId: first?.uboId, firstName: "Renamed", email: "new@x.example" });
    const sameEmail = aPerson({ email: String(second?.email).toUpperCase(), firstName: "Changed" });
    const added = aPerson({ firstName: "Added" });
    const businessPersonList = [renamed, sameEmail, added];
    expect(await replace(customerId, { businessPersonList })).toMatchObject({ ok: true });
    const people = (await stage.read(customerId)).businessPersonList as Value[];
    expect(people.map(({ uboId, firstName }) => [uboId, firstName])).toEqual([
      [first?.uboId, "Renamed"],
      [second?.uboId, "Changed"],
      [expect.any(String), "Added"],
    ]);
    const stored = (await stage.stored(customerId))?.people ?? [];
    expect(stored.filter(({ removedAt }) => removedAt !== null).map(({ uboId }) => uboId)).toEqual([
      third?.uboId,
    ]);
    const events = await eventsAfter(customerId, 4);
    expect(events.map(({ eventType }) => eventType)).toEqual([
      "business.profile.updated",
      "business.person.added",
      "business.person.updated",
      "business.person.updated",
    ]);
    expect(events[0].data.removedUboIds).toEqual([ubos[2]?.uboId]);
  });

  test("a changed identity number is seen although only its mask is ever shown", async () => {
    const identities = (value: string) => [aPassport({ identityValue: value }), aNationalId()];
    const person = aPerson({ identities: identities("A11114567") });
    const { customerId } = await stage.create(aProfile({ businessPersonList: [person] }));
    await replace(customerId, { businessPersonList: [person] });
    const other = { ...person, identities: identities("A22224567") };
    expect(await replace(customerId, { businessPersonList: [other] })).toMatchObject({
      value: { version: 3 },
    });
  });

  test("a uboId in upper case is the same person, and twice is twice in any case", async () => {
    const { customerId, ubos } = await stage.create(aProfile());
    const uboId = String(ubos[0]?.uboId);
    const upper = aPerson({ uboId: uboId.toUpperCase(), email: "new@x.example" });
    expect(await replace(customerId, { businessPersonList: [upper] })).toMatchObject({ ok: true });
    expect((await stage.read(customerId)).businessPersonList).toMatchObject([
      { uboId, email: "new@x.example" },
    ]);
    const twice = [aPerson({ uboId }), aPerson({ uboId: uboId.toUpperCase() })];
    expect(await replace(customerId, { businessPersonList: twice })).toMatchObject({
      status: 400,
      details: [{ field: "businessPersonList[1].uboId" }],
    });
  });

  test("a uboId where none is asked for is ignored, whatever it is", async () => {
    const { customerId } = await stage.create(aProfile({ businessPersonList: [aPerson({ uboId: 5 })] }));
    const body = { businessPersonList: [aPerson({ uboId: { a: 1 } })] };
    expect(await stage.patch(customerId, body)).toMatchObject({ ok: true });
  });

  test("500 people over the life of a customer and no more, so that it stays within a document", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    const fifty = () =>
      Array.from({ length: 50 }, () => aPerson({ percentageShare: null, identities: [aNationalId()] }));
    for (let round = 0; round < 10; round += 1)
      expect(await replace(customerId, { businessPersonList: fifty() })).toMatchObject({ ok: true });
    expect(await replace(customerId, { businessPersonList: [aPerson()] })).toMatchObject({
      status: 400,
      code: "ValidationControl.Error",
      details: [{ field: "businessPersonList" }],
    });
    const { businessPersonList } = await stage.read(customerId);
    const [stays] = businessPersonList as Value[];
    const last = { businessPersonList: [aPerson({ uboId: stays?.uboId })] };
    expect(await replace(customerId, last)).toMatchObject({ ok: true });
  });
});

describe("PATCH of one person", () => {
  const correct = (customerId: string, uboId: string, body: unknown, more: object = {}) =>
    stage.ask("profile.patchPerson", { params: { customerId, uboId }, body, ...more });

  test("a surname: one write, both events, the numbers stay sealed as they were", async () => {
    const { customerId, ubos } = await stage.create(aProfile());
    const uboId = ubos[0]?.uboId ?? "";
    const before = await stage.read(customerId);
    expect(await correct(customerId, uboId.toUpperCase(), { lastName: "Okafor-Bello" })).toMatchObject({
      ok: true,
      headers: { ETag: '"2"' },
      value: { customerId, uboId, changedFields: ["lastName"], version: 2 },
    });
    const after = await stage.read(customerId);
    const [first, ...others] = before.businessPersonList;
    expect(after.businessPersonList).toEqual([{ ...first, lastName: "Okafor-Bello" }, ...others]);
    const events = await stage.events(customerId);
    expect(events.slice(-2).map(({ eventType, data }) => [eventType, data.changedFields])).toEqual([
      ["business.profile.updated", ["businessPersonList"]],
      ["business.person.updated", ["lastName"]],
    ]);
    expect(JSON.stringify(events)).not.toContain("Okafor-Bello");
  });

  test("nothing new: nothing is written; an unknown id: 404; another version: 412", async () => {
    const { customerId, ubos } = await stage.create(aProfile());
    const uboId = ubos[0]?.uboId ?? "";
    const stored = await stage.stored(customerId);
    expect(await correct(customerId, uboId, {})).toMatchObject({ value: { changedFields: [], version: 1 } });
    expect(await correct(customerId, customerId, {})).toMatchObject({ status: 404, code: "Ubo.NotFound" });
    expect(await correct(customerId, uboId, { lastName: "X" }, { ifMatch: '"9"' })).toMatchObject({
      status: 412,
    });
    expect(await stage.stored(customerId)).toEqual(stored);
  });

  test("answers a request for a change of that person", async () => {
    const { customerId, ubos } = await stage.create(aProfile());
    const uboId = ubos[0]?.uboId ?? "";
    await stage.step("claimCase", customerId);
    const target = { kind: "Person", uboId, field: "lastName" };
    const item = { target, reasonCode: "Person.IdentityMismatch", message: "Not as in the passport." };
    await stage.step("requestChanges", customerId, undefined, { items: [item] });
    const events = await stage.events(customerId);
    expect(events.at(-1).data).toMatchObject({
      verificationStatus: "ChangesRequested",
      changeRequests: [{ target, reasonCode: "Person.IdentityMismatch" }],
    });
    expect(JSON.stringify(events)).not.toContain("Not as in the passport.");
    expect(await correct(customerId, uboId, { lastName: "Okafor-Bello" })).toMatchObject({
      value: { verificationStatus: "PendingVerification" },
    });
  });

  test("PUT with people as they were read: changes nothing", async () => {
    const { customerId, ubos } = await stage.create(aProfile());
    const { businessPersonList } = await stage.read(customerId);
    await replace(customerId, { businessPersonList });
    const stored = await stage.stored(customerId);
    const [named] = businessPersonList;
    const { identities: _, ...unsaid } = named;
    const read = { businessPersonList: [unsaid, ...businessPersonList.slice(1)] };
    expect(await replace(customerId, read)).toMatchObject({ ok: true });
    expect((await stage.stored(customerId))?.people).toEqual(stored?.people);
    expect((await stage.stored(customerId))?.people[0]?.uboId).toBe(ubos[0]?.uboId);
  });
});
