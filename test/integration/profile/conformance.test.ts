import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Case, valueAt, withValue } from "../../support/builders/conformance-cases.ts";
import {
  baseBody,
  CREATE_CASES,
  nameOf,
  pathOf,
  REPLACE_CASES,
} from "../../support/builders/conformance-tables.ts";
import { aPerson, aProfile, aReplacement, aSmallProfile } from "../../support/builders/profile-builders.ts";
import { someRows } from "../../support/skipped.ts";
import { type ApiStage, errorOf, PROFILES, startApiStage } from "../../support/stage/api-stage.ts";
import type { Value } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startApiStage);

test("there are at least 300 cases, no two alike", () => {
  const names = [...CREATE_CASES, ...REPLACE_CASES].map(nameOf);
  expect(names.length).toBeGreaterThanOrEqual(300);
  expect(new Set(names).size).toBe(names.length);
});

/** A case for each field and answer. */
function overHttp(cases: readonly Case[]): readonly Case[] {
  const answerOf = ({ table, field, expected }: Case) => JSON.stringify([table, field, expected]);
  const some = [...new Map(cases.map((one) => [answerOf(one), one])).values()];
  return someRows(cases, some, "cases over HTTP; unit/profile/profile-input.rules has each");
}

describe("POST", () => {
  test.each(overHttp(CREATE_CASES).map((one) => [nameOf(one), one] as const))("%s", async (_name, one) => {
    const body = withValue(baseBody(), pathOf(one), one.value);
    const before = await stage.collection.countDocuments();
    const answer = await stage.send("POST", PROFILES, { body });
    expectAnswer(answer, one.expected);
    expect(await stage.collection.countDocuments()).toBe(before + (one.expected === "accepted" ? 1 : 0));
    if (one.expected === "accepted") await expectRead((answer.body.value as Value).customerId, one);
  });
});

describe("PUT", () => {
  let customerId: string;
  beforeAll(async () => {
    ({ customerId } = (await stage.create(baseBody())) as { customerId: string });
  });

  test.each(overHttp(REPLACE_CASES).map((one) => [nameOf(one), one] as const))("%s", async (_name, one) => {
    const [before, readBefore] = [
      await stage.collection.findOne({ _id: customerId }),
      await read(customerId),
    ];
    const body = withValue(aReplacement(customerId), one.field, one.value);
    expectAnswer(await stage.send("PUT", `${PROFILES}/${customerId}`, { body }), one.expected);
    if (one.expected === "accepted") return expectRead(customerId, one, readBefore);
    expect(await stage.collection.findOne({ _id: customerId })).toEqual(before);
  });

  test("customerId of another customer: Partner.BusinessProfileIdMismatch", async () => {
    const body = aReplacement("0190b5c8-7f3a-7c2e-9d4b-3f5a6b7c8d9e");
    const answer = await stage.send("PUT", `${PROFILES}/${customerId}`, { body });
    expectAnswer(answer, { code: "Partner.BusinessProfileIdMismatch", field: "customerId" });
  });
});

/** PUT names these fields otherwise than a read. */
const READ_NAMES: Record<string, string> = { businessEmail: "email", name: "companyName" };
const TYPE_CODES: Record<string, string> = { llc: "LLC", fINANCIALiNSTITUTION: "FinancialInstitution" };
/** An absent one is empty in a create and stays in a PUT. */
const EMPTY: Record<string, unknown> = { addresses: [], businessPersonList: [], financials: null };

/** The value of a read after the value of the case was accepted; before is the earlier read of a PUT. */
function readOf({ field, value }: Case, before: Value): unknown {
  // Accepted for old callers, and not stored.
  if (field === "idBackDocumentUploadId") return undefined;
  const given = typeof value === "symbol" ? null : value;
  if (field === "businessTypeCode") return TYPE_CODES[String(given)] ?? given;
  if (field === "taxIdentificationNumber") return given === null ? null : `****${String(given).slice(-4)}`;
  return given ?? (field in EMPTY ? before[field] : null);
}

const read = (customerId: unknown) => stage.value("GET", `${PROFILES}/${customerId}`);

async function expectRead(customerId: unknown, one: Case, before: Value = EMPTY): Promise<void> {
  const path = pathOf(one);
  const stored = valueAt(await read(customerId), READ_NAMES[path] ?? path);
  expect([path, stored]).toEqual([path, readOf(one, before)]);
}

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
    details: expect.arrayContaining([expect.objectContaining({ ...expected, message: expect.any(String) })]),
  });
}

