/** Erasing a customer, by an operator or when its retention ends. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { closedQuery } from "../../../services/profile/record/profile-queries.rules.ts";
import type { ActionName } from "../../../shared/contract/actions.ts";
import { randomId } from "../../../shared/ids.ts";
import { aPassport, aPerson, aProfile, aReplacement } from "../../support/builders/profile-builders.ts";
import { adminCommand } from "../../support/clients/admin-command.ts";
import {
  analyst,
  type Loose,
  partner,
  startProfileStage,
  type Value,
} from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const DAY_MS = 86_400_000;
/** Retention is counted in days, on a clock that the last tests move. */
const RETENTION_DAYS = 30;

const stage = stageOfFile(() =>
  startProfileStage({
    PBO_ERASURE_SWEEP_MS: "200",
    PBO_RETENTION_REJECTED_DAYS: String(RETENTION_DAYS),
  }),
);
beforeEach(() => {
  stage.erasure.isAway = false;
});

/** Every text that says something about the customer or a person. */
const CANARY = "Zebedee";
const aFullProfile = () =>
  aProfile({
    companyName: `${CANARY} Holdings`,
    tradingName: `${CANARY} Trading`,
    description: `${CANARY} sells`,
    email: `${CANARY.toLowerCase()}@canary.example`,
    website: `https://${CANARY.toLowerCase()}.example`,
    registrationNumber: `${CANARY}-1`,
    businessPersonList: [
      aPerson({
        firstName: CANARY,
        lastName: CANARY,
        email: `${CANARY.toLowerCase()}-person@canary.example`,
        taxIdentificationNumber: "TIN-4711",
        identities: [aPassport({ identityValue: "B98761234" })],
      }),
    ],
  });

const erase = async (
  customerId: string,
  partnerId = stage.partnerId,
  reason = "ticket-4711",
): Promise<Value> => {
  const args = ["--customer", customerId, "--partner", partnerId, "--operator", "eve", "--reason", reason];
  const result = await adminCommand(
    (action, request) => stage.call(action, request as object),
    ["customer", "erase", ...args, "--json"],
  );
  return result.code === 0 ? JSON.parse(result.out) : { code: result.code, ...JSON.parse(result.err).error };
};
const raw = (customerId: string): Promise<Loose> => stage.collection.findOne({ _id: customerId });

/** Every document of every collection in the databases of this stage. */
async function textsOfAllDatabases(): Promise<string> {
  const client = stage.client();
  const { databases } = await client.db("admin").admin().listDatabases({ nameOnly: true });
  const own = databases.filter(({ name }) => name.startsWith(`${stage.namespace}_`));
  const texts: string[] = [];
  for (const { name } of own)
    for (const collection of await client.db(name).collections())
      texts.push(`${collection.namespace} ${JSON.stringify(await collection.find().toArray())}`);
  expect(own.map(({ name }) => name)).toContain(`${stage.namespace}_profile_audit`);
  return texts.join("\n");
}

/** Reviewed and sent back, so that there are notes and messages of an analyst too. */
async function aReviewedCustomer() {
  const created = await stage.create(aFullProfile());
  const { customerId } = created;
  await stage.recordDocument(customerId, { documentCategory: "BankStatement" });
  const note = { params: { customerId }, body: { text: `${CANARY} is a note` }, caller: analyst("ada") };
  await stage.get("profile.addNote", note);
  await stage.step("claimCase", customerId);
  await stage.step("requestChanges", customerId, analyst("ada"), {
    items: [{ target: { kind: "Business" }, reasonCode: "Other", message: `${CANARY} is unclear` }],
  });
  await stage.patch(customerId, { businessPersonList: [aPerson({ firstName: CANARY })] });
  await stage.step("claimCase", customerId);
  await stage.step("approveCase", customerId, analyst("ada"), { note: `${CANARY} phoned` });
  return created;
}

