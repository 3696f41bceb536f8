/** Analysts over HTTP: sessions, races and refusals. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { aReplacement, aSmallProfile } from "../../support/builders/profile-builders.ts";
import { type ApiStage, CASES, PROFILES, startApiStage } from "../../support/stage/api-stage.ts";

let stage: ApiStage;
let cookies: string[];
beforeAll(async () => {
  stage = await startApiStage();
  cookies = [await stage.analystCookie(), await stage.analystCookie()];
});
afterAll(() => stage.stop());

const step = (customerId: string, name: string, cookie: string | undefined, body?: unknown) =>
  stage.send("POST", `${CASES}/${customerId}/${name}`, { cookie: cookie ?? "", body });

test("two analysts claiming at once: one 200, the other 409 Case.AlreadyClaimed and 403 afterwards", async () => {
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

test("a claimed package: PATCH and PUT give 409 Customer.UnderReview", async () => {
  const { customerId } = (await stage.create(aSmallProfile())) as { customerId: string };
  await step(customerId, "claim", cookies[0]);
  const locked = { status: 409, body: { isSuccess: false, error: { code: "Customer.UnderReview" } } };
  expect(
    await stage.send("PATCH", `${PROFILES}/${customerId}`, { body: { tradingName: "x" } }),
  ).toMatchObject(locked);
  expect(
    await stage.send("PUT", `${PROFILES}/${customerId}`, { body: aReplacement(customerId) }),
  ).toMatchObject(locked);
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
  const none = await stage.send("GET", `${CASES}/not-an-id`, { cookie: cookies[0] ?? "" });
  expect(none).toMatchObject({ status: 404, body: { error: { code: "Customer.NotFound" } } });
});

test("without a session: 401, with a partner's token: 401", async () => {
  const answer = await stage.auth.request(CASES);
  expect(answer).toMatchObject({ status: 401 });
  expect(await stage.send("GET", CASES)).toMatchObject({ status: 401 });
});

test("the rules of a country change over HTTP, with the name of who did it, and nobody else may", async () => {
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
