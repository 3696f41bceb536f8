import { describe, expect, test } from "@jest/globals";
import { randomId } from "../../../shared/ids.ts";
import { aProfile, aReference, aSmallProfile } from "../../support/builders/profile-builders.ts";
import { aCallId, partner, startProfileStage } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const stage = stageOfFile(startProfileStage);

describe("profile.create", () => {
  test("answers with the customer, its people in the order of the request, and PendingVerification", async () => {
    const body = aProfile();
    const value = await stage.create(body);
    expect(value).toEqual({
      customerId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      partnerCustomerId: body.partnerCustomerId,
      verificationStatus: "PendingVerification",
      ubos: (body.businessPersonList as Record<string, unknown>[]).map(({ firstName, lastName, email }) => ({
        uboId: expect.any(String),
        firstName,
        lastName,
        email,
      })),
      createdAt: expect.stringMatching(/Z$/),
    });
  });

  test("stores the profile, its people and one event for each in one document", async () => {
    const { customerId, ubos } = await stage.create(aProfile());
    const stored = await stage.stored(customerId);
    expect(stored).toMatchObject({ version: 1, sequence: 4, reviewStage: "Queued" });
    expect(stored?.people.map(({ uboId }) => uboId)).toEqual(ubos.map(({ uboId }) => uboId));
    const events = (stored?.outbox ?? []).map(({ body }) => JSON.parse(body));
    expect(events.map(({ eventType, correlation }) => [eventType, correlation.sequence])).toEqual([
      ["business.profile.created", 1],
      ["business.person.added", 2],
      ["business.person.added", 3],
      ["business.person.added", 4],
    ]);
    expect(events[0].data).toEqual({
      customerId,
      partnerCustomerId: stored?.partnerCustomerId,
      verificationStatus: "PendingVerification",
      ubos: ubos.map(({ uboId }) => uboId),
    });
  });

  test("with a reference that is in use: 409, names the customer, writes nothing", async () => {
    const partnerCustomerId = aReference();
    const { customerId } = await stage.create(aSmallProfile({ partnerCustomerId }));
    const before = await stage.collection.countDocuments();
    expect(await stage.ask("profile.create", { body: aSmallProfile({ partnerCustomerId }) })).toMatchObject({
      status: 409,
      code: "Customer.PartnerCustomerIdDuplicate",
      details: [{ field: "partnerCustomerId", customerId }],
    });
    expect(await stage.collection.countDocuments()).toBe(before);
  });

  test("with a reference that another partner uses: creates its own customer", async () => {
    const partnerCustomerId = aReference();
    const first = await stage.create(aSmallProfile({ partnerCustomerId }));
    const second = await stage.create(aSmallProfile({ partnerCustomerId }), partner(randomId()));
    expect(second.customerId).not.toBe(first.customerId);
  });

  test("tried again with the same call id: the same customer, stored once", async () => {
    const callId = aCallId();
    const body = aProfile();
    const first = await stage.get("profile.create", { body, callId });
    const second = await stage.get("profile.create", { body, callId });
    expect(second).toEqual(first);
    const { partnerCustomerId } = body as { partnerCustomerId: string };
    expect(await stage.collection.countDocuments({ partnerCustomerId })).toBe(1);
  });

  test("50 concurrent creates with one reference: one 200, 49 times 409, one profile", async () => {
    const partnerCustomerId = aReference();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () =>
        stage.ask("profile.create", { body: aProfile({ partnerCustomerId }) }),
      ),
    );
    const codes = outcomes.map((outcome) => (outcome.ok ? "ok" : outcome.code));
    expect(codes.filter((code) => code === "ok")).toHaveLength(1);
    expect(codes.filter((code) => code === "Customer.PartnerCustomerIdDuplicate")).toHaveLength(49);
    expect(await stage.collection.countDocuments({ partnerCustomerId })).toBe(1);
  });

  test("50 different concurrent creates: every answer belongs to its own body", async () => {
    const bodies = Array.from({ length: 50 }, (_, index) =>
      aSmallProfile({ companyName: `Company ${index}` }),
    );
    const values = await Promise.all(bodies.map((body) => stage.create(body)));
    for (const [index, { customerId, partnerCustomerId }] of values.entries()) {
      expect(partnerCustomerId).toBe(bodies[index]?.partnerCustomerId);
      expect((await stage.stored(customerId))?.companyName).toBe(`Company ${index}`);
    }
  });
});