describe("warnings", () => {
  const body = () => aSmallProfile({ tradingname: "Harbour" });
  const expected = [
    {
      field: "tradingname",
      code: "Property.Unknown",
      message: "is not known here and is ignored; did you mean tradingName?",
    },
    { field: "businessPersonList", code: "People.Missing", message: expect.any(String) },
  ];

  test("create, PUT and PATCH: are part of the success; without warnings there is no list", async () => {
    const created = await stage.send("POST", PROFILES, { body: body() });
    expect(created).toMatchObject({ status: 200, body: { isSuccess: true, warnings: expected } });
    const { customerId } = created.body.value as { customerId: string };
    const one = `${PROFILES}/${customerId}`;
    const put = await stage.send("PUT", one, { body: aReplacement(customerId, { tradingname: "Harbour" }) });
    expect(put).toMatchObject({ status: 200, body: { isSuccess: true, warnings: expected } });
    const patch = { businessPersonList: [aPerson({ percentageShare: null })] };
    expect(await stage.send("PATCH", one, { body: patch })).toMatchObject({
      body: {
        warnings: [{ field: "businessPersonList[0].percentageShare", code: "Person.ShareMissing" }],
      },
    });
    expect((await stage.send("PATCH", one, { body: { tradingName: "Harbour" } })).body).not.toHaveProperty(
      "warnings",
    );
  });

  test("with Svc-Strict: true: 400 with each of them, and nothing is stored", async () => {
    const before = await stage.collection.countDocuments();
    const answer = await stage.send("POST", PROFILES, { body: body(), headers: { "Svc-Strict": "true" } });
    expect(answer.status).toBe(400);
    expect(errorOf(answer)).toMatchObject({
      code: "ValidationControl.Error",
      details: expected.map(({ field, code, message }) => ({
        field,
        code: "ValidationControl.Error",
        rule: code,
        message,
      })),
    });
    expect(await stage.collection.countDocuments()).toBe(before);
  });
});

test("an unknown query parameter: 400 with its name, for every method", async () => {
  const { customerId } = (await stage.create(aProfile())) as { customerId: string };
  for (const [method, path] of [
    ["GET", `${PROFILES}?pagesize=2`],
    ["GET", `${PROFILES}/${customerId}?pagesize=2`],
    ["PATCH", `${PROFILES}/${customerId}?pagesize=2`],
    ["GET", "/api/ping?pagesize=2"],
  ] as const) {
    const answer = await stage.send(method, path, method === "GET" ? {} : { body: {} });
    expect([path, answer.status, errorOf(answer)]).toMatchObject([
      path,
      400,
      { code: "ValidationControl.Error", details: [{ field: "pagesize", rule: "Query.Unknown" }] },
    ]);
  }
  expect((await stage.send("GET", `${PROFILES}?pageSize=2`)).status).toBe(200);
});

describe("Idempotency-Key", () => {
  const send = (body: unknown, key: string) =>
    stage.send("POST", PROFILES, { body, headers: { "Idempotency-Key": key } });

  test("the same request again: the first answer, marked; another body: 422; a bad key: 400", async () => {
    const body = aProfile({ tradingname: "T" });
    const first = await send(body, "key-1");
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const { customerId } = first.body.value as { customerId: string };
    await stage.value("PATCH", `${PROFILES}/${customerId}`, { body: { website: "https://other.example" } });
    const again = await send(body, "key-1");
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");

    const before = await stage.collection.countDocuments();
    for (const other of [aProfile(), { ...body, email: 7 }])
      expect(await send(other, "key-1")).toMatchObject({
        status: 422,
        body: { error: { code: "Idempotency.KeyReused" } },
      });
    expect(await send(aProfile(), "a b")).toMatchObject({ status: 400 });
    expect(await stage.collection.countDocuments()).toBe(before);
  });

  test("many concurrent requests: one customer; each gets its answer or 409 InProgress", async () => {
    const body = aProfile();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(body, "key-2")));
    const { partnerCustomerId } = body as { partnerCustomerId: string };
    expect(await stage.collection.countDocuments({ partnerCustomerId })).toBe(1);
    const done = answers.filter(({ status }) => status === 200);
    const firsts = done.filter(({ headers }) => !headers.has("idempotent-replayed"));
    expect(firsts).toHaveLength(1);
    for (const answer of done) expect(answer.body).toEqual(firsts[0]?.body);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect([answer.status, errorOf(answer).code]).toEqual([409, "Idempotency.InProgress"]);
    expect((await send(body, "key-2")).body).toEqual(firsts[0]?.body);
  });

  test("is found by its index, and nothing of it shows in a read", async () => {
    const { customerId } = (await send(aProfile(), "key-4")).body.value as { customerId: string };
    const query = { partnerId: "p", "keptAnswers.key": "key-4" };
    const plan = JSON.stringify(await stage.collection.find(query as never).explain("queryPlanner"));
    expect(plan).toContain("answered_key");
    expect((await stage.send("GET", `${PROFILES}/${customerId}`)).text).not.toContain("key-4");
  });
});
