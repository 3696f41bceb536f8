import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { randomId } from "../../../shared/ids.ts";
import {
  aNationalId,
  aPerson,
  aProfile,
  aReplacement,
  aSmallProfile,
} from "../../support/profile-builders.ts";
import {
  analyst,
  type Outcome,
  type ProfileStage,
  startProfileStage,
  type Value,
} from "../../support/profile-stage.ts";
import { waitFor } from "../../support/wait-for.ts";

let stage: ProfileStage;
beforeAll(async () => {
  stage = await startProfileStage();
});
afterAll(() => stage.stop());

const ada = analyst("ada");
const ben = analyst("ben");
type Step = "claimCase" | "releaseCase" | "requestChanges" | "approveCase" | "rejectCase";
const step = (name: Step, customerId: string, caller = ada, body?: unknown): Promise<Outcome> =>
  stage.ask(`profile.${name}`, { params: { customerId }, caller, body });
const patch = (customerId: string, body: unknown) =>
  stage.ask("profile.patch", { params: { customerId }, body });
const statusOf = (customerId: string) => stage.get("profile.verificationStatus", { params: { customerId } });
const item = (target: object) => ({
  target,
  reasonCode: "Document.Unreadable",
  message: "please send it again",
});
const WEBSITE = item({ kind: "Business", field: "website" });
const EMAIL = item({ kind: "Business", field: "email" });

async function underReview(body: unknown = aProfile()) {
  const created = await stage.create(body);
  expect(await step("claimCase", created.customerId)).toMatchObject({ ok: true });
  return created;
}

async function withRequests(items: unknown[]) {
  const created = await underReview();
  expect(await step("requestChanges", created.customerId, ada, { items })).toMatchObject({ ok: true });
  return created;
}

const recordDocument = (customerId: string, document: object) =>
  stage.call<Value>("profile.recordDocument", {
    customerId,
    document: {
      documentId: randomId(),
      documentCategory: "BusinessLicense",
      contentType: "application/pdf",
      sizeBytes: 10,
      uboId: null,
      status: "Confirmed",
      reason: null,
      uploadedAt: "2030-01-01T00:00:00.000Z",
      confirmedAt: "2030-01-01T00:00:00.000Z",
      ...document,
    },
  });

describe("a claim", () => {
  test("by two analysts at once: one wins, the other is told", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    const outcomes = await Promise.all([
      step("claimCase", customerId, ada),
      step("claimCase", customerId, ben),
    ]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(outcomes.find(({ ok }) => !ok)).toMatchObject({ status: 409, code: "Case.AlreadyClaimed" });
  });

  test("by 30 analysts at once, through two instances: one wins", async () => {
    const second = await stage.startService();
    try {
      const { customerId } = await stage.create(aSmallProfile());
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, (_, index) => step("claimCase", customerId, analyst(`n${index}`))),
      );
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    } finally {
      await second.stop();
    }
  });

  test("locks the package: PATCH, PUT and a new upload give Customer.UnderReview", async () => {
    const { customerId } = await underReview();
    const locked = { status: 409, code: "Customer.UnderReview" };
    expect(await patch(customerId, { tradingName: "x" })).toMatchObject(locked);
    expect(await patch(customerId, {})).toMatchObject(locked);
    const body = aReplacement(customerId);
    expect(
      await stage.ask("profile.replace", { params: { businessProfileId: customerId }, body }),
    ).toMatchObject(locked);
    const question = { customerId, partnerId: stage.partnerId, uboId: null };
    await expect(stage.call("profile.customerForUpload", question)).rejects.toMatchObject({
      type: "Customer.UnderReview",
      code: 409,
    });
    expect(await stage.stored(customerId)).toMatchObject({ version: 2 });
  });

  test("is given back by its owner only", async () => {
    const { customerId } = await underReview();
    expect(await step("releaseCase", customerId, ben)).toMatchObject({ status: 403, code: "Case.NotOwner" });
    expect(await step("releaseCase", customerId)).toMatchObject({
      value: { reviewStage: "Queued", claimedBy: null },
    });
    expect(await step("releaseCase", customerId)).toMatchObject({ status: 409, code: "Case.InvalidState" });
  });

  test("again by its owner: renewed", async () => {
    const { customerId } = await underReview();
    const before = (await stage.stored(customerId))?.claim?.leaseUntil ?? "";
    stage.clock.move(60_000);
    expect(await step("claimCase", customerId)).toMatchObject({
      value: { claimedBy: ada.kind === "analyst" && ada.email },
    });
    expect((await stage.stored(customerId))?.claim?.leaseUntil).not.toBe(before);
  });

  test("ends by itself after eight hours: queued for all to see, unlocked, free for others", async () => {
    const { customerId } = await underReview();
    stage.clock.move(8 * 3_600_000 + 1_000);
    expect(await statusOf(customerId)).toMatchObject({ reviewStage: "Queued" });
    const queued = await stage.get("profile.list", { query: { reviewStage: "Queued" } });
    expect((queued.items as Value[]).map((one) => one.customerId)).toContain(customerId);
    const busy = await stage.get("profile.list", { query: { reviewStage: "UnderReview" } });
    expect((busy.items as Value[]).map((one) => one.customerId)).not.toContain(customerId);
    expect(await step("approveCase", customerId)).toMatchObject({ status: 409, code: "Case.InvalidState" });
    expect(await patch(customerId, { tradingName: "free again" })).toMatchObject({ ok: true });
    expect(await stage.stored(customerId)).toMatchObject({ claim: null, reviewStage: "Queued" });
    expect(await step("claimCase", customerId, ben)).toMatchObject({ ok: true });
  });
});

