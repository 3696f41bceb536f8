/** An Idempotency-Key is one name over all routes of a client, also of those that another service serves, for a day. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { UploadAnswers } from "../../../shared/contract/actions/profile.ts";
import { fingerprintOf } from "../../../shared/idempotency.rules.ts";
import type { Caller } from "../../../shared/identity/caller.ts";
import { randomId } from "../../../shared/ids.ts";
import { aSmallProfile } from "../../support/builders/profile-builders.ts";
import { analyst, type Outcome, partner, startProfileStage } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startProfileStage);

const DAY_MS = 86_400_000;
let twin: Caller;
let twinId: string;
beforeEach(() => {
  twinId = randomId();
  twin = { ...partner(twinId), isTest: true } as Caller;
});

const refusedAs = (code: string, status: number) => ({ ok: false, code, status });
const REUSED = refusedAs("Idempotency.KeyReused", 422);
const ERASED = refusedAs("Customer.Erased", 410);

const create = (idempotencyKey: string, body: object = aSmallProfile()) =>
  stage.ask("profile.create", { body, caller: twin, idempotencyKey });
const simulate = (customerId: string, idempotencyKey: string, body: object = { outcome: "Approved" }) =>
  stage.ask("profile.simulate", { params: { customerId }, body, caller: twin, idempotencyKey });
/** As the document service asks for a link. */
async function link(
  customerId: string,
  key: string,
  { body = {}, documentId = randomId(), partnerId = twinId, uboId = null as string | null } = {},
): Promise<Outcome<{ documentId: string | null }>> {
  const keyed = {
    key,
    fingerprint: fingerprintOf("document.createUploadLink", customerId, body),
    documentId,
  };
  const questions = [{ customerId, partnerId, uboId, keyed }];
  const { refusals, documentIds } = await stage.call<UploadAnswers>("profile.uploadRefusals", { questions });
  const [refusal] = refusals;
  return refusal
    ? { ok: false, status: refusal.code, code: refusal.type, message: refusal.message, details: [] }
    : { ok: true, value: { documentId: documentIds[0] ?? null }, headers: {}, warnings: [] };
}
const erase = (customerId: string) =>
  stage.call("profile.eraseCustomer", {
    ...{ customerId, partnerId: twinId },
    ...{ operator: "eve", reason: "ticket-4711" },
  });
const aCustomer = async () => (await stage.create(aSmallProfile(), twin)).customerId;

type Route = (customerId: string, key: string) => Promise<Outcome>;
const ROUTES: [string, Route][] = [
  ["create", (_customerId, key) => create(key)],
  ["simulate", (customerId, key) => simulate(customerId, key)],
  ["upload-link", (customerId, key) => link(customerId, key)],
];
const PAIRS = ROUTES.flatMap(([name, first]) =>
  ROUTES.filter(([other]) => other !== name).map(([other, second]) => [name, other, first, second] as const),
);

describe("a key on two routes", () => {
  test.each(PAIRS)("%s, then %s: KeyReused, and nothing is done", async (_name, _other, first, second) => {
    const [one, two, key] = [await aCustomer(), await aCustomer(), randomId()];
    expect(await first(one, key)).toMatchObject({ ok: true });
    const before = await stage.collection.countDocuments({ partnerId: twinId });
    for (const customerId of [one, two]) expect(await second(customerId, key)).toMatchObject(REUSED);
    expect(await stage.collection.countDocuments({ partnerId: twinId })).toBe(before);
    expect(await stage.stored(two)).toMatchObject({ version: 1 });
  });

  test.each(PAIRS)(
    "%s and %s together, on one customer: one of them is done",
    async (_n, _o, first, second) => {
      const [customerId, key] = [await aCustomer(), randomId()];
      const outcomes = await Promise.all([first(customerId, key), second(customerId, key)]);
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
      const [refused] = outcomes.filter(({ ok }) => !ok);
      expect(["Idempotency.KeyReused", "Idempotency.InProgress"]).toContain(
        refused?.ok === false && refused.code,
      );
      const holders = await stage.collection
        .find({ partnerId: twinId, "keptAnswers.key": key } as never)
        .toArray();
      expect(
        holders.flatMap(({ keptAnswers = [] }) => keptAnswers.filter((one) => one.key === key)),
      ).toHaveLength(1);
    },
  );

  test("the client of the sandbox and the live one are apart", async () => {
    const key = randomId();
    expect(await create(key)).toMatchObject({ ok: true });
    const live = { body: aSmallProfile(), idempotencyKey: key };
    expect(await stage.ask("profile.create", live)).toMatchObject({ ok: true, headers: {} });
    const { customerId } = await stage.create(aSmallProfile());
    expect(await link(customerId, randomId(), { partnerId: stage.partnerId })).toMatchObject({ ok: true });
  });
});

