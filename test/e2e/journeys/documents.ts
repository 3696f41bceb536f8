/** A document from its link to its confirmation, and what is refused on the way. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import {
  aNationalId,
  aPassport,
  aPerson,
  aProfile,
  aSmallProfile,
} from "../../support/builders/profile-builders.ts";
import { newAccounts } from "../../support/clients/accounts.ts";
import { confirmations } from "../../support/clients/confirmations.ts";
import { dashboardClient, demoLogin } from "../../support/clients/dashboard-client.ts";
import {
  A_STATEMENT,
  type PartnerClient,
  PDF,
  partnerClient,
  put,
} from "../../support/clients/partner-client.ts";
import { CASES, PROFILES } from "../../support/stage/api-stage.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import type { Loose } from "../../support/stage/profile-stage.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

let platform: TestPlatform;
let partner: PartnerClient;
let other: PartnerClient;

beforeAll(async () => {
  platform = await journeyPlatform();
  const demo = await newAccounts(platform);
  partner = await partnerClient(demo, 0);
  other = await partnerClient(demo, 1);
});

const eventsOf = async (documentId: string) =>
  (await confirmations(platform)).filter(({ data }) => data.documentId === documentId);

const eventOf = (documentId: string) =>
  waitFor(async () => (await eventsOf(documentId))[0], { what: "the event" });

describe("a document", () => {
  test("linked and uploaded: shows as confirmed and is an event, with nobody calling anything in between", async () => {
    const { customerId, partnerCustomerId } = await partner.create(aSmallProfile());
    const link = await partner.link(customerId);
    expect((await put(link)).status).toBe(200);
    const { data, correlation } = await eventOf(link.documentId);
    const shown = await partner.document(customerId, link.documentId);
    expect(shown).toEqual({
      documentId: link.documentId,
      documentCategory: "BankStatement",
      contentType: "application/pdf",
      sizeBytes: PDF.length,
      uboId: null,
      status: "Confirmed",
      reason: null,
      uploadedAt: expect.stringMatching(/Z$/),
      confirmedAt: expect.stringMatching(/\.\d{3}Z$/),
    });
    expect(data).toEqual({
      customerId,
      partnerCustomerId,
      documentId: link.documentId,
      documentCategory: "BankStatement",
      contentType: "application/pdf",
      sizeBytes: PDF.length,
      uboId: null,
      confirmedAt: shown.confirmedAt,
    });
    expect(correlation).toMatchObject({ customerId, partnerCustomerId, sequence: expect.any(Number) });
  });

  test.each([
    ["an empty file", "", "Empty"],
    ["a file of another type", "GIF89a", "WrongType"],
    ["a file over the limit", new Uint8Array(20_971_521), "TooLarge"],
  ])("%s: shows as rejected with its reason, and is no event", async (_, body, reason) => {
    const { customerId } = await partner.create(aSmallProfile());
    const link = await partner.link(customerId);
    expect((await put(link, body)).status).toBe(200);
    expect(await partner.shown(customerId, link.documentId, "Rejected")).toMatchObject({
      reason,
      confirmedAt: null,
    });
    const patch = await partner.patch(customerId, {
      businessDocumentIdList: [link.documentId],
    });
    expect([patch.status, patch.code]).toEqual([409, "Document.Rejected"]);
    expect(await eventsOf(link.documentId)).toEqual([]);
  });

  test("with another Content-Type or a changed address: is refused by storage and shows nowhere", async () => {
    const { customerId } = await partner.create(aSmallProfile());
    const link = await partner.link(customerId);
    const tampered = { ...link, uploadUrl: link.uploadUrl.replace("BankStatement", "Other") };
    const forged = { ...link, uploadUrl: link.uploadUrl.replace(/X-Amz-Expires=\d+/, "X-Amz-Expires=86400") };
    expect((await put(link, PDF, "image/png")).status).toBe(403);
    expect((await put(tampered)).status).toBe(403);
    expect((await put(forged)).status).toBe(403);
    expect(await partner.document(customerId, link.documentId)).toBeUndefined();
  });

  test("asked for by an analyst: answers the request and puts the customer back in the queue", async () => {
    const { customerId } = await partner.create(aSmallProfile());
    const analyst = await anAnalyst();
    await analyst(customerId, "claim", {});
    expect(await partner.askForLink(customerId, A_STATEMENT)).toMatchObject({
      status: 409,
      code: "Customer.UnderReview",
    });
    await analyst(customerId, "request-changes", {
      items: [
        {
          target: { kind: "Document", documentCategory: "TaxCertificate" },
          reasonCode: "Document.Missing",
          message: "Please send the tax certificate.",
        },
      ],
    });
    const link = await partner.link(customerId, { ...A_STATEMENT, documentCategory: "TaxCertificate" });
    await put(link);
    await partner.shown(customerId, link.documentId, "Confirmed");
    expect(await partner.value("GET", `${PROFILES}/${customerId}/verification-status`)).toMatchObject({
      verificationStatus: "PendingVerification",
      reviewStage: "Queued",
      changeRequests: [{ status: "Answered" }],
    });
  });

  test("looked at by an analyst: the very file, and for nobody else", async () => {
    const { customerId } = await partner.create(aSmallProfile());
    const link = await partner.link(customerId);
    await put(link);
    await partner.shown(customerId, link.documentId, "Confirmed");
    const path = `${CASES}/${customerId}/documents/${link.documentId}/view-link`;
    const analyst = await dashboardClient(platform.baseUrl, platform.demo.analysts[0]);
    const { status, body } = await analyst.post<{ url: string }>(path);
    expect(status).toBe(200);
    const file = await fetch(body.value?.url ?? "");
    expect(file.headers.get("content-disposition")).toBe('inline; filename="BankStatement.pdf"');
    expect(await file.text()).toBe(PDF);
    const elsewhere = await partner.create(aSmallProfile());
    const foreign = path.replace(customerId, elsewhere.customerId);
    expect((await analyst.post(foreign)).body.error?.code).toBe("Document.NotFound");
    expect((await (await dashboardClient(platform.baseUrl)).post(path)).status).toBe(401);
    const owner = await dashboardClient(platform.baseUrl, demoLogin(platform.demo, "Owner"));
    expect((await owner.post(path)).status).toBe(403);
  });

  test("named by an identity: shows as Missing until it exists, then as what it is", async () => {
    const person = aPerson({ identities: [aPassport({ documentUploadId: randomUUID() })] });
    const { customerId, ubos } = await partner.create(aProfile({ businessPersonList: [person] }));
    const link = await partner.link(customerId, {
      documentCategory: "IdentityFront",
      contentType: "application/pdf",
      ownershipDetailId: ubos[0].uboId,
    });
    await put(link);
    await partner.shown(customerId, link.documentId, "Confirmed");
    const added = aPerson({
      percentageShare: 5,
      identities: [aNationalId({ documentUploadId: link.documentId })],
    });
    expect((await partner.patch(customerId, { businessPersonList: [added] })).status).toBe(200);
    const { businessPersonList } = await partner.profile(customerId);
    expect(businessPersonList.map((one: Loose) => one.identities[0].documentStatus)).toEqual([
      "Missing",
      "Confirmed",
    ]);
  });
});

describe("PATCH businessDocumentIdList", () => {
  const confirm = (customerId: string, ids: string[]) =>
    partner.patch(customerId, { businessDocumentIdList: ids });

  test("confirms at once what is in storage, and says the same when asked again; one event in all", async () => {
    const { customerId } = await partner.create(aSmallProfile());
    const link = await partner.link(customerId);
    await put(link);
    for (let times = 0; times < 2; times += 1) {
      const answer = await confirm(customerId, [link.documentId]);
      expect(answer.value).toMatchObject({ confirmedDocumentIds: [link.documentId] });
    }
    expect(await partner.document(customerId, link.documentId)).toMatchObject({ status: "Confirmed" });
    await eventOf(link.documentId);
    expect(await eventsOf(link.documentId)).toHaveLength(1);
  });

  test("ids of which one is foreign: 403, and the own document is unchanged", async () => {
    const { customerId } = await partner.create(aSmallProfile());
    const mine = await partner.link(customerId);
    const stranger = await other.create(aSmallProfile());
    const foreign = await other.link(stranger.customerId);
    const { version } = await partner.profile(customerId);
    const answer = await confirm(customerId, [mine.documentId, foreign.documentId]);
    expect([answer.status, answer.code]).toEqual([403, "Document.AccessDenied"]);
    expect(answer.body.error.details).toEqual([
      expect.objectContaining({ field: "businessDocumentIdList[1]", code: "Document.AccessDenied" }),
    ]);
    expect(await partner.profile(customerId)).toMatchObject({ version, documents: [] });
  });

  test.each([
    ["an unknown id", () => randomUUID(), 400, "Document.NotFound"],
    [
      "a link nobody used",
      async (id: string) => (await partner.link(id)).documentId,
      409,
      "Document.NotUploaded",
    ],
  ] as const)(
    "%s: is refused, and the rest of the body is not applied either",
    async (_, make, status, code) => {
      const { customerId } = await partner.create(aSmallProfile());
      const answer = await partner.patch(customerId, {
        businessDocumentIdList: [await make(customerId)],
        tradingName: "Changed",
      });
      expect([answer.status, answer.code]).toEqual([status, code]);
      expect(await partner.profile(customerId)).toMatchObject({ tradingName: null });
    },
  );
});

describe("upload-link refuses", () => {
  test("a stranger's customer, an unknown one, an unknown person, a bad body: each with its code", async () => {
    const { customerId, ubos } = await partner.create(aProfile());
    const stranger = await other.create(aProfile());
    const [uboId, another] = ubos.map((ubo: Loose) => ubo.uboId);
    const cases = [
      [stranger.customerId, A_STATEMENT, 403, "Partner.NotAuthorized"],
      [stranger.customerId, {}, 403, "Partner.NotAuthorized"],
      [randomUUID(), A_STATEMENT, 404, "Customer.NotFound"],
      ["no-id", A_STATEMENT, 404, "Customer.NotFound"],
      [customerId, { ...A_STATEMENT, uboId: randomUUID() }, 400, "Ubo.NotFound"],
      [customerId, { ...A_STATEMENT, uboId: stranger.ubos[0].uboId }, 400, "Ubo.NotFound"],
      [customerId, { ...A_STATEMENT, uboId, ownershipDetailId: another }, 400, "ValidationControl.Error"],
      [customerId, { ...A_STATEMENT, documentCategory: "Selfie" }, 400, "ValidationControl.Error"],
      [customerId, { ...A_STATEMENT, documentCategory: "Novel" }, 400, "ValidationControl.Error"],
      [customerId, { ...A_STATEMENT, contentType: "text/html" }, 400, "ValidationControl.Error"],
    ] as const;
    for (const [id, body, status, code] of cases) {
      const answer = await partner.askForLink(id, body);
      expect([body, answer.status, answer.code]).toEqual([body, status, code]);
    }
  });

  test("nothing of uboId and ownershipDetailId with the same value, and says that one is deprecated", async () => {
    const { customerId, ubos } = await partner.create(aProfile());
    const { uboId } = ubos[0];
    const both = await partner.askForLink(customerId, {
      ...A_STATEMENT,
      uboId,
      ownershipDetailId: uboId,
      fileName: "a.exe",
    });
    expect([both.status, both.value.uboId, both.headers.get("Deprecation")]).toEqual([
      200,
      uboId,
      expect.stringMatching(/^@\d+$/),
    ]);
    const one = await partner.askForLink(customerId, { ...A_STATEMENT, uboId });
    expect(one.headers.get("Deprecation")).toBeNull();
  });
});

async function anAnalyst() {
  const analyst = await dashboardClient(platform.baseUrl, platform.demo.analysts[0]);
  return async (customerId: string, step: string, body: unknown) => {
    const { status, body: answer } = await analyst.post(`${CASES}/${customerId}/${step}`, body);
    if (status !== 200) throw new Error(`${step}: ${status} ${answer.error?.code}`);
  };
}
