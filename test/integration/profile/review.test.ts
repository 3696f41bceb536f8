import { describe, expect, test } from "@jest/globals";
import { aPerson, aProfile, aReplacement, aSmallProfile } from "../../support/builders/profile-builders.ts";
import { analyst, startProfileStage, type Value } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startProfileStage);

const ada = analyst("ada");
const ben = analyst("ben");
const item = (target: object) => ({
  target,
  reasonCode: "Document.Unreadable",
  message: "please send it again",
});
const WEBSITE = item({ kind: "Business", field: "website" });
const EMAIL = item({ kind: "Business", field: "email" });
const INVALID_STATE = { status: 409, code: "Case.InvalidState" };

async function underReview(body: unknown = aProfile()) {
  const created = await stage.create(body);
  expect(await stage.step("claimCase", created.customerId)).toMatchObject({ ok: true });
  return created;
}

async function withRequests(items: unknown[]) {
  const created = await underReview();
  expect(await stage.step("requestChanges", created.customerId, ada, { items })).toMatchObject({ ok: true });
  return created;
}

describe("a decision with If-Match", () => {
  const DECISIONS = [
    ["approveCase", {}],
    ["rejectCase", { reasons: [{ code: "Risk.PolicyDecision", message: "policy" }] }],
    ["requestChanges", { items: [WEBSITE] }],
  ] as const;

  test.each(DECISIONS)(
    "%s: 412 for another version than was seen, and done for the one that was",
    async (name, body) => {
      const { customerId } = await underReview();
      const decide = (ifMatch: string) =>
        stage.ask(`profile.${name}`, { params: { customerId }, body, caller: ada, ifMatch });
      expect(await decide('"1"')).toMatchObject({ status: 412, code: "Customer.VersionMismatch" });
      expect(await decide('"2"')).toMatchObject({ ok: true });
    },
  );
});

describe("a claim", () => {
  test("by 30 analysts at once, through two instances: one wins", async () => {
    const second = await stage.startReplica();
    try {
      const { customerId } = await stage.create(aSmallProfile());
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, (_, index) => stage.step("claimCase", customerId, analyst(`n${index}`))),
      );
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    } finally {
      await second.stop();
    }
  });

  test("locks the package: PATCH, PUT and a new upload give Customer.UnderReview", async () => {
    const { customerId } = await underReview();
    const locked = { status: 409, code: "Customer.UnderReview" };
    expect(await stage.patch(customerId, { tradingName: "x" })).toMatchObject(locked);
    expect(await stage.patch(customerId, {})).toMatchObject(locked);
    expect(await stage.put(customerId, aReplacement(customerId))).toMatchObject(locked);
    const question = { customerId, partnerId: stage.partnerId, uboId: null };
    expect(await stage.call("profile.uploadRefusals", { questions: [question] })).toMatchObject({
      refusals: [{ type: "Customer.UnderReview", code: 409 }],
    });
    expect(await stage.stored(customerId)).toMatchObject({ version: 2 });
  });

  test("is given back by its owner only", async () => {
    const { customerId } = await underReview();
    expect(await stage.step("releaseCase", customerId, ben)).toMatchObject({
      status: 403,
      code: "Case.NotOwner",
    });
    expect(await stage.step("releaseCase", customerId)).toMatchObject({
      value: { reviewStage: "Queued", claimedBy: null },
    });
    expect(await stage.step("releaseCase", customerId)).toMatchObject(INVALID_STATE);
  });

  test("again by its owner: renewed", async () => {
    const { customerId } = await underReview();
    const before = (await stage.stored(customerId))?.claim?.leaseUntil ?? "";
    stage.clock.move(60_000);
    expect(await stage.step("claimCase", customerId)).toMatchObject({
      value: { claimedBy: ada.kind === "analyst" && ada.email },
    });
    expect((await stage.stored(customerId))?.claim?.leaseUntil).not.toBe(before);
  });

  test("ends by itself after eight hours: queued for all to see, unlocked, free for others", async () => {
    const { customerId } = await underReview();
    stage.clock.move(8 * 3_600_000 + 1_000);
    expect(await stage.status(customerId)).toMatchObject({ reviewStage: "Queued" });
    const listed = async (reviewStage: string) =>
      (await stage.get("profile.list", { query: { reviewStage } })).items.map((one: Value) => one.customerId);
    expect(await listed("Queued")).toContain(customerId);
    expect(await listed("UnderReview")).not.toContain(customerId);
    expect(await stage.step("approveCase", customerId)).toMatchObject(INVALID_STATE);
    expect(await stage.patch(customerId, { tradingName: "free again" })).toMatchObject({ ok: true });
    expect(await stage.stored(customerId)).toMatchObject({ claim: null, reviewStage: "Queued" });
    expect(await stage.step("claimCase", customerId, ben)).toMatchObject({ ok: true });
  });
});