describe("an erased customer", () => {
  test("leaves ids, states and dates, and nothing else", async () => {
    const { customerId, partnerCustomerId } = await aReviewedCustomer();
    const before = await raw(customerId);
    const answer = await erase(customerId);
    expect(answer).toEqual({
      customerId,
      partnerId: stage.partnerId,
      erasedAt: expect.any(String),
      finished: true,
    });

    const after = await raw(customerId);
    expect(after).toEqual({
      _id: customerId,
      partnerId: "erased",
      partnerCustomerId: customerId,
      version: before.version + 1,
      sequence: before.sequence + 1,
      audit: before.audit.map((entry: Value) => ({ ...entry, detail: {} })),
      outbox: expect.any(Array),
      erased: {
        partnerId: stage.partnerId,
        partnerCustomerId,
        uboIds: before.people.map(({ uboId }: Value) => uboId),
        verificationStatus: "Approved",
        createdAt: before.createdAt,
        submittedAt: before.submittedAt,
        decidedAt: before.decidedAt,
        history: before.history,
        erasedAt: answer.erasedAt,
        by: "eve",
        reason: "ticket-4711",
      },
    });
    for (const text of [JSON.stringify(after), stage.log.join("")]) {
      expect(text.toLowerCase()).not.toContain(CANARY.toLowerCase());
      expect(text).not.toContain("B98761234");
    }
    expect(stage.erasure.asked).toContain(customerId);
    const line = stage.log.find((text) => text.includes("customer.erased") && text.includes(customerId));
    expect(JSON.parse(line ?? "{}")).toMatchObject({
      partnerId: stage.partnerId,
      by: "eve",
      reason: "ticket-4711",
    });
  });

  test("leaves no text of an analyst or operator in any database, the audit trail included", async () => {
    const { customerId } = await aReviewedCustomer();
    const rejected = await stage.create(aFullProfile());
    await stage.step("claimCase", rejected.customerId);
    await stage.step("rejectCase", rejected.customerId, analyst("ada"), {
      reasons: [{ code: "Other", message: `${CANARY} was on a list` }],
    });
    expect(await textsOfAllDatabases()).toMatch(new RegExp(CANARY, "i"));
    for (const id of [customerId, rejected.customerId]) {
      expect(await erase(id, stage.partnerId, `${CANARY} asked by phone`)).toMatchObject({
        code: "ValidationControl.Error",
        message: expect.stringContaining("reference"),
      });
      expect(await stage.read(id)).toMatchObject({ customerId: id });
      expect(await erase(id)).toMatchObject({ finished: true });
    }
    // Customers of other tests are still there.
    for (const { _id } of await stage.collection.find({ erased: { $exists: false } } as never).toArray())
      await erase(_id);
    expect(await textsOfAllDatabases()).not.toMatch(new RegExp(CANARY, "i"));
    expect(await textsOfAllDatabases()).toContain(customerId);
  });

  test("is published as one event, with the next number, after the events that were not sent yet", async () => {
    const { customerId, partnerCustomerId } = await stage.create(aFullProfile());
    const waiting = (await stage.stored(customerId))?.outbox.length ?? 0;
    const { erasedAt } = await erase(customerId);
    const outbox = (await stage.stored(customerId))?.outbox ?? [];
    expect(outbox.length).toBe(waiting + 1);
    expect(JSON.parse(String(outbox.at(-1)?.body))).toMatchObject({
      eventType: "business.profile.erased",
      partnerId: stage.partnerId,
      correlation: { customerId, partnerCustomerId, sequence: waiting + 1 },
      data: { customerId, partnerCustomerId, erasedAt },
    });
  });

  test("is gone for every caller: 410 for its partner and analysts, 403 for another partner", async () => {
    const { customerId, partnerCustomerId } = await stage.create(aFullProfile());
    await erase(customerId);
    const params = { customerId, businessProfileId: customerId };
    const asked: [ActionName, object][] = [
      ["profile.get", { params }],
      ["profile.verificationStatus", { params }],
      ["profile.patch", { params, body: { website: "https://x.example" } }],
      ["profile.replace", { params, body: aReplacement(customerId) }],
      ["profile.getCase", { params, caller: analyst("ada") }],
      ["profile.claimCase", { params, caller: analyst("ada") }],
      ["profile.approveCase", { params, caller: analyst("ada") }],
    ];
    for (const [action, wish] of asked) {
      const outcome = await stage.ask(action, wish);
      expect([action, outcome]).toMatchObject([action, { status: 410, code: "Customer.Erased" }]);
      if (action === "profile.get" || action === "profile.patch")
        expect(await stage.ask(action, { ...wish, caller: partner(randomId()) })).toMatchObject({
          status: 403,
          code: "Partner.NotAuthorized",
        });
    }
    const question = { customerId, partnerId: stage.partnerId, uboId: null };
    expect(await stage.call("profile.uploadRefusals", { questions: [question] })).toMatchObject({
      refusals: [{ type: "Customer.Erased" }],
    });
    await expect(stage.recordDocument(customerId, {})).rejects.toMatchObject({ type: "Customer.Erased" });
    expect(await stage.ask("profile.getByReference", { params: { partnerCustomerId } })).toMatchObject({
      status: 404,
      code: "Customer.NotFound",
    });
  });

  test("is in no list and no count, and its reference is free again", async () => {
    const body = aFullProfile();
    const lists = async () => ({
      own: await stage.get("profile.list", { query: { pageSize: "200" } }),
      cases: await stage.get("profile.listCases", { query: { pageSize: "200" }, caller: analyst("ada") }),
    });
    const before = await lists();
    const { customerId } = await stage.create(body);
    await erase(customerId);
    expect(await lists()).toEqual(before);
    const second = await stage.create(body);
    expect(second.customerId).not.toBe(customerId);
    await erase(second.customerId);
    expect((await raw(customerId)).erased.partnerCustomerId).toBe(body.partnerCustomerId);
  });

  test("erased once more: the answer of the first time, and nothing changes", async () => {
    const { customerId } = await stage.create(aFullProfile());
    const first = await erase(customerId);
    const before = await raw(customerId);
    expect(await erase(customerId)).toEqual(first);
    expect({ ...(await raw(customerId)), outbox: [] }).toEqual({ ...before, outbox: [] });
  });

  test("by another partner's request, or one that does not exist: refused", async () => {
    const { customerId } = await stage.create(aFullProfile());
    expect(await erase(customerId, randomId())).toMatchObject({ code: "Partner.NotAuthorized" });
    expect(await erase(randomId())).toMatchObject({ code: "Customer.NotFound" });
    expect(await stage.read(customerId)).toMatchObject({ customerId });
    await erase(customerId);
    expect(await erase(customerId, randomId())).toMatchObject({ code: "Partner.NotAuthorized" });
  });

  test("during writes: nothing of them remains", async () => {
    const { customerId } = await stage.create(aFullProfile());
    const patches = Array.from({ length: 20 }, (_, index) =>
      stage.patch(customerId, { description: `${CANARY} ${index}` }),
    );
    const [answer, ...outcomes] = await Promise.all([erase(customerId), ...patches]);
    expect(answer).toMatchObject({ finished: true });
    for (const outcome of outcomes as Value[])
      expect(outcome.ok || outcome.code === "Customer.Erased").toBe(true);
    expect(await stage.patch(customerId, { description: CANARY })).toMatchObject({ code: "Customer.Erased" });
    expect(JSON.stringify(await raw(customerId))).not.toContain(CANARY);
  });

  test("while the document service is away: its data is gone immediately, its files when the service is back", async () => {
    const { customerId } = await stage.create(aFullProfile());
    stage.erasure.isAway = true;
    expect(await erase(customerId)).toMatchObject({ finished: false });
    expect((await raw(customerId)).erased.isUnfinished).toBe(true);
    expect(await stage.ask("profile.get", { params: { customerId } })).toMatchObject({ status: 410 });
    stage.erasure.isAway = false;
    await waitFor(async () => !(await raw(customerId)).erased.isUnfinished, {
      what: "the erasure to be finished",
    });
    expect(stage.erasure.asked).toContain(customerId);
  });

  test("has no value under any key", async () => {
    const { customerId } = await stage.create(aFullProfile());
    const count = async () => {
      const { counts, next } = await stage.call<Value>("profile.sweepFieldKeys", {});
      expect(next).toBeNull();
      return counts[0].values as number;
    };
    const before = await count();
    await erase(customerId);
    expect(await count()).toBe(before - 1);
  });
});

