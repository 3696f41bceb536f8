import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { aNationalId, aPerson, aProfile, aSmallProfile } from "../../support/builders/profile-builders.ts";
import {
  analyst,
  type ProfileStage,
  startProfileStage,
  type Value,
} from "../../support/stage/profile-stage.ts";
import { waitFor } from "../../support/wait-for.ts";

let stage: ProfileStage;
beforeAll(async () => {
  stage = await startProfileStage();
});
afterAll(() => stage.stop());

const ada = analyst("ada");

describe("the analysts' view", () => {
  test("the queue is oldest first, filtered, and knows whose case it is", async () => {
    const first = await stage.create(aSmallProfile({ companyName: "First in line" }));
    const second = await stage.create(aSmallProfile());
    const cara = analyst("cara");
    await stage.step("claimCase", second.customerId, cara);
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
      test: false,
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

  test("names are safe to be pasted into a terminal or a spreadsheet; the partner reads them as it wrote them", async () => {
    const companyName = "=HYPERLINK(1)\u202e Ltd";
    const people = [aPerson({ firstName: "@SUM\u001b[2J", lastName: "-2+3" })];
    const { customerId } = await stage.create(aProfile({ companyName, businessPersonList: people }));
    const shown = { companyName: "'=HYPERLINK(1)\ufffd Ltd" };
    const found = await stage.get("profile.getCase", { caller: ada, params: { customerId } });
    expect(found).toMatchObject({
      ...shown,
      profile: {
        ...shown,
        phoneNumber: "+2348098765432",
        businessPersonList: [{ firstName: "'@SUM\ufffd[2J", lastName: "'-2+3", phone: "+2348012345678" }],
      },
    });
    const query = { pageSize: "200" };
    const { items } = await stage.get("profile.listCases", { caller: ada, query });
    expect(items).toContainEqual(expect.objectContaining({ customerId, ...shown }));
    const own = await stage.get("profile.get", { params: { customerId } });
    expect(own).toMatchObject({ companyName, businessPersonList: [{ firstName: "@SUM\u001b[2J" }] });
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
    await stage.patch(customerId, { businessPersonList: [aPerson({ percentageShare: 10 })] });
    await stage.step("claimCase", customerId);
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
      expect(await stage.patch(customerId, { tradingName: `name ${change}` })).toMatchObject({ ok: true });
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
