/** Who may reach what: every route of the table without a token or with another; the sandbox; and a whole review over HTTP. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import type { Route } from "../../../gateway/route.ts";
import { ROUTES } from "../../../gateway/routes.ts";
import { aPerson, aProfile, aReplacement, aSmallProfile } from "../../support/builders/profile-builders.ts";
import { newAccounts, openSandbox } from "../../support/clients/accounts.ts";
import { type DashboardClient, dashboardClient } from "../../support/clients/dashboard-client.ts";
import { type PartnerClient, PDF, partnerClient } from "../../support/clients/partner-client.ts";
import { ask } from "../../support/http/ask.ts";
import { CASES, PROFILES } from "../../support/stage/api-stage.ts";
import type { Loose } from "../../support/stage/profile-stage.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

let demo: DemoData;
let owner: PartnerClient;
let stranger: PartnerClient;
/** Of the owner's sandbox. */
let twin: PartnerClient;
let ada: DashboardClient;
beforeAll(async () => {
  demo = await newAccounts(await journeyPlatform());
  [owner, stranger] = [await partnerClient(demo, 0), await partnerClient(demo, 1)];
  ada = await dashboardClient(demo.baseUrl, demo.analysts[0]);
  twin = await partnerClient({ ...demo, partners: [(await openSandbox(demo)).twin] });
});

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
describe("the sandbox of a partner", () => {
  test("its cases: in no queue of the analysts unless they ask for them", async () => {
    const { customerId } = await twin.create(aSmallProfile());
    const queue = async (query: string) => {
      const { body } = await ada.get<{ items: Loose[] }>(`${CASES}?pageSize=200&reviewStage=Queued${query}`);
      return (body.value?.items ?? []).filter((item) => item.customerId === customerId);
    };
    expect(await queue("")).toEqual([]);
    expect(await queue("&test=true")).toMatchObject([{ customerId, test: true }]);
  });

  test("a review on demand, from ChangesRequested to Approved; a live customer: 403", async () => {
    const { customerId, ubos } = await twin.create(aProfile());
    const simulate = (body: unknown, by = twin, id = customerId) =>
      by.send("POST", `${PROFILES}/${id}/simulate`, body);
    const target = { kind: "Person", uboId: ubos[0].uboId, field: "lastName" };
    const items = [{ target, reasonCode: "Person.IdentityMismatch", message: "Another name." }];
    expect(await simulate({ outcome: "ChangesRequested", items })).toMatchObject({
      status: 200,
      value: { verificationStatus: "ChangesRequested" },
    });
    const person = `${PROFILES}/${customerId}/persons/${ubos[0].uboId}`;
    expect(await twin.value("PATCH", person, { lastName: "Bello" })).toMatchObject({
      verificationStatus: "PendingVerification",
    });
    expect(await simulate({ outcome: "Approved" })).toMatchObject({
      value: { verificationStatus: "Approved" },
    });
    const own = await owner.create(aSmallProfile());
    expect(await simulate({ outcome: "Approved" }, owner, own.customerId)).toMatchObject({
      status: 403,
      code: "Sandbox.Required",
    });
  });

  test("a name that decides by itself: decides", async () => {
    const { customerId } = await twin.create(aSmallProfile({ companyName: "Sandbox Rejected" }));
    await waitFor(async () => (await twin.profile(customerId)).verificationStatus === "Rejected", {
      what: "the decision",
    });
    const named = await owner.create(aSmallProfile({ companyName: "Sandbox Rejected" }));
    expect(await owner.profile(named.customerId)).toMatchObject({
      verificationStatus: "PendingVerification",
    });
  });
});

describe("every route", () => {
  const id = "0190b5c8-7f3a-7c2e-9d4b-3f5a6b7c8d9e";
  const filled = (path: string) => path.replaceAll(/:\w+/g, id);
  const ofPartners = ROUTES.filter(({ auth }) => auth === "partner");

  test.each(ofPartners.map((route) => [nameOf(route), route] as const))(
    "%s without a token: 401",
    async (_name, { method, path }) => {
      const { status, body } = await ask(demo.baseUrl + filled(path), { method });
      expect([status, body.error.code]).toEqual([401, "Partner.NotAuthenticated"]);
    },
  );

  test("of a partner with the other scope: 403", async () => {
    const reader = await partnerClient(demo, 0, "partner.read");
    const writer = await partnerClient(demo, 0, "partner.write");
    for (const { method, path, scope } of ofPartners) {
      const wrong = scope === "partner.read" ? writer : reader;
      const answer = await wrong.send(method, filled(path), method === "GET" ? undefined : {});
      expect([method, path, answer.status, answer.code]).toEqual([
        method,
        path,
        403,
        "Partner.InsufficientScope",
      ]);
    }
  });

  test("of the analysts with a partner's token or a partner's person: refused", async () => {
    const user = demo.partners[0]?.users[0];
    const person = await dashboardClient(demo.baseUrl, user);
    for (const { method, path } of ROUTES.filter(({ auth }) => auth === "analyst")) {
      const byToken = await owner.send(method, filled(path), method === "GET" ? undefined : {});
      const send = { GET: person.get, PUT: person.put }[method as string] ?? person.post;
      const byPerson = await send(filled(path), method === "GET" ? undefined : {});
      const isRefused = [byToken.status, byPerson.status].every((status) => status === 401 || status === 403);
      expect([method, path, isRefused]).toEqual([method, path, true]);
    }
  });
});