describe("reads of one customer", () => {
  test("give back the body, masked, with an ETag of the version", async () => {
    const body = aProfile();
    const { customerId, ubos } = await stage.create(body);
    const outcome = await stage.ask("profile.get", { params: { customerId } });
    expect(outcome).toMatchObject({ ok: true, headers: { ETag: '"1"' } });
    const value = outcome.ok ? outcome.value : {};
    const people = body.businessPersonList as Record<string, unknown>[];
    expect(value).toMatchObject({
      ...body,
      businessPersonList: people.map(({ identities, taxIdentificationNumber, ...person }, index) => ({
        uboId: ubos[index]?.uboId,
        ...person,
        taxIdentificationNumber: taxIdentificationNumber ? "****1234" : null,
        identities: (identities as Record<string, string>[]).map((identity) => ({
          ...identity,
          identityValue: `****${identity.identityValue?.slice(-4)}`,
        })),
      })),
      documents: [],
      openChangeRequestCount: 0,
      version: 1,
    });
  });

  test("find it by reference, in the exact case only", async () => {
    const partnerCustomerId = `Ref.${aReference()}`;
    const { customerId } = await stage.create(aSmallProfile({ partnerCustomerId }));
    const byReference = (reference: string) =>
      stage.ask("profile.getByReference", { params: { partnerCustomerId: reference } });
    expect(await byReference(partnerCustomerId)).toMatchObject({ ok: true, value: { customerId } });
    expect(await byReference(partnerCustomerId.toLowerCase())).toMatchObject({ status: 404 });
  });

  test.each(["not-a-uuid", "", "00000000-0000-7000-8000-000000000000", "{$ne:null}"])(
    "with the id %p: 404 Customer.NotFound",
    async (customerId) => {
      expect(await stage.ask("profile.get", { params: { customerId } })).toMatchObject({
        status: 404,
        code: "Customer.NotFound",
      });
    },
  );

  test("by another partner: 403, and nothing by its reference", async () => {
    const body = aSmallProfile();
    const { customerId } = await stage.create(body);
    const caller = partner(randomId());
    expect(await stage.ask("profile.get", { params: { customerId }, caller })).toMatchObject({
      status: 403,
      code: "Partner.NotAuthorized",
    });
    const params = { partnerCustomerId: body.partnerCustomerId as string };
    expect(await stage.ask("profile.getByReference", { params, caller })).toMatchObject({ status: 404 });
  });
});

describe("events that were recorded", () => {
  test("leave the outbox of their customer, and only they", async () => {
    const { customerId } = await stage.create(aProfile());
    const before = (await stage.stored(customerId))?.outbox ?? [];
    const eventIds = before.slice(0, 3).map(({ eventId }) => eventId);
    const confirmation = { eventIds, partnerIds: [stage.partnerId] };
    expect(await stage.call("profile.confirmEvents", confirmation)).toEqual({ changed: 1 });
    const outbox = await waitFor(async () => {
      const left = (await stage.stored(customerId))?.outbox ?? [];
      return left.length < before.length && left;
    }, "the removal to be on a majority");
    expect(outbox).toEqual(before.slice(3));
    expect(await stage.call("profile.confirmEvents", confirmation)).toEqual({ changed: 0 });
    expect(await stage.stored(customerId)).toMatchObject({ version: 1 });
  });
});