describe("an upload link's key", () => {
  test("a repeated request, also for a locked customer: the first document; another request: KeyReused", async () => {
    const [customerId, key] = [await aCustomer(), randomId()];
    const first = await link(customerId, key);
    await stage.step("claimCase", customerId, analyst("ada"));
    expect(await link(customerId, key)).toEqual(first);
    expect(await link(customerId, key, { body: { other: true } })).toMatchObject(REUSED);
    expect(await link(customerId, randomId())).toMatchObject({ ok: false, code: "Customer.UnderReview" });
    expect((await stage.stored(customerId))?.version).toBe(2);
  });

  test("twenty concurrent requests: one document", async () => {
    const [customerId, key] = [await aCustomer(), randomId()];
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => link(customerId, key)));
    const ids = outcomes.flatMap((one) => (one.ok ? [one.value.documentId] : []));
    expect([new Set(ids).size, ids.length > 0]).toEqual([1, true]);
    expect((await stage.stored(customerId))?.keptAnswers).toHaveLength(1);
  });

  test("after a day: a new document, and only its answer is stored under the key", async () => {
    const [customerId, key] = [await aCustomer(), randomId()];
    const first = await link(customerId, key);
    stage.clock.ahead += DAY_MS;
    const next = await link(customerId, key);
    expect(next).toMatchObject({ ok: true });
    expect(next).not.toEqual(first);
    expect((await stage.stored(customerId))?.keptAnswers).toHaveLength(1);
  });
});

describe("a refused request", () => {
  test.each<[string, (customerId: string, key: string) => Promise<Outcome<unknown>>]>([
    ["create", (_customerId, key) => create(key, { companyName: 7 })],
    ["simulate", (customerId, key) => simulate(customerId, key, { outcome: "None" })],
    ["upload-link", (customerId, key) => link(customerId, key, { uboId: randomId() })],
  ])("%s: leaves its key to every route", async (_name, refused) => {
    for (const [, route] of ROUTES) {
      const [customerId, key] = [await aCustomer(), randomId()];
      expect(await refused(customerId, key)).toMatchObject({ ok: false, status: 400 });
      expect(await route(customerId, key)).toMatchObject({ ok: true });
    }
  });
});

describe("the customer was erased", () => {
  test.each(ROUTES)(
    "%s: its key answers 410 on every route for the rest of the day, then it is free",
    async (name, first) => {
      const [customerId, other, key] = [await aCustomer(), await aCustomer(), randomId()];
      const made = await first(customerId, key);
      await erase(name === "create" && made.ok ? made.value.customerId : customerId);
      stage.clock.ahead += DAY_MS - 60_000;
      for (const [, route] of ROUTES) expect(await route(other, key)).toMatchObject(ERASED);
      expect(await create(key, { companyName: 7 })).toMatchObject(ERASED);
      expect(await create(randomId())).toMatchObject({ ok: true });
      stage.clock.ahead += 60_000;
      expect(await create(key)).toMatchObject({ ok: true, headers: {} });
    },
  );

  test("another partner's key of the same name: is free", async () => {
    const key = randomId();
    const made = await create(key);
    await erase(made.ok ? made.value.customerId : "");
    expect(await stage.ask("profile.create", { body: aSmallProfile(), idempotencyKey: key })).toMatchObject({
      ok: true,
    });
  });

  test("the tombstone has no text of the key", async () => {
    const key = `order of Amina Okafor ${randomId()}`;
    const made = await create(key);
    const customerId = made.ok ? made.value.customerId : "";
    await erase(customerId);
    expect(JSON.stringify(await stage.collection.findOne({ _id: customerId }))).not.toContain("Okafor");
  });

  test("a key that is claimed while the customer is erased: refused, or answered 410 from then on", async () => {
    for (let round = 0; round < 10; round += 1) {
      const [customerId, key] = [await aCustomer(), randomId()];
      const [outcome] = await Promise.all([link(customerId, key), erase(customerId)]);
      if (outcome.ok) expect(await create(key)).toMatchObject(ERASED);
      else expect(outcome.code).toMatch(/Customer.Erased|Idempotency.InProgress/);
    }
  });
});