describe("a review, every edge of its table over HTTP", () => {
  let customerId: string;
  const step = (name: string, body?: unknown) => ada.post<Loose>(`${CASES}/${customerId}/${name}`, body);
  const profile = () => `${PROFILES}/${customerId}`;
  const patch = (body: unknown) => owner.send("PATCH", profile(), body);
  const state = async () => {
    const { verificationStatus, reviewStage } = await owner.value("GET", `${profile()}/verification-status`);
    return `${verificationStatus} ${reviewStage}`;
  };
  const request = (...targets: object[]) => ({
    items: targets.map((target) => ({ target, reasonCode: "Document.Unreadable", message: "please" })),
  });
  const WEBSITE = { kind: "Business", field: "website" };
  const LICENCE = { kind: "Document", documentCategory: "BusinessLicense" };

  async function upload(documentCategory: string): Promise<string> {
    const link = await owner.value("POST", `${profile()}/documents/upload-link`, {
      documentCategory,
      contentType: "application/pdf",
    });
    const response = await fetch(link.uploadUrl, {
      method: "PUT",
      headers: link.headers,
      body: PDF,
    });
    expect(response.status).toBe(200);
    return link.documentId;
  }

  test("from create to rejection", async () => {
    ({ customerId } = await owner.value("POST", PROFILES, aProfile()));
    expect(await state()).toBe("PendingVerification Queued");

    // Updates and documents in the queue keep the place.
    expect(await patch({ tradingName: "One" })).toMatchObject({ status: 200 });
    expect(await owner.send("PUT", profile(), aReplacement(customerId))).toMatchObject({ status: 200 });
    const first = await upload("BankStatement");
    expect(await patch({ businessDocumentIdList: [first] })).toMatchObject({ status: 200 });
    expect(await state()).toBe("PendingVerification Queued");

    // Claimed: locked; released: free.
    expect((await step("claim")).status).toBe(200);
    expect(await state()).toBe("PendingVerification UnderReview");
    for (const refused of [
      await patch({ tradingName: "Two" }),
      await owner.send("PUT", profile(), aReplacement(customerId)),
      await owner.send("POST", `${profile()}/documents/upload-link`, {
        documentCategory: "Other",
        contentType: "application/pdf",
      }),
    ])
      expect(refused).toMatchObject({ status: 409, code: "Customer.UnderReview" });
    expect((await step("release")).status).toBe(200);
    expect(await state()).toBe("PendingVerification Queued");
    expect((await step("approve")).body.error?.code).toBe("Case.InvalidState");

    // Changes requested, answered one by one.
    await step("claim");
    expect((await step("request-changes", request(WEBSITE, LICENCE))).status).toBe(200);
    expect(await state()).toBe("ChangesRequested AwaitingPartner");
    expect((await step("claim")).body.error?.code).toBe("Case.InvalidState");
    await patch({ description: "answers nothing" });
    expect(await state()).toBe("ChangesRequested AwaitingPartner");
    await patch({ website: "https://answer.example" });
    expect(await state()).toBe("StartedNotCompleted AwaitingPartner");
    await upload("BusinessLicense");
    await waitFor(async () => (await state()) === "PendingVerification Queued", {
      what: "the document to answer the last request",
    });

    // Changes requested, answered by people.
    await step("claim");
    await step("request-changes", request(WEBSITE, LICENCE));
    await patch({ website: "https://started.example" });
    expect(await state()).toBe("StartedNotCompleted AwaitingPartner");
    expect(await patch({ businessPersonList: [aPerson()] })).toMatchObject({
      value: { verificationStatus: "PendingVerification" },
    });
    await step("claim");
    await step("request-changes", request(WEBSITE));
    expect(await patch({ businessPersonList: [aPerson()] })).toMatchObject({
      value: { verificationStatus: "PendingVerification" },
    });

    // Approved; reopened by what was reviewed; rejected for good.
    await step("claim");
    expect((await step("approve", { note: "fine" })).body.value?.verificationStatus).toBe("Approved");
    await patch({ website: "https://unreviewed.example" });
    expect(await state()).toBe("Approved Closed");
    await patch({ companyName: "Another Name Limited" });
    expect(await state()).toBe("PendingVerification Queued");
    await step("claim");
    const reasons = [{ code: "Risk.PolicyDecision", message: "not for us" }];
    expect((await step("reject", { reasons })).body.value?.verificationStatus).toBe("Rejected");
    expect(await patch({ tradingName: "too late" })).toMatchObject({
      status: 409,
      code: "Customer.VerificationClosed",
    });

    const record = await owner.value("GET", `${profile()}/verification-status`);
    expect((record.history as Loose[]).map(({ status }) => status)).toEqual([
      "PendingVerification",
      "ChangesRequested",
      "StartedNotCompleted",
      "PendingVerification",
      "ChangesRequested",
      "StartedNotCompleted",
      "PendingVerification",
      "ChangesRequested",
      "PendingVerification",
      "Approved",
      "PendingVerification",
      "Rejected",
    ]);
    expect(record.decision).toEqual({ outcome: "Rejected", reasons });

    const detail = (await ada.get<Loose>(`${CASES}/${customerId}`)).body.value;
    expect((detail.audit as Loose[]).map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        "create",
        "patch",
        "replace",
        "document",
        "claim",
        "release",
        "requestChanges",
        "approve",
        "reject",
      ]),
    );
    const queue = (await ada.get<Loose>(`${CASES}?reviewStage=Closed&pageSize=200`)).body.value;
    expect((queue.items as Loose[]).map((one) => one.customerId)).toContain(customerId);
  });

  test("a customer of one partner is a case for the analysts and nothing for the other partner", async () => {
    const { customerId: other } = await stranger.value("POST", PROFILES, aSmallProfile());
    expect((await ada.get<Loose>(`${CASES}/${other}`)).body.value?.partnerId).toBe(stranger.partnerId);
    expect(await owner.send("GET", `${PROFILES}/${other}`)).toMatchObject({ status: 403 });
  });
});
