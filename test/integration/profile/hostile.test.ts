/** Bodies and queries that nobody sends by accident: a clear 4xx, or stored as the plain text they are; never a 500. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { createSchema, patchSchema, replaceSchema } from "../../../services/profile/input/profile.schemas.ts";
import { withValue } from "../../support/builders/conformance-cases.ts";
import { aProfile, aReplacement, aSmallProfile, type Body } from "../../support/builders/profile-builders.ts";
import { isNightly } from "../../support/repetitions.ts";
import { errorOf, PROFILES, startApiStage } from "../../support/stage/api-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startApiStage);
let customerId: string;
beforeAll(async () => {
  ({ customerId } = (await stage.create(aProfile())) as { customerId: string });
});

type Rule = { type?: string; props?: Record<string, Rule>; items?: Rule };

/** Every text field of a schema, by its path in a body with one entry in each list. */
function textFields(rules: Record<string, Rule>, before = ""): string[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const path = before ? `${before}.${name}` : name;
    if (rule.type === "object") return textFields(rule.props ?? {}, path);
    if (rule.type === "array") return rule.items?.props ? textFields(rule.items.props, `${path}[0]`) : [];
    return rule.type === "string" ? [path] : [];
  });
}
const CREATE_FIELDS = textFields(createSchema as Record<string, Rule>);
const PATCH_FIELDS = textFields(patchSchema as Record<string, Rule>);
const REPLACE_FIELDS = textFields(replaceSchema as Record<string, Rule>);
const OPERATORS = [{ $ne: null }, { $gt: "" }, { $where: "1" }, [{ $ne: null }]];

/** All at night; in every run one for each field, in turn. */
const operatorsFor = (field: string) =>
  OPERATORS.filter((_, turn) => isNightly || turn === CREATE_FIELDS.indexOf(field) % OPERATORS.length);

describe("operators in place of text", () => {
  test("there are fields to try", () => {
    expect(CREATE_FIELDS.length).toBeGreaterThan(35);
    expect(PATCH_FIELDS.length).toBeGreaterThan(35);
  });

  test.each(CREATE_FIELDS)("create: %s", async (field) => {
    const before = await stage.collection.countDocuments();
    for (const operator of operatorsFor(field)) {
      const answer = await stage.send("POST", PROFILES, { body: withValue(aProfile(), field, operator) });
      expect([operator, answer.status]).toEqual([operator, 400]);
      expect(errorOf(answer).details.map((detail) => detail.field)).toContain(field);
    }
    expect(await stage.collection.countDocuments()).toBe(before);
  });

  const lists = () => {
    const { businessPersonList, addresses, financials } = aProfile();
    return { businessPersonList, addresses, financials };
  };
  const bases: Record<"PATCH" | "PUT", () => Body> = {
    PATCH: lists,
    PUT: () => aReplacement(customerId, lists()),
  };

  test.each(["PATCH", "PUT"] as const)("%s: the body without an operator is accepted", async (method) => {
    const created = (await stage.create(aSmallProfile())) as { customerId: string };
    const body = { ...bases[method](), ...(method === "PUT" ? { customerId: created.customerId } : {}) };
    expect(await stage.send(method, `${PROFILES}/${created.customerId}`, { body })).toMatchObject({
      status: 200,
    });
  });

  test.each([
    ...PATCH_FIELDS.map((field) => ["PATCH", field, { $ne: null }] as const),
    ...REPLACE_FIELDS.map((field) => ["PUT", field, { $gt: "" }] as const),
  ])("%s: %s is named", async (method, field, operator) => {
    const before = await stage.collection.findOne({ _id: customerId });
    const body = withValue(bases[method](), field, operator);
    const answer = await stage.send(method, `${PROFILES}/${customerId}`, { body });
    expect(answer.status).toBe(400);
    expect(errorOf(answer).details.map((detail) => detail.field)).toContain(field);
    expect(await stage.collection.findOne({ _id: customerId })).toEqual(before);
  });

  test.each([
    "verificationStatus[$ne]=x",
    "companyName[$regex]=.*",
    "partnerCustomerId[$gt]=",
    "page[$gt]=1",
    "cursor[$ne]=",
    "registrationNumber=a&registrationNumber=b",
    "createdFrom[]=2020-01-01",
    "__proto__[x]=1&page=x",
    "constructor[prototype][x]=1&pageSize=0",
  ])("list?%s: 400", async (query) => {
    expect(await stage.send("GET", `${PROFILES}?${query}`)).toMatchObject({ status: 400 });
  });

  test.each(["%7B%22$ne%22:null%7D", "..%2F..%2Fx", "%00", "a%00b", "x".repeat(5000), "%F0%9F%98%80"])(
    "by-reference/%s: 404",
    async (reference) => {
      const answer = await stage.send("GET", `${PROFILES}/by-reference/${reference}`);
      expect(answer.status).toBe(404);
    },
  );
});

