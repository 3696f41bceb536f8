import { beforeAll, expect, test } from "@jest/globals";
import { aSmallProfile } from "../../support/builders/profile-builders.ts";
import { CASES, PROFILES, startApiStage } from "../../support/stage/api-stage.ts";
import type { Value } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startApiStage);
let cookies: string[];
beforeAll(async () => {
  cookies = [await stage.analystCookie(), await stage.analystCookie()];
});

const step = (customerId: string, name: string, cookie: string | undefined, body?: unknown) =>
  stage.send("POST", `${CASES}/${customerId}/${name}`, { cookie: cookie ?? "", body });

test("two analysts claiming at the same time: one 200, the other 409 Case.AlreadyClaimed and 403 afterwards", async () => {
  const { customerId } = await stage.create(aSmallProfile());
  const answers = await Promise.all(cookies.map((cookie) => step(customerId, "claim", cookie)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const loser = answers.findIndex(({ status }) => status === 409);
  expect(answers[loser]?.body).toMatchObject({
    value: null,
    isSuccess: false,
    error: { code: "Case.AlreadyClaimed" },
  });
  for (const name of ["release", "approve"])
    expect(await step(customerId, name, cookies[loser])).toMatchObject({
      status: 403,
      body: { error: { code: "Case.NotOwner" } },
    });
});

test("the list of cases in the shape of the dashboard; an unknown case is 404", async () => {
  const { customerId } = (await stage.create(aSmallProfile())) as { customerId: string };
  const list = await stage.send("GET", `${CASES}?pageSize=200`, { cookie: cookies[0] ?? "" });
  expect(list).toMatchObject({
    status: 200,
    body: { isSuccess: true, error: null, value: { page: 1, pageSize: 200 } },
  });
  const { items, total } = list.body.value as { items: { customerId: string }[]; total: number };
  expect(items.map((item) => item.customerId)).toContain(customerId);
  expect(total).toBe(items.length);
  // The page above shows the end, which decides its total; this one is counted.
  const counted = await stage.value("GET", `${CASES}?pageSize=1`, { cookie: cookies[0] ?? "" });
  expect([counted.total, items.length > 1]).toEqual([items.length, true]);
  const none = await stage.send("GET", `${CASES}/not-an-id`, { cookie: cookies[0] ?? "" });
  expect(none).toMatchObject({ status: 404, body: { error: { code: "Customer.NotFound" } } });
});

test("cases are found by name, reference and id, by country and by who has them; with their partner's name", async () => {
  const companyName = "Ærø Sejl ApS";
  const { customerId, partnerCustomerId } = await stage.create(
    aSmallProfile({ companyName, incorporationCountryIso3Code: "DNK" }),
  );
  const other = await stage.create(aSmallProfile({ companyName: `${partnerCustomerId} & Sons` }));
  const [cookie = ""] = cookies;
  const find = async (query: Record<string, string>) => {
    const { items } = await stage.value("GET", `${CASES}?${new URLSearchParams(query)}`, { cookie });
    return items as Value[];
  };
  const idsOf = (items: Value[]) => items.map((item) => item.customerId);
  expect(await find({ search: "ÆRØ sejl" })).toMatchObject([
    { customerId, companyName, partnerName: stage.partner.name, incorporationCountryIso3Code: "DNK" },
  ]);
  expect(idsOf(await find({ search: customerId.toUpperCase() }))).toEqual([customerId]);
  const both = await find({ search: partnerCustomerId as string });
  expect(idsOf(both).toSorted()).toEqual([customerId, other.customerId].toSorted());
  expect(idsOf(await find({ search: "ærø", reviewStage: "Closed" }))).toEqual([]);
  expect(idsOf(await find({ search: "ærø", test: "true" }))).toEqual([]);
  expect(idsOf(await find({ country: "DNK" }))).toEqual([customerId]);
  const counts = () => stage.value("GET", `${CASES}/counts`, { cookie });
  const before = await counts();
  const { claimedBy } = await stage.value("POST", `${CASES}/${customerId}/claim`, { cookie });
  expect(await counts()).toMatchObject({
    Queued: before.Queued - 1,
    UnderReview: before.UnderReview + 1,
    mine: before.mine + 1,
    countedUpTo: 1_000,
  });
  for (const who of ["me", claimedBy as string])
    expect(idsOf(await find({ claimedBy: who, country: "DNK" }))).toEqual([customerId]);
  const [newest] = await find({ sort: "newest", pageSize: "1" });
  expect(newest?.customerId).toBe(other.customerId);
  for (const query of ["sort=name", "sort=newest&search=a", "search=a&search=b", "claimed=me"])
    expect(await stage.send("GET", `${CASES}?${query}`, { cookie })).toMatchObject({ status: 400 });
  const detail = await stage.value("GET", `${CASES}/${customerId}`, { cookie });
  expect(detail).toMatchObject({ partnerName: stage.partner.name, notes: [], version: 2 });
});

test("taking the next case, a note, and a lead who gives a colleague's case back, over HTTP", async () => {
  const [cookie = "", colleague = ""] = cookies;
  await stage.create(aSmallProfile());
  const taken = await stage.value("POST", `${CASES}/claim-next`, { cookie: colleague });
  expect(taken).toMatchObject({ reviewStage: "UnderReview" });
  const { customerId } = taken as { customerId: string };
  const note = await stage.send("POST", `${CASES}/${customerId}/notes`, { cookie, body: { text: "hello" } });
  expect(note).toMatchObject({ status: 200, body: { value: { text: "hello" } } });
  expect(await step(customerId, "release", cookie)).toMatchObject({ status: 403 });
  const me = async () => (await stage.value("GET", "/api/customer/v1/session", { cookie })).user as Value;
  const { email, isLead } = await me();
  expect(isLead).toBe(false);
  expect(await stage.auth.call("auth-token.setAnalystLead", { email, lead: true })).toMatchObject({
    isLead: true,
  });
  expect(await me()).toMatchObject({ isLead: true });
  expect(await step(customerId, "release", cookie)).toMatchObject({
    status: 200,
    body: { value: { claimedBy: null } },
  });
  await stage.auth.call("auth-token.setAnalystLead", { email, lead: false });
  expect(await me()).toMatchObject({ isLead: false });
});

test("without a session: 401, with a partner's token: 401", async () => {
  const answer = await stage.auth.request(CASES);
  expect(answer).toMatchObject({ status: 401 });
  expect(await stage.send("GET", CASES)).toMatchObject({ status: 401 });
});

test("the rules of a country change over HTTP, with the name of the analyst; no other caller may change them", async () => {
  const configs = "/api/compliance/v1/onboarding-configs";
  const sent = { cookie: cookies[0] ?? "" };
  const body = { active: false, reason: "review of the rules" };
  const changed = await stage.value("PUT", `${configs}/TUR`, { ...sent, body });
  expect(changed).toMatchObject({ countryCode: "TUR", version: 2, active: false, reason: body.reason });
  expect(changed.changedBy).toMatch(/@operator.test$/);
  const list = await stage.value("GET", `${configs}?countryCode=TUR&versions=true`, sent);
  expect(list.items.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
  const newest = await stage.value("GET", configs, sent);
  expect(newest.items).toHaveLength(41);
  const needs = "/api/customer/v1/onboarding/ubo-identity-requirements?countryCode=TUR";
  expect(await stage.send("GET", needs)).toMatchObject({
    status: 404,
    body: { error: { code: "OnboardingConfig.NotFound" } },
  });
  expect(await stage.send("PUT", `${configs}/TUR`, { body })).toMatchObject({ status: 401 });
  for (const [path, wrong, status] of [
    ["tur", body, 404],
    ["TUR", { active: "no" }, 400],
    ["TUR", { validFrom: "soon" }, 400],
    ["TUR", { validFrom: "2030-01-02T00:00:00Z", validTo: "2030-01-01T00:00:00Z" }, 400],
    ["TUR", [], 400],
  ] as const)
    expect(await stage.send("PUT", `${configs}/${path}`, { ...sent, body: wrong })).toMatchObject({ status });
});

test("a reference with every permitted sign is found by its address", async () => {
  const partnerCustomerId = "A1.b_c:d@e-f";
  const { customerId } = await stage.create(aSmallProfile({ partnerCustomerId }));
  for (const reference of [partnerCustomerId, encodeURIComponent(partnerCustomerId)])
    expect(await stage.value("GET", `${PROFILES}/by-reference/${reference}`)).toMatchObject({ customerId });
});
