import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  aRandomPatch,
  aRandomPerson,
  aRandomProfile,
  spoiled,
} from "../../support/builders/profile-arbitraries.ts";
import { aReference, type Body } from "../../support/builders/profile-builders.ts";
import { repetitions } from "../../support/repetitions.ts";
import { startProfileStage, type Value } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startProfileStage);

const RUNS = repetitions({ short: 40, nightly: 150 });

/** As a read shows what was sent: absent is null or [], numbers are masked. */
function asRead(body: Body): Body {
  const nulls = {
    phoneNumber: null,
    tradingName: null,
    description: null,
    registrationDate: null,
    financials: null,
  };
  const { businessPersonList = [], addresses = [], ...rest } = body as Record<string, Body[]>;
  return {
    ...nulls,
    ...rest,
    addresses: addresses.map(addressAsRead),
    businessPersonList: businessPersonList.map(personAsRead),
  };
}
const addressAsRead = (address: unknown) => ({ streetLine2: null, ...(address as Body) });
const mask = (value: unknown) => {
  const text = String(value);
  const tail = text.length > 4 ? text.slice(-4) : "";
  return `****${tail.isWellFormed() ? tail : tail.slice(1)}`;
};
function personAsRead(person: Body): Body {
  const { taxIdentificationNumber: tax, identities, address, ...rest } = person;
  return {
    uboId: expect.any(String),
    middleName: null,
    birthDate: null,
    taxResidenceCountry: null,
    placeOfBirthCountry: null,
    phone: null,
    jobTitle: null,
    percentageShare: null,
    isPoliticallyExposed: null,
    isAuthorizedSignatory: null,
    ...rest,
    taxIdentificationNumber: tax === undefined ? null : mask(tax),
    address: addressAsRead(address),
    identities: (identities as Body[]).map(({ documentUploadId = null, issueDate = null, ...identity }) => ({
      expiryDate: null,
      ...identity,
      identityValue: mask(identity.identityValue),
      issueDate: issueDate ?? null,
      documentUploadId: documentUploadId ?? null,
      documentStatus: documentUploadId ? "Missing" : null,
    })),
  };
}
const clean = (body: Body): Body => JSON.parse(JSON.stringify(body));

describe("any created customer", () => {
  test("and accepted, can be read back equal; a valid body is always accepted", async () => {
    await fc.assert(
      fc.asyncProperty(aRandomProfile, async (random) => {
        const body = { ...clean(random), partnerCustomerId: aReference() };
        const { customerId } = await stage.create(body);
        expect(await stage.read(customerId)).toEqual({
          ...asRead(body),
          customerId,
          verificationStatus: "PendingVerification",
          reviewStage: "Queued",
          documents: [],
          openChangeRequestCount: 0,
          version: 1,
          test: false,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        });
      }),
      { numRuns: RUNS },
    );
  });

  test("and refused, leaves nothing; what is spoiled is refused with a path, or accepted whole; never an error of ours", async () => {
    await fc.assert(
      fc.asyncProperty(spoiled(aRandomProfile), async (random) => {
        const before = await stage.collection.countDocuments();
        const outcome = await stage.ask("profile.create", { body: random });
        expect(await stage.collection.countDocuments()).toBe(before + (outcome.ok ? 1 : 0));
        if (outcome.ok) return;
        expect([400, 409]).toContain(outcome.status);
        expect(outcome.details.length).toBeGreaterThan(0);
        for (const { code, message } of outcome.details as Value[])
          expect([typeof code, typeof message]).toEqual(["string", "string"]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("any patched customer", () => {
  test("exactly the named fields change, and the answer names those that differ", async () => {
    const { customerId } = await stage.create(
      clean({ ...fc.sample(aRandomProfile, 1)[0], partnerCustomerId: aReference() }),
    );
    await fc.assert(
      fc.asyncProperty(aRandomPatch, async (random) => {
        const body = clean(random);
        const before = await stage.read(customerId);
        const { changedFields, version } = await stage.get("profile.patch", { params: { customerId }, body });
        const after = await stage.read(customerId);
        const named = asRead(body);
        const expected = { ...before };
        for (const field of Object.keys(body)) expected[field] = named[field];
        expect(after).toEqual({ ...expected, version, updatedAt: after.updatedAt });
        const differing = Object.keys(body).filter(
          (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
        );
        expect([...(changedFields as string[])].toSorted()).toEqual(differing.toSorted());
        expect(version).toBe((before.version as number) + (differing.length > 0 ? 1 : 0));
      }),
      { numRuns: RUNS },
    );
  });

  test("people are appended in order, and no stored person changes", async () => {
    await fc.assert(
      fc.asyncProperty(aRandomPerson, aRandomPerson, async (first, second) => {
        fc.pre(String(first.email).toLowerCase() !== String(second.email).toLowerCase());
        const body = {
          ...clean(fc.sample(aRandomProfile, 1)[0] ?? {}),
          partnerCustomerId: aReference(),
          businessPersonList: [clean(first)],
        };
        const { customerId } = await stage.create(body);
        const before = (await stage.read(customerId)).businessPersonList as Value[];
        await stage.get("profile.patch", {
          params: { customerId },
          body: { businessPersonList: [clean(second)] },
        });
        const after = (await stage.read(customerId)).businessPersonList as Value[];
        expect(after.slice(0, 1)).toEqual(before);
        expect(after.slice(1)).toEqual([personAsRead(clean(second))]);
      }),
      { numRuns: repetitions({ short: 20, nightly: 40 }) },
    );
  });
});