describe("requests for changes", () => {
  test("unlock the package and show in verification-status", async () => {
    const { customerId } = await withRequests([WEBSITE, EMAIL]);
    expect(await statusOf(customerId)).toMatchObject({
      verificationStatus: "ChangesRequested",
      reviewStage: "AwaitingPartner",
      changeRequests: [
        {
          changeRequestId: expect.any(String),
          target: { kind: "Business", uboId: null, documentCategory: null, field: "website" },
          reasonCode: "Document.Unreadable",
          message: "please send it again",
          status: "Open",
          requestedAt: expect.any(String),
          respondedAt: null,
        },
        { status: "Open" },
      ],
    });
    expect(await stage.read(customerId)).toMatchObject({ openChangeRequestCount: 2 });
  });

  test("answered one by one: StartedNotCompleted, then back in the queue at its end", async () => {
    const { customerId } = await withRequests([WEBSITE, EMAIL]);
    const submittedAt = (await statusOf(customerId)).submittedAt as string;
    expect(await patch(customerId, { tradingName: "no answer" })).toMatchObject({
      value: { verificationStatus: "ChangesRequested" },
    });
    expect(await patch(customerId, { website: "https://new.example" })).toMatchObject({
      value: { verificationStatus: "StartedNotCompleted" },
    });
    expect(await patch(customerId, { email: "new@x.example" })).toMatchObject({
      value: { verificationStatus: "PendingVerification" },
    });
    const status = await statusOf(customerId);
    expect(status).toMatchObject({
      reviewStage: "Queued",
      changeRequests: [{ status: "Answered" }, { status: "Answered" }],
    });
    expect((status.submittedAt as string) > submittedAt).toBe(true);
    expect((status.history as Value[]).map((one) => one.status)).toEqual([
      "PendingVerification",
      "ChangesRequested",
      "StartedNotCompleted",
      "PendingVerification",
    ]);
  });

  test("a PATCH with people is the response, whatever is still open", async () => {
    const { customerId } = await withRequests([WEBSITE, EMAIL]);
    expect(await patch(customerId, { businessPersonList: [aPerson()] })).toMatchObject({
      value: { verificationStatus: "PendingVerification" },
    });
    expect(await stage.read(customerId)).toMatchObject({ reviewStage: "Queued", openChangeRequestCount: 2 });
  });

  test("a document in the category answers, through the document service and by PATCH alike", async () => {
    const target = { kind: "Document", documentCategory: "BusinessLicense" };
    const { customerId } = await withRequests([item(target), EMAIL]);
    expect(await recordDocument(customerId, { documentCategory: "TaxCertificate" })).toMatchObject({
      recorded: true,
    });
    expect(await statusOf(customerId)).toMatchObject({ verificationStatus: "ChangesRequested" });
    await recordDocument(customerId, {});
    expect(await statusOf(customerId)).toMatchObject({ verificationStatus: "StartedNotCompleted" });
  });

  test("with a wrong body: 400, and the case stays claimed", async () => {
    const { customerId } = await underReview();
    for (const [body, field] of [
      [undefined, ""],
      [{}, "items"],
      [{ items: [] }, "items"],
      [{ items: [{ ...WEBSITE, reasonCode: "Nope" }] }, "items[0].reasonCode"],
      [{ items: [{ ...WEBSITE, target: { kind: "Planet" } }] }, "items[0].target.kind"],
      [{ items: [{ ...WEBSITE, message: " " }] }, "items[0].message"],
      [{ items: [item({ kind: "Person", uboId: randomId() })] }, "items[0].target.uboId"],
    ] as [unknown, string][])
      expect(await step("requestChanges", customerId, ada, body)).toMatchObject({
        status: 400,
        code: "ValidationControl.Error",
        details: [{ field }],
      });
    expect(await statusOf(customerId)).toMatchObject({ reviewStage: "UnderReview" });
  });
});

