/** Every field of every table of the contract, over HTTP: status, code, path, and that a refusal wrote nothing. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Case, withValue } from "../../support/builders/conformance-cases.ts";
import {
  baseBody,
  CREATE_CASES,
  nameOf,
  pathOf,
  REPLACE_CASES,
} from "../../support/builders/conformance-tables.ts";
import { aReplacement } from "../../support/builders/profile-builders.ts";
import { type ApiStage, errorOf, PROFILES, startApiStage } from "../../support/stage/api-stage.ts";

let stage: ApiStage;
beforeAll(async () => {
  stage = await startApiStage();
});
afterAll(() => stage.stop());

test("there are at least 300 cases, no two alike", () => {
  const names = [...CREATE_CASES, ...REPLACE_CASES].map(nameOf);
  expect(names.length).toBeGreaterThanOrEqual(300);
  expect(new Set(names).size).toBe(names.length);
});

describe("POST", () => {
  test.each(CREATE_CASES.map((one) => [nameOf(one), one] as const))("%s", async (_name, one) => {
    const body = withValue(baseBody(), pathOf(one), one.value);
    const before = await stage.collection.countDocuments();
    const answer = await stage.send("POST", PROFILES, { body });
    expectAnswer(answer, one.expected);
    expect(await stage.collection.countDocuments()).toBe(before + (one.expected === "accepted" ? 1 : 0));
  });
});

describe("PUT", () => {
  let customerId: string;
  beforeAll(async () => {
    ({ customerId } = (await stage.create(baseBody())) as { customerId: string });
  });

  test.each(REPLACE_CASES.map((one) => [nameOf(one), one] as const))("%s", async (_name, one) => {
    const before = await stage.collection.findOne({ _id: customerId });
    const body = withValue(aReplacement(customerId), one.field, one.value);
    expectAnswer(await stage.send("PUT", `${PROFILES}/${customerId}`, { body }), one.expected);
    if (one.expected !== "accepted")
      expect(await stage.collection.findOne({ _id: customerId })).toEqual(before);
  });

  test("customerId of another customer: Partner.BusinessProfileIdMismatch", async () => {
    const body = aReplacement("0190b5c8-7f3a-7c2e-9d4b-3f5a6b7c8d9e");
    const answer = await stage.send("PUT", `${PROFILES}/${customerId}`, { body });
    expectAnswer(answer, { code: "Partner.BusinessProfileIdMismatch", field: "customerId" });
  });
});

function expectAnswer(answer: Awaited<ReturnType<ApiStage["send"]>>, expected: Case["expected"]): void {
  if (expected === "accepted") {
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"isSuccess":true')]);
    return;
  }
  expect(answer.body).toMatchObject({ isSuccess: false });
  expect(answer.status).toBe(400);
  const { code, details } = errorOf(answer);
  expect({ code, details }).toEqual({
    code: expected.code,
    details: expect.arrayContaining([{ ...expected, message: expect.any(String) }]),
  });
}