describe("prototypes", () => {
  const keys = ["__proto__", "constructor", "prototype", "hasOwnProperty", "toString"];

  test.each(keys)("a body with the key %s changes nothing about objects", async (key) => {
    const plain = JSON.stringify(aSmallProfile());
    const body = plain.replace("{", `{${JSON.stringify(key)}:{"polluted":true,"toString":1},`);
    const answer = await stage.send("POST", PROFILES, { body });
    expect(answer.status).toBe(200);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    const { customerId: made } = answer.body.value as { customerId: string };
    expect(JSON.stringify(await stage.collection.findOne({ _id: made }))).not.toContain("polluted");
  });

  test("fields of ours cannot be set from outside", async () => {
    const body = {
      ...aSmallProfile(),
      _id: "x",
      customerId: "x",
      partnerId: "x",
      version: 99,
      verificationStatus: "Approved",
      reviewStage: "Closed",
      outbox: [],
      claim: { analystId: "x" },
      createdAt: "2000-01-01T00:00:00.000Z",
    };
    const { customerId: made } = (await stage.create(body)) as { customerId: string };
    expect(await stage.collection.findOne({ _id: made })).toMatchObject({
      partnerId: stage.partner.partnerId,
      version: 1,
      verificationStatus: "PendingVerification",
      claim: null,
    });
  });
});

describe("sizes", () => {
  test.each(["companyName", "partnerCustomerId", "email", "website", "phoneNumber", "businessTypeCode"])(
    "a text of nearly 1 MiB as %s: 400, without the text in the answer",
    async (field) => {
      const body = aSmallProfile({ [field]: "a".repeat(1_040_000) });
      const answer = await stage.send("POST", PROFILES, { body });
      expect(answer.status).toBe(400);
      expect(answer.text.length).toBeLessThan(5_000);
    },
  );

  test("a list of 100,000 empty people: 400 with a bounded answer", async () => {
    const body = aSmallProfile({ businessPersonList: Array.from({ length: 100_000 }, () => ({})) });
    const answer = await stage.send("POST", PROFILES, { body });
    expect(answer.status).toBe(400);
    expect(errorOf(answer).details.length).toBeLessThanOrEqual(500);
  });

  test("a person with 100,000 identities, one with 100,000 ownership types: 400", async () => {
    const [person] = aProfile().businessPersonList as object[];
    for (const list of [
      { identities: Array(100_000).fill({}) },
      { ownershipType: Array(100_000).fill("UBO") },
    ]) {
      const body = aSmallProfile({ businessPersonList: [{ ...person, ...list }] });
      const answer = await stage.send("POST", PROFILES, { body });
      expect(answer.status).toBe(400);
      expect(answer.text.length).toBeLessThan(200_000);
    }
  });
});

describe("strange text", () => {
  const json = (value: string) => JSON.stringify(aSmallProfile({ companyName: "@@" })).replace("@@", value);

  test.each([
    ["a NUL", String.raw`Acme\u0000Ltd`],
    ["half a surrogate pair", String.raw`Acme\ud800Ltd`],
    ["the other half", String.raw`\udc00Acme`],
  ])("%s: 400 with its path", async (_name, escaped) => {
    const answer = await stage.send("POST", PROFILES, { body: json(escaped) });
    expect(answer.status).toBe(400);
    expect(errorOf(answer)).toMatchObject({ code: "Validation", details: [{ field: "companyName" }] });
  });

  test("a NUL deep inside a person: 400 with its path", async () => {
    const body = withValue(aProfile(), "businessPersonList[1].address.city", "La\0gos");
    expect(errorOf(await stage.send("POST", PROFILES, { body }))).toMatchObject({
      code: "ValidationControl.Error",
      details: [{ field: "businessPersonList[1].address.city" }],
    });
  });

  test.each([
    ["right-to-left override", "Acme \u202Egnp.exe"],
    ["emoji", "Acme 👩‍👩‍👧‍👦 Ltd"],
    ["markup", "<script>alert(1)</script>"],
    ["an expression", "$where: 1"],
    ["a dotted operator", "$set.partnerId"],
    ["control characters", "Acme\r\n\u001b[31mLtd"],
    ["combining marks", "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A"],
    ["the highest character", "Acme \u{10FFFF}"],
  ])("%s: stored and given back as it is", async (_name, companyName) => {
    const { customerId: made } = (await stage.create(aSmallProfile({ companyName }))) as {
      customerId: string;
    };
    expect(await stage.value("GET", `${PROFILES}/${made}`)).toMatchObject({ companyName });
  });

  test.each(["", "null", "[]", '"text"', "42", "{", "{}x", "[1,2", "true"])(
    "the body %j: 400",
    async (body) => {
      const before = await stage.collection.countDocuments();
      expect(await stage.send("POST", PROFILES, { body })).toMatchObject({
        status: 400,
        body: { error: { code: "Validation" } },
      });
      expect(await stage.collection.countDocuments()).toBe(before);
    },
  );
});

test("nothing of all this was an error of ours", () => {
  const errors = [...stage.profiles.log, ...stage.auth.log].filter((line) =>
    line.includes('"level":"error"'),
  );
  expect(errors).toEqual([]);
});
