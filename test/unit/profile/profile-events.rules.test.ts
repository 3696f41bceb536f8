import { describe, expect, test } from "@jest/globals";
import { NO_CHANGES } from "../../../services/profile/change/change-requests.rules.ts";
import {
  createdFacts,
  erasedFact,
  originOf,
  outboxEntries,
  trailEntry,
  updatedFacts,
  verificationFacts,
} from "../../../services/profile/change/profile-events.rules.ts";
import { aDocumentSummary, aStoredPerson, aStoredProfile } from "../../support/builders/stored-profile.ts";

const ids = { customerId: "0190b5c8-7f3a-7c2e-9d4b-3f5a6b7c8d9e", partnerCustomerId: "cust-1" };
const profile = aStoredProfile({
  people: [aStoredPerson("u1"), aStoredPerson("u2", { ownershipType: ["DIRECTOR"], percentageShare: null })],
});
const added = (uboId: string, ownershipType: string[], percentageShare: number | null) => ({
  eventType: "business.person.added",
  data: { ...ids, uboId, ownershipType, percentageShare },
});

describe("originOf", () => {
  const call = { requestId: "r", traceparent: "00-trace-span-01" };
  const email = "x@acme.test";
  const partner = { kind: "partner", partnerId: "p", clientId: "client", scopes: [] } as const;
  const person = { kind: "user", userId: "u", email, role: "Owner", partnerId: "p" } as const;
  const analyst = { kind: "analyst", userId: "a", email } as const;

  test.each([
    [null, { kind: "system", id: "system" }],
    [partner, { kind: "partner", id: "client" }],
    [person, { kind: "partner", id: "u" }],
    [analyst, { kind: "analyst", id: "a" }],
  ])("of the caller %j: the actor %j", (caller, actor) => {
    expect(originOf({ ...call, caller })).toEqual({ ...call, correlationId: "trace", actor });
  });

  test("without a trace the request id correlates", () => {
    expect(originOf({ ...call, traceparent: "", caller: null })).toMatchObject({
      correlationId: "r",
      traceparent: null,
    });
    expect(originOf({ caller: null } as Parameters<typeof originOf>[0])).toMatchObject({
      requestId: "",
      correlationId: "",
    });
  });
});

test("createdFacts: the customer first, then each person by its id, nothing else about it", () => {
  expect(createdFacts(profile)).toEqual([
    {
      eventType: "business.profile.created",
      data: { ...ids, verificationStatus: "PendingVerification", ubos: ["u1", "u2"] },
    },
    added("u1", ["SHAREHOLDER", "UBO"], 30),
    added("u2", ["DIRECTOR"], null),
  ]);
});

describe("updatedFacts", () => {
  test("nothing changed: no event", () => {
    expect(updatedFacts(profile, profile, NO_CHANGES, [])).toEqual([]);
  });

  test("one field changed: one event", () => {
    const facts = updatedFacts(profile, profile, { ...NO_CHANGES, fields: ["website"] }, []);
    expect(facts).toMatchObject([
      { eventType: "business.profile.updated", data: { changedFields: ["website"] } },
    ]);
  });

  test("fields changed, one person added, one removed, a document confirmed, the status changed: in this order", () => {
    const changes = {
      ...NO_CHANGES,
      fields: ["website", "businessPersonList"],
      addedUboIds: ["u2"],
      removedUboIds: ["u0"],
    };
    const after = {
      ...profile,
      verificationStatus: "StartedNotCompleted" as const,
      openChangeRequestCount: 2,
    };
    const document = aDocumentSummary({ uboId: "u2", documentCategory: "Selfie" });
    expect(updatedFacts(profile, after, changes, [document])).toEqual([
      {
        eventType: "business.profile.updated",
        data: {
          ...ids,
          verificationStatus: "StartedNotCompleted",
          changedFields: ["website", "businessPersonList"],
          removedUboIds: ["u0"],
        },
      },
      added("u2", ["DIRECTOR"], null),
      {
        eventType: "business.document.confirmed",
        data: {
          ...ids,
          documentId: "d1",
          documentCategory: "Selfie",
          contentType: "application/pdf",
          sizeBytes: 12,
          uboId: "u2",
          confirmedAt: "2026-01-02T03:04:06.000Z",
        },
      },
      {
        eventType: "business.verification.updated",
        data: {
          ...ids,
          verificationStatus: "StartedNotCompleted",
          previousVerificationStatus: "PendingVerification",
          openChangeRequestCount: 2,
          reasonCodes: [],
          changeRequests: [],
        },
      },
    ]);
  });
});

