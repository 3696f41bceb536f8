/** Who may reach what: every route of the table, tried with the ids of another partner; and a whole review over HTTP. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import type { Route } from "../../../gateway/route.ts";
import { ROUTES } from "../../../gateway/routes.ts";
import { aPerson, aProfile, aReplacement, aSmallProfile } from "../../support/builders/profile-builders.ts";
import { newAccounts } from "../../support/clients/accounts.ts";
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
let ada: DashboardClient;
beforeAll(async () => {
  demo = await newAccounts(await journeyPlatform());
  [owner, stranger] = [await partnerClient(demo, 0), await partnerClient(demo, 1)];
  ada = await dashboardClient(demo.baseUrl, demo.analysts[0]);
}, 120_000);

/** What another partner gets when it uses the id of a customer that is not its own. */
const FOREIGN: Record<string, { status: number; code: string; body?: (customerId: string) => unknown }> = {
  [`PUT ${PROFILES}/:businessProfileId`]: {
    status: 403,
    code: "Partner.NotAuthorized",
    body: (id) => aReplacement(id),
  },
  [`PATCH ${PROFILES}/:customerId`]: {
    status: 403,
    code: "Partner.NotAuthorized",
    body: () => ({ tradingName: "mine" }),
  },
  [`GET ${PROFILES}/:customerId`]: { status: 403, code: "Partner.NotAuthorized" },
  [`GET ${PROFILES}/:customerId/verification-status`]: { status: 403, code: "Partner.NotAuthorized" },
  [`POST ${PROFILES}/:customerId/documents/upload-link`]: {
    status: 403,
    code: "Partner.NotAuthorized",
    body: () => ({ documentCategory: "BankStatement", contentType: "application/pdf" }),
  },
  // Searches the caller's own customers only, so there is nothing to be forbidden.
  [`GET ${PROFILES}/by-reference/:partnerCustomerId`]: { status: 404, code: "Customer.NotFound" },
};

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const takesId = ({ auth, path }: Route) => auth === "partner" && path.includes(":");

describe("another partner's customer", () => {
  let customer: Loose;
  beforeAll(async () => {
    customer = await owner.value("POST", PROFILES, aProfile());
  });

  test("every route that takes an id has a row here, and every row a route", () => {
    expect(ROUTES.filter(takesId).map(nameOf).toSorted()).toEqual(Object.keys(FOREIGN).toSorted());
  });

  test.each(Object.keys(FOREIGN))("%s is refused", async (name) => {
    const row = FOREIGN[name];
    const [method = "", path = ""] = name.split(" ");
    const url = path
      .replace(/:(customerId|businessProfileId)/, customer.customerId)
      .replace(":partnerCustomerId", customer.partnerCustomerId);
    const answer = await stranger.send(method, url, row?.body?.(customer.customerId));
    expect(answer).toMatchObject({ status: row?.status, code: row?.code });
    expect(JSON.stringify(answer.body)).not.toContain("Harbour");
  });

  test("stays as it was", async () => {
    expect(await owner.value("GET", `${PROFILES}/${customer.customerId}`)).toMatchObject({ version: 1 });
  });

  test("is in no list of theirs, whatever they filter by", async () => {
    const queries = [
      "",
      `?partnerCustomerId=${customer.partnerCustomerId}`,
      "?companyName=Harbour",
      "?cursor=",
    ];
    for (const query of queries) {
      const { items } = await stranger.value("GET", PROFILES + query);
      expect((items as Loose[]).map(({ customerId }) => customerId)).not.toContain(customer.customerId);
    }
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
  }, 90_000);

  test("a customer of one partner is a case for the analysts and nothing for the other partner", async () => {
    const { customerId: other } = await stranger.value("POST", PROFILES, aSmallProfile());
    expect((await ada.get<Loose>(`${CASES}/${other}`)).body.value?.partnerId).toBe(stranger.partnerId);
    expect(await owner.send("GET", `${PROFILES}/${other}`)).toMatchObject({ status: 403 });
  });
});