describe("a decision", () => {
  test("approves: closed, told, and open requests are withdrawn", async () => {
    const { customerId } = await withRequests([WEBSITE]);
    await patch(customerId, { businessPersonList: [aPerson()] });
    await step("claimCase", customerId, ben);
    expect(await step("approveCase", customerId, ben, { note: "fine" })).toMatchObject({
      value: { verificationStatus: "Approved", reviewStage: "Closed", claimedBy: null },
    });
    expect(await statusOf(customerId)).toMatchObject({
      decision: { outcome: "Approved", reasons: [] },
      decidedAt: expect.any(String),
      changeRequests: [{ status: "Withdrawn" }],
    });
    const events = ((await stage.stored(customerId))?.outbox ?? []).map(({ body }) => JSON.parse(body));
    expect(
      events
        .filter(({ eventType }) => eventType === "business.verification.updated")
        .map(({ data }) => [
          data.previousVerificationStatus,
          data.verificationStatus,
          data.openChangeRequestCount,
        ]),
    ).toEqual([
      ["PendingVerification", "ChangesRequested", 1],
      ["ChangesRequested", "PendingVerification", 1],
      ["PendingVerification", "Approved", 0],
    ]);
  });

  test("an approved customer is reviewed again when name, registration, country, type, addresses or people change", async () => {
    for (const [change, next] of [
      [{ website: "https://other.example" }, "Approved"],
      [{ email: "other@x.example" }, "Approved"],
      [{ companyName: "Another Name" }, "PendingVerification"],
      [{ registrationNumber: "R2" }, "PendingVerification"],
      [{ registrationDate: "2001-01-01" }, "PendingVerification"],
      [{ incorporationCountryCode: "GHA" }, "PendingVerification"],
      [{ businessTypeCode: "LLC" }, "PendingVerification"],
      [{ addresses: [] }, "PendingVerification"],
      [{ businessPersonList: [aPerson()] }, "PendingVerification"],
    ] as [object, string][]) {
      const { customerId } = await underReview();
      await step("approveCase", customerId);
      expect(await patch(customerId, change)).toMatchObject({ value: { verificationStatus: next } });
      const { decision } = await statusOf(customerId);
      expect([change, decision === null]).toEqual([change, next !== "Approved"]);
    }
  });

  test("rejects with reasons: closed for good", async () => {
    const { customerId } = await underReview();
    const reasons = [{ code: "Business.ProhibitedActivity", message: "not what we do" }];
    expect(await step("rejectCase", customerId, ada, { reasons: [] })).toMatchObject({ status: 400 });
    expect(await step("rejectCase", customerId, ada, { reasons })).toMatchObject({
      value: { verificationStatus: "Rejected" },
    });
    expect(await statusOf(customerId)).toMatchObject({ decision: { outcome: "Rejected", reasons } });
    const closed = { status: 409, code: "Customer.VerificationClosed" };
    expect(await patch(customerId, { tradingName: "x" })).toMatchObject(closed);
    expect(await patch(customerId, {})).toMatchObject(closed);
    expect(await step("claimCase", customerId)).toMatchObject({ status: 409, code: "Case.InvalidState" });
  });
});