test("updatedFacts: a corrected person by the names of its fields, a refused document with its reason", () => {
  const changes = { ...NO_CHANGES, people: new Map([["u2", ["lastName", "identities"]]]) };
  const refused = aDocumentSummary({ status: "Rejected", reason: "Malware", confirmedAt: null });
  expect(updatedFacts(profile, profile, changes, [refused])).toEqual([
    {
      eventType: "business.person.updated",
      data: {
        ...ids,
        uboId: "u2",
        ownershipType: ["DIRECTOR"],
        percentageShare: null,
        changedFields: ["lastName", "identities"],
      },
    },
    {
      eventType: "business.document.rejected",
      data: {
        ...ids,
        documentId: "d1",
        documentCategory: refused.documentCategory,
        contentType: "application/pdf",
        sizeBytes: 12,
        uboId: null,
        reason: "Malware",
        uploadedAt: refused.uploadedAt,
      },
    },
  ]);
});

test("erasedFact: whose data is gone, and since when", () => {
  expect(erasedFact(profile, "2030-01-01T00:00:00.000Z")).toEqual({
    eventType: "business.profile.erased",
    data: { ...ids, erasedAt: "2030-01-01T00:00:00.000Z" },
  });
});

test("verificationFacts: open requests by id, target and reason, without words, type and country", () => {
  const target = { kind: "Identity" as const, uboId: "u1", documentCategory: null, field: "identityValue" };
  const request = {
    changeRequestId: "c1",
    target: { ...target, identityTypeCode: "PASSPORT" as const, issuingCountry: "NGA" },
    reasonCode: "Other" as const,
    message: "please",
    status: "Open" as const,
    requestedAt: "2026-01-01T00:00:00.000Z",
    respondedAt: null,
  };
  const after = {
    ...profile,
    verificationStatus: "ChangesRequested" as const,
    changeRequests: [request, { ...request, changeRequestId: "c2", status: "Answered" as const }],
  };
  const [fact] = verificationFacts(profile, after);
  expect(fact?.data.changeRequests).toEqual([{ changeRequestId: "c1", target, reasonCode: "Other" }]);
});

test("verificationFacts: silent when the status stays, whatever the stage", () => {
  const underReview = { ...profile, reviewStage: "UnderReview" as const };
  expect(verificationFacts(profile, underReview)).toEqual([]);
});

test("outboxEntries: each fact has the next number, its customer and the request that made it", () => {
  const facts = [
    { eventType: "business.profile.updated" as const, data: { a: 1 } },
    { eventType: "business.person.added" as const, data: { b: 2 } },
  ];
  const origin = { requestId: "r", correlationId: "c", traceparent: "t" };
  const made = (isTest: boolean) =>
    outboxEntries(facts, { ...profile, sequence: 6, ...(isTest ? { isTest } : {}) }, origin, {
      now: Date.now,
    });
  const event = (index: number) => ({
    ...facts[index],
    partnerId: "partner-1",
    correlation: { correlationId: "c", requestId: "r", ...ids, sequence: 7 + index },
  });
  expect(made(false).map(({ body }) => JSON.parse(body))).toMatchObject([event(0), event(1)]);
  expect(made(false)).toMatchObject([{ traceparent: "t" }, { traceparent: "t" }]);
  expect([false, true].map((isTest) => JSON.parse(made(isTest)[0]?.body ?? "").test)).toEqual([
    undefined,
    true,
  ]);
});

test("the trail of a customer: an entry has the state before and after, the caller and the request", () => {
  const origin = originOf({ caller: null, requestId: "r" } as Parameters<typeof originOf>[0]);
  const closed = { ...profile, version: 9, verificationStatus: "Approved", reviewStage: "Closed" } as const;
  const change = { at: "now", action: "approve", detail: { a: 1 } };
  const entry = { ...change, version: 9, requestId: "r", actor: { kind: "system", id: "system" } };
  const to = { verificationStatus: "Approved", reviewStage: "Closed" };
  const from = { verificationStatus: "PendingVerification", reviewStage: profile.reviewStage };
  expect(trailEntry(closed, profile, origin, change)).toEqual({ ...entry, from, to });
  expect(trailEntry(closed, null, origin, { at: "now", action: "create" })).toEqual({
    ...{ ...entry, from: null, to, action: "create", detail: {} },
  });
});