describe("requests for changes", () => {
  test("unlock the package and show in verification-status", async () => {
    const { customerId } = await withRequests([WEBSITE, EMAIL]);
    expect(await stage.status(customerId)).toMatchObject({
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
    const submittedAt = (await stage.status(customerId)).submittedAt as string;
    expect(await stage.patch(customerId, { tradingName: "no answer" })).toMatchObject({
      value: { verificationStatus: "ChangesRequested" },
    });
    expect(await stage.patch(customerId, { website: "https://new.example" })).toMatchObject({
      value: { verificationStatus: "StartedNotCompleted" },
    });
    expect(await stage.patch(customerId, { email: "new@x.example" })).toMatchObject({
      value: { verificationStatus: "PendingVerification" },
    });
    const status = await stage.status(customerId);
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
    expect(await stage.patch(customerId, { businessPersonList: [aPerson()] })).toMatchObject({
      value: { verificationStatus: "PendingVerification" },
    });
    expect(await stage.read(customerId)).toMatchObject({ reviewStage: "Queued", openChangeRequestCount: 2 });
  });

  test("a document in the category answers, through the document service and by PATCH alike", async () => {
    const target = { kind: "Document", documentCategory: "BusinessLicense" };
    const { customerId } = await withRequests([item(target), EMAIL]);
    expect(await stage.recordDocument(customerId, { documentCategory: "TaxCertificate" })).toMatchObject({
      recorded: true,
    });
    expect(await stage.status(customerId)).toMatchObject({ verificationStatus: "ChangesRequested" });
    await stage.recordDocument(customerId, {});
    expect(await stage.status(customerId)).toMatchObject({ verificationStatus: "StartedNotCompleted" });
  });

  test("with a wrong body: 400, and the case stays claimed", async () => {
    const { customerId } = await underReview();
    // Every other fault: unit/profile/case-input.rules.
    for (const [body, field] of [
      [undefined, ""],
      [{ items: [] }, "items"],
      [{ items: [WEBSITE, item({ kind: "Business", field: "firstName" })] }, "items[1].target.field"],
    ] as [unknown, string][])
      expect(await stage.step("requestChanges", customerId, ada, body)).toMatchObject({
        status: 400,
        code: "ValidationControl.Error",
        details: [{ field }],
      });
    expect(await stage.status(customerId)).toMatchObject({ reviewStage: "UnderReview" });
  });
});

describe("the target of a request", () => {
  test("may name a person in upper case; the answer finds it", async () => {
    const { customerId, ubos } = await underReview();
    const uboId = String(ubos[0]?.uboId);
    const items = [item({ kind: "Document", uboId: uboId.toUpperCase(), documentCategory: "Selfie" })];
    expect(await stage.step("requestChanges", customerId, ada, { items })).toMatchObject({ ok: true });
    expect(await stage.status(customerId)).toMatchObject({ changeRequests: [{ target: { uboId } }] });
    await stage.recordDocument(customerId, { documentCategory: "Selfie", uboId });
    expect(await stage.status(customerId)).toMatchObject({ changeRequests: [{ status: "Answered" }] });
  });

  test("may name one identity of a person; verification-status shows which, another one is refused", async () => {
    const { customerId, ubos } = await underReview();
    const identity = { kind: "Identity", uboId: ubos[0]?.uboId, identityTypeCode: "PASSPORT" };
    const refused = await stage.step("requestChanges", customerId, ada, {
      items: [item({ ...identity, issuingCountry: "GBR" })],
    });
    expect(refused).toMatchObject({
      code: "ValidationControl.Error",
      details: [{ field: "items[0].target.identityTypeCode" }],
    });
    const items = [item({ ...identity, issuingCountry: "NGA", field: "identityValue" }), WEBSITE];
    expect(await stage.step("requestChanges", customerId, ada, { items })).toMatchObject({ ok: true });
    const { changeRequests } = await stage.status(customerId);
    expect(changeRequests).toMatchObject([
      { target: { kind: "Identity", identityTypeCode: "PASSPORT", issuingCountry: "NGA" } },
      {},
    ]);
    expect(Object.keys(changeRequests[1].target)).toEqual(["kind", "uboId", "documentCategory", "field"]);
  });
});

describe("a decision", () => {
  test("approves: closed, published, and open requests are withdrawn", async () => {
    const { customerId } = await withRequests([WEBSITE]);
    await stage.patch(customerId, { businessPersonList: [aPerson()] });
    await stage.step("claimCase", customerId, ben);
    expect(await stage.step("approveCase", customerId, ben, { note: "fine" })).toMatchObject({
      value: { verificationStatus: "Approved", reviewStage: "Closed", claimedBy: null },
    });
    expect(await stage.status(customerId)).toMatchObject({
      decision: { outcome: "Approved", reasons: [] },
      decidedAt: expect.any(String),
      changeRequests: [{ status: "Withdrawn" }],
    });
    expect(
      (await stage.events(customerId))
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
      await stage.step("approveCase", customerId);
      expect(await stage.patch(customerId, change)).toMatchObject({ value: { verificationStatus: next } });
      const { decision } = await stage.status(customerId);
      expect([change, decision === null]).toEqual([change, next !== "Approved"]);
    }
  });

  test("rejects with reasons: closed for good", async () => {
    const { customerId } = await underReview();
    const reasons = [{ code: "Business.ProhibitedActivity", message: "not what we do" }];
    expect(await stage.step("rejectCase", customerId, ada, { reasons: [] })).toMatchObject({ status: 400 });
    expect(await stage.step("rejectCase", customerId, ada, { reasons })).toMatchObject({
      value: { verificationStatus: "Rejected" },
    });
    expect(await stage.status(customerId)).toMatchObject({ decision: { outcome: "Rejected", reasons } });
    const closed = { status: 409, code: "Customer.VerificationClosed" };
    expect(await stage.patch(customerId, { tradingName: "x" })).toMatchObject(closed);
    expect(await stage.patch(customerId, {})).toMatchObject(closed);
    expect(await stage.step("claimCase", customerId)).toMatchObject(INVALID_STATE);
  });
});

describe("the audit trail of the service", () => {
  test("has each read of a case and each step, in no partner's list", async () => {
    const { customerId } = await underReview();
    await stage.get("profile.getCase", { params: { customerId }, caller: ben });
    await stage.step("approveCase", customerId, ada, { note: "fine" });
    expect(await stage.audit.entries({ subject: customerId })).toMatchObject([
      {
        action: "case.claim",
        who: { kind: "analyst", email: "ada@operator.test" },
        before: { reviewStage: "Queued" },
        after: { partnerId: stage.partnerId, reviewStage: "UnderReview" },
        partnerId: null,
      },
      { action: "case.read", who: { email: "ben@operator.test" }, before: null },
      { action: "case.approve", after: expect.not.objectContaining({ note: "fine" }) },
    ]);
  });

  test("an audit trail that takes no entry: no case is shown and no step is taken", async () => {
    const { customerId } = await underReview();
    const before = await stage.collection.findOne({ _id: customerId });
    await stage.audit.refusing(async () => {
      for (const outcome of [
        await stage.ask("profile.getCase", { params: { customerId }, caller: ada }),
        await stage.step("approveCase", customerId),
      ])
        expect(outcome).toMatchObject({ ok: false, code: "Service.Error" });
    });
    expect(await stage.collection.findOne({ _id: customerId })).toEqual(before);
    expect(await stage.step("approveCase", customerId)).toMatchObject({ ok: true });
  });
});