describe("the analysts' view", () => {
  test("the queue is oldest first, filtered, and knows whose case it is", async () => {
    const first = await stage.create(aSmallProfile({ companyName: "First in line" }));
    const second = await stage.create(aSmallProfile());
    const cara = analyst("cara");
    await step("claimCase", second.customerId, cara);
    const list = (query: object) => stage.get("profile.listCases", { caller: cara, query: query as Value });
    const queued = (await list({ reviewStage: "Queued", pageSize: "200" })).items as Value[];
    const times = queued.map(({ submittedAt }) => submittedAt as string);
    expect(times).toEqual(times.toSorted());
    expect(queued).toContainEqual({
      customerId: first.customerId,
      partnerId: stage.partnerId,
      partnerCustomerId: first.partnerCustomerId,
      companyName: "First in line",
      verificationStatus: "PendingVerification",
      reviewStage: "Queued",
      claimedBy: null,
      claimedUntil: null,
      submittedAt: expect.any(String),
    });
    expect(await list({ mine: "true" })).toMatchObject({
      items: [{ customerId: second.customerId, claimedBy: "cara@operator.test" }],
      page: 1,
      total: 1,
    });
    expect(await stage.ask("profile.listCases", { caller: cara, query: { reviewStage: "x" } })).toMatchObject(
      { status: 400 },
    );
  });

  test("a case shows remarks, and who did what when from where to where", async () => {
    const people = [
      aPerson({
        percentageShare: 60,
        address: { ...(aPerson().address as object), countryCode: "ZAF" },
        identities: [
          { identityTypeCode: "NATIOANL_ID", issuingCountry: "ZAF", identityValue: "8001015009088" },
        ],
      }),
      aPerson({ percentageShare: 40, identities: [{ ...aNationalId(), identityTypeCode: "OTHERS" }] }),
    ];
    const { customerId, ubos } = await stage.create(aProfile({ businessPersonList: people }));
    await patch(customerId, { businessPersonList: [aPerson({ percentageShare: 10 })] });
    await step("claimCase", customerId);
    const detail = await stage.get("profile.getCase", { params: { customerId }, caller: ada });
    expect(detail.remarks).toMatchObject([
      { code: "People.ShareAbove100" },
      { code: "Identity.CheckDigit", uboId: ubos[0]?.uboId },
      { code: "Document.Missing", uboId: ubos[1]?.uboId },
    ]);
    expect(detail.verification.missingDocuments).toMatchObject([
      { uboId: ubos[1]?.uboId, identityTypeCode: "OTHERS" },
    ]);
    expect(detail.audit).toMatchObject([
      { action: "create", actor: { kind: "partner" }, from: null, to: { reviewStage: "Queued" } },
      { action: "patch", actor: { kind: "partner" }, detail: { changedFields: ["businessPersonList"] } },
      {
        action: "claim",
        actor: { kind: "analyst", id: "analyst-ada" },
        from: { verificationStatus: "PendingVerification", reviewStage: "Queued" },
        to: { verificationStatus: "PendingVerification", reviewStage: "UnderReview" },
        at: expect.any(String),
      },
    ]);
  });

  test("a partner cannot take a step, an analyst cannot act as a partner", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    expect(await stage.ask("profile.claimCase", { params: { customerId } })).toMatchObject({ status: 401 });
    expect(await stage.ask("profile.get", { params: { customerId }, caller: ada })).toMatchObject({
      status: 401,
    });
  });
});