describe("retention", () => {
  async function decided(step: "approveCase" | "rejectCase"): Promise<string> {
    const { customerId } = await stage.create(aFullProfile());
    await stage.step("claimCase", customerId);
    const body = step === "rejectCase" ? { reasons: [{ code: "Other", message: CANARY }] } : undefined;
    expect(await stage.step(step, customerId, analyst("ada"), body)).toMatchObject({ ok: true });
    return customerId;
  }

  test("ends so many days after the last change of a rejected customer, and of no other", async () => {
    const [approved, rejected] = [await decided("approveCase"), await decided("rejectCase")];
    const { customerId: queued } = await stage.create(aFullProfile());
    stage.clock.move(20 * DAY_MS);
    const later = await decided("rejectCase");
    stage.clock.move(11 * DAY_MS);
    await waitFor(async () => (await raw(rejected)).erased && !(await raw(rejected)).erased.isUnfinished, {
      what: "the rejected customer to be erased",
    });
    expect((await raw(rejected)).erased).toMatchObject({ by: "retention", verificationStatus: "Rejected" });
    expect(JSON.stringify(await raw(rejected)).toLowerCase()).not.toContain(CANARY.toLowerCase());
    expect(stage.erasure.asked).toContain(rejected);
    for (const customerId of [approved, queued, later])
      expect(await stage.read(customerId)).toMatchObject({ customerId });
  });

  test("looks at no customer that is not due, and at none twice", async () => {
    const plan = async (since: number) => {
      const query = closedQuery("Rejected", new Date(since).toISOString(), null);
      const cursor = stage.collection
        .find(query as never)
        .sort({ updatedAt: 1, _id: 1 })
        .limit(100);
      const text = JSON.stringify(await cursor.explain("executionStats"));
      return {
        index: /"indexName":"(\w+)"/.exec(text)?.[1],
        examined: Number(/"totalDocsExamined":(\d+)/.exec(text)?.[1]),
      };
    };
    await decided("rejectCase");
    // Due are all that were rejected by then, and they are erased; the others are not looked at.
    expect(await plan(stage.clock.now() - RETENTION_DAYS * DAY_MS)).toEqual({ index: "closed", examined: 0 });
    expect((await plan(stage.clock.now())).examined).toBe(2);
  });
});
