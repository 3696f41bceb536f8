/** Who may reach what: every route of the table, tried with the ids of another partner; and a whole review over HTTP. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import type { Route } from "../../../gateway/route.ts";
import { ROUTES } from "../../../gateway/routes.ts";
import { aPerson, aProfile, aReplacement, aSmallProfile } from "../../support/builders/profile-builders.ts";
import { newAccounts } from "../../support/clients/accounts.ts";
import { type DashboardClient, dashboardClient, demoLogin } from "../../support/clients/dashboard-client.ts";
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
let live: DashboardClient;
let inSandbox: DashboardClient;
let ada: DashboardClient;
beforeAll(async () => {
  demo = await newAccounts(await journeyPlatform());
  [owner, stranger] = [await partnerClient(demo, 0), await partnerClient(demo, 1)];
  ada = await dashboardClient(demo.baseUrl, demo.analysts[0]);
  live = await dashboardClient(demo.baseUrl, demoLogin(demo, "Owner"));
  const sandbox = (await live.post<Loose>(SANDBOX)).body.value;
  inSandbox = await dashboardClient(demo.baseUrl, demoLogin(demo, "Owner"), { "Svc-Sandbox": "true" });
  const [first] = demo.partners;
  const certificate = readFileSync(first?.certificateFile ?? "", "utf8");
  await inSandbox.post("/api/customer/v1/partner-profile/api-credentials", { certificate });
  twin = await partnerClient({ ...demo, partners: [{ ...first, ...sandbox }] });
}, 120_000);

const SANDBOX = "/api/customer/v1/partner-profile/sandbox";

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
  [`PATCH ${PROFILES}/:customerId/persons/:uboId`]: {
    status: 403,
    code: "Partner.NotAuthorized",
    body: () => ({ lastName: "Mine" }),
  },
  [`POST ${PROFILES}/:customerId/simulate`]: {
    status: 403,
    code: "Partner.NotAuthorized",
    body: () => ({ outcome: "Approved" }),
  },
  // Searches the caller's own customers only, so there is nothing to be forbidden.
  [`GET ${PROFILES}/by-reference/:partnerCustomerId`]: { status: 404, code: "Customer.NotFound" },
};

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const takesId = ({ auth, path }: Route) => auth === "partner" && path.includes(":");

describe.each([
  ["another partner's customer", () => owner, () => stranger],
  ["a live customer, asked for by the partner's own sandbox", () => owner, () => twin],
  ["a test customer, asked for by the live partner", () => twin, () => owner],
])("%s", (_name, ownerOf, strangerOf) => {
  let customer: Loose;
  beforeAll(async () => {
    customer = await ownerOf().value("POST", PROFILES, aProfile());
  });

  test("every route that takes an id has a row here, and every row a route", () => {
    expect(ROUTES.filter(takesId).map(nameOf).toSorted()).toEqual(Object.keys(FOREIGN).toSorted());
  });

  test.each(Object.keys(FOREIGN))("%s is refused", async (name) => {
    const row = FOREIGN[name];
    const [method = "", path = ""] = name.split(" ");
    const url = path
      .replace(/:(customerId|businessProfileId)/, customer.customerId)
      .replace(":partnerCustomerId", customer.partnerCustomerId)
      .replace(":uboId", customer.ubos[0].uboId);
    const answer = await strangerOf().send(method, url, row?.body?.(customer.customerId));
    expect(answer).toMatchObject({ status: row?.status, code: row?.code });
    expect(JSON.stringify(answer.body)).not.toContain("Harbour");
  });

  test("stays as it was", async () => {
    const own = await ownerOf().value("GET", `${PROFILES}/${customer.customerId}`);
    expect(own).toMatchObject({ version: 1, test: ownerOf() === twin });
  });

  test("is in no list of theirs, whatever they filter by", async () => {
    const queries = [
      "",
      `?partnerCustomerId=${customer.partnerCustomerId}`,
      "?companyName=Harbour",
      "?cursor=",
    ];
    for (const query of queries) {
      const { items } = await strangerOf().value("GET", PROFILES + query);
      expect((items as Loose[]).map(({ customerId }) => customerId)).not.toContain(customer.customerId);
    }
  });
});

describe("the sandbox of a partner", () => {
  test("every list of the dashboard: has nothing of the other side, whichever side is asked", async () => {
    const lists = ROUTES.filter(
      ({ auth, method, path }) => auth === "user" && method === "GET" && !path.includes(":"),
    );
    const sides = [
      { own: owner.partnerId, other: twin.partnerId, person: live },
      { own: twin.partnerId, other: owner.partnerId, person: inSandbox },
    ];
    for (const { other, person } of sides)
      for (const { path } of lists.filter(({ action }) => action !== "auth-token.describeSandbox")) {
        const { status, body } = await person.get(path);
        expect([path, status, JSON.stringify(body).includes(other)]).toEqual([path, 200, false]);
      }
  });

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
  }, 90_000);

  test("a customer of one partner is a case for the analysts and nothing for the other partner", async () => {
    const { customerId: other } = await stranger.value("POST", PROFILES, aSmallProfile());
    expect((await ada.get<Loose>(`${CASES}/${other}`)).body.value?.partnerId).toBe(stranger.partnerId);
    expect(await owner.send("GET", `${PROFILES}/${other}`)).toMatchObject({ status: 403 });
  });
});