describe("the audit trail", () => {
  test("of a customer changed 260 times: every entry is kept, the document stays small", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    for (let change = 2; change <= 260; change += 1)
      expect(await patch(customerId, { tradingName: `name ${change}` })).toMatchObject({ ok: true });
    const archive = stage.collectionOf<{ customerId: string; version: number }>("archived_audit_entries");
    const versionsIn = async () => {
      const archived = await archive.find({ customerId }).sort({ _id: 1 }).toArray();
      const kept = (await stage.stored(customerId))?.audit ?? [];
      return { archived: archived.map(({ version }) => version), kept: kept.map(({ version }) => version) };
    };
    await waitFor(async () => (await versionsIn()).kept.length === 210, {
      what: "old entries to be archived",
    });
    const { archived, kept } = await versionsIn();
    expect([...archived, ...kept]).toEqual(Array.from({ length: 260 }, (_, index) => index + 1));
    const { audit } = await stage.get("profile.getCase", { params: { customerId }, caller: ada });
    expect(audit).toHaveLength(200);
  });
});

describe("documents of a customer", () => {
  test("a fact told twice is recorded once, with one event", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    const documentId = randomId();
    expect(await recordDocument(customerId, { documentId })).toMatchObject({ recorded: true, version: 2 });
    expect(await recordDocument(customerId, { documentId })).toMatchObject({ recorded: false, version: 2 });
    const { outbox } = (await stage.stored(customerId)) ?? { outbox: [] };
    expect(outbox.map(({ eventType }) => eventType)).toEqual([
      "business.profile.created",
      "business.document.confirmed",
    ]);
  });

  test("a rejected file shows with its reason and is no event; a late notice does not undo a confirmation", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    const documentId = randomId();
    await recordDocument(customerId, {
      documentId,
      status: "Rejected",
      reason: "TooLarge",
      confirmedAt: null,
    });
    expect((await stage.read(customerId)).documents).toMatchObject([
      { status: "Rejected", reason: "TooLarge" },
    ]);
    await recordDocument(customerId, { documentId });
    await recordDocument(customerId, { documentId, status: "Superseded" });
    expect((await stage.read(customerId)).documents).toMatchObject([{ status: "Confirmed" }]);
    expect((await stage.stored(customerId))?.outbox).toHaveLength(2);
  });

  test("arrive while a case is claimed, and after a rejection, and change no state", async () => {
    const { customerId } = await underReview();
    await recordDocument(customerId, {});
    expect(await statusOf(customerId)).toMatchObject({ reviewStage: "UnderReview" });
    await step("rejectCase", customerId, ada, { reasons: [{ code: "Other", message: "no" }] });
    await recordDocument(customerId, {});
    expect(await statusOf(customerId)).toMatchObject({ verificationStatus: "Rejected" });
    expect((await stage.read(customerId)).documents).toHaveLength(2);
  });

  test("named by an identity: Missing until it is there", async () => {
    const documentUploadId = randomId();
    const person = aPerson({ identities: [aNationalId({ documentUploadId })] });
    const { customerId } = await stage.create(aSmallProfile({ businessPersonList: [person] }));
    const identity = async () =>
      ((await stage.read(customerId)).businessPersonList as Value[])[0]?.identities[0];
    expect(await identity()).toMatchObject({ documentUploadId, documentStatus: "Missing" });
    expect(await statusOf(customerId)).toMatchObject({
      missingDocuments: [{ documentUploadId, status: "Missing" }],
    });
    await recordDocument(customerId, { documentId: documentUploadId, documentCategory: "IdentityFront" });
    expect(await identity()).toMatchObject({ documentStatus: "Confirmed" });
    expect(await statusOf(customerId)).toMatchObject({ missingDocuments: [] });
  });

  test("customerForUpload: the customer, or why not", async () => {
    const { customerId, ubos, partnerCustomerId } = await stage.create(aProfile());
    const question = { customerId, partnerId: stage.partnerId, uboId: ubos[0]?.uboId ?? null };
    expect(await stage.call("profile.customerForUpload", question)).toEqual({
      customerId,
      partnerCustomerId,
    });
    for (const [change, type] of [
      [{ uboId: randomId() }, "Ubo.NotFound"],
      [{ partnerId: randomId() }, "Partner.NotAuthorized"],
      [{ customerId: randomId() }, "Customer.NotFound"],
      [{ customerId: "x" }, "Customer.NotFound"],
    ] as [object, string][])
      await expect(stage.call("profile.customerForUpload", { ...question, ...change })).rejects.toMatchObject(
        { type },
      );
  });
});
