import { beforeAll, describe, expect, test } from "@jest/globals";
import { aSmallProfile } from "../../support/builders/profile-builders.ts";
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
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

let platform: TestPlatform;
let partner: PartnerClient;

beforeAll(async () => {
  platform = await journeyPlatform();
  partner = await partnerClient(await newAccounts(platform));
});

const eventsOf = async (documentId: string) =>
  (await confirmations(platform)).filter(({ data }) => data.documentId === documentId);

const eventOf = (documentId: string) => waitFor(async () => (await eventsOf(documentId))[0], "the event");

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

  test("a file of another type: shows as rejected with its reason, and is no event", async () => {
    const { customerId } = await partner.create(aSmallProfile());
    const link = await partner.link(customerId);
    expect((await put(link, "GIF89a")).status).toBe(200);
    const rejected = { reason: "WrongType", confirmedAt: null };
    expect(await partner.shown(customerId, link.documentId, "Rejected")).toMatchObject(rejected);
    const patch = await partner.patch(customerId, { businessDocumentIdList: [link.documentId] });
    expect([patch.status, patch.code]).toEqual([409, "Document.Rejected"]);
    expect(await eventsOf(link.documentId)).toEqual([]);
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

  test("named in businessDocumentIdList: confirmed immediately, the same when asked again; one event in all", async () => {
    const { customerId } = await partner.create(aSmallProfile());
    const link = await partner.link(customerId);
    await put(link);
    for (let times = 0; times < 2; times += 1) {
      const answer = await partner.patch(customerId, { businessDocumentIdList: [link.documentId] });
      expect(answer.value).toMatchObject({ confirmedDocumentIds: [link.documentId] });
    }
    expect(await partner.document(customerId, link.documentId)).toMatchObject({ status: "Confirmed" });
    await eventOf(link.documentId);
    expect(await eventsOf(link.documentId)).toHaveLength(1);
  });
});

async function anAnalyst() {
  const analyst = await dashboardClient(platform.baseUrl, platform.demo.analysts[0]);
  return async (customerId: string, step: string, body: unknown) => {
    const { status, body: answer } = await analyst.post(`${CASES}/${customerId}/${step}`, body);
    if (status !== 200) throw new Error(`${step}: ${status} ${answer.error?.code}`);
  };
}
