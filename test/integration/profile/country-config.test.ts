import { describe, expect, test } from "@jest/globals";
import { aNationalId, anAddress, aPerson, aSmallProfile } from "../../support/builders/profile-builders.ts";
import { startProfileStage, type Value } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const stage = stageOfFile(startProfileStage);

const requirements = (countryCode?: unknown) =>
  stage.ask("profile.identityRequirements", { query: countryCode === undefined ? {} : { countryCode } });
const livingIn = (countryCode: string, identityValue: string) =>
  aSmallProfile({
    businessPersonList: [
      aPerson({
        address: anAddress({ countryCode }),
        identities: [{ ...aNationalId(), issuingCountry: countryCode, identityValue }],
      }),
    ],
  });
const create = (body: unknown) => stage.ask("profile.create", { body });

describe("the requirement list", () => {
  test.each([
    [undefined, 400, "ValidationControl.Error"],
    ["", 400, "ValidationControl.Error"],
    ["nga", 400, "ValidationControl.Error"],
    ["NG", 400, "ValidationControl.Error"],
    [{ $ne: "" }, 400, "ValidationControl.Error"],
    [["NGA", "GHA"], 400, "ValidationControl.Error"],
    ["ZZZ", 404, "Country.NotFound"],
    ["JPN", 404, "OnboardingConfig.NotFound"],
  ])("countryCode %j: %d %s", async (countryCode, status, code) => {
    expect(await requirements(countryCode)).toMatchObject({ status, code });
  });

  test("and the check are one: a number passes exactly when the published pattern takes it in upper case", async () => {
    const outcome = await requirements("GHA");
    const items = (outcome.ok ? outcome.value.items : []) as Value[];
    const regex = new RegExp(
      items.find((item) => item.identityTypeCode === "NATIOANL_ID")?.validationRules.regex,
    );
    for (const number of ["GHA-123456789-0", "GHA1234567890", "GHA-12345678-0", "gha-123456789-0", "123"])
      expect([number, (await create(livingIn("GHA", number))).ok]).toEqual([
        number,
        regex.test(number.toUpperCase()),
      ]);
  });

  test("countries: all of them, accepted exactly where requirements are answered", async () => {
    const { items } = await stage.get("profile.countries");
    expect(items).toHaveLength(249);
    for (const code of ["NGA", "GHA", "ATA"]) {
      const { ok: residentsAccepted } = await requirements(code);
      expect(items).toContainEqual({ code, name: expect.any(String), residentsAccepted });
    }
    expect(items).toContainEqual({ code: "ATA", name: "Antarctica", residentsAccepted: false });
  });

  test("business types", async () => {
    const { items } = await stage.get("profile.businessTypes");
    expect(items).toHaveLength(20);
    expect(items).toContainEqual({ code: "LLC", name: "Limited liability company" });
  });
});

describe("changes by an operator", () => {
  test("a country switched off is refused immediately, on every instance, and works again when switched on", async () => {
    const second = await stage.startReplica();
    try {
      const off = await stage.call<Value>("profile.changeCountryConfig", {
        countryCode: "KEN",
        active: false,
        operator: "op",
        reason: "law",
      });
      expect(off).toMatchObject({ version: 2, active: false, changedBy: "op", reason: "law" });
      await waitFor(async () => {
        const outcomes = await Promise.all(Array.from({ length: 8 }, () => requirements("KEN")));
        return outcomes.every((outcome) => !outcome.ok && outcome.code === "OnboardingConfig.NotFound");
      }, "both instances to know");
      expect(await create(livingIn("KEN", "12345678"))).toMatchObject({
        status: 400,
        code: "OnboardingConfig.NotFound",
        details: [{ field: "businessPersonList[0].address.countryCode" }],
      });
      await stage.call("profile.changeCountryConfig", { countryCode: "KEN", active: true });
      await waitFor(async () => (await requirements("KEN")).ok && (await requirements("KEN")).ok, {
        what: "both instances to know",
      });
      expect(await requirements("KEN")).toMatchObject({ value: { configVersion: 3 } });
    } finally {
      await second.stop();
    }
  });

  test("another rule counts for the list and for the check, and versions are stored", async () => {
    const documents = [
      { identityTypeCode: "NATIOANL_ID", pattern: String.raw`^X\d{3}$`, label: "Test card" },
    ];
    await stage.call("profile.changeCountryConfig", { countryCode: "JPN", documents });
    expect(await requirements("JPN")).toMatchObject({
      value: {
        countryName: "Japan",
        configVersion: 1,
        items: [
          {
            identityTypeCode: "NATIOANL_ID",
            validationRules: { regex: String.raw`^X\d{3}$`, minLength: 4, maxLength: 4 },
          },
        ],
      },
    });
    expect(await create(livingIn("JPN", "X123"))).toMatchObject({ ok: true });
    expect(await create(livingIn("JPN", "X12"))).toMatchObject({ status: 400 });
    await stage.call("profile.changeCountryConfig", {
      countryCode: "JPN",
      documents: [{ ...documents[0], pattern: String.raw`^Y\d{3}$` }],
    });
    expect(await create(livingIn("JPN", "X123"))).toMatchObject({ status: 400 });
    const { items } = await stage.call<{ items: Value[] }>("profile.listCountryConfigs", {});
    expect(items.filter(({ countryCode }) => countryCode === "JPN").map(({ version }) => version)).toEqual([
      2, 1,
    ]);
  });

  // Every other fault: unit/profile/config-input.rules.
  test.each<[string, unknown, string, string]>([
    ["ZZZ", [{ identityTypeCode: "PASSPORT", pattern: "^A$" }], "Country.NotFound", "is not an ISO"],
    [
      "JPN",
      [{ identityTypeCode: "PASSPORT", pattern: "^(a+)+$" }],
      "ValidationControl.Error",
      "documents[0].pattern: repeats",
    ],
    ["ATA", undefined, "OnboardingConfig.NotFound", "no configuration"],
  ])("%s with %j is refused: %s", async (countryCode, documents, type, text) => {
    await expect(stage.call("profile.changeCountryConfig", { countryCode, documents })).rejects.toMatchObject(
      {
        type,
        message: expect.stringContaining(text),
      },
    );
  });

  test("rules can be made for later, and end", async () => {
    const documents = [{ identityTypeCode: "BVN", pattern: "^A$" }];
    const hour = 3_600_000;
    const [validFrom, validTo] = [1, 2].map((hours) =>
      new Date(stage.clock.now() + hours * hour).toISOString(),
    );
    await stage.call("profile.changeCountryConfig", { countryCode: "KOR", documents, validFrom, validTo });
    expect(await requirements("KOR")).toMatchObject({ code: "OnboardingConfig.NotFound" });
    stage.clock.move(hour + 1);
    expect(await requirements("KOR")).toMatchObject({ ok: true });
    stage.clock.move(hour);
    expect(await requirements("KOR")).toMatchObject({ code: "OnboardingConfig.NotFound" });
  });

  test("new documents do not switch a country on again", async () => {
    await stage.call("profile.changeCountryConfig", { countryCode: "RWA", active: false });
    const documents = [{ identityTypeCode: "PASSPORT", pattern: "^A$" }];
    await stage.call("profile.changeCountryConfig", { countryCode: "RWA", documents });
    expect(await requirements("RWA")).toMatchObject({ code: "OnboardingConfig.NotFound" });
  });

  test("two operators at the same time: both changes are stored, or one is refused", async () => {
    const changes = await Promise.allSettled(
      [true, false, true, false].map((active) =>
        stage.call<Value>("profile.changeCountryConfig", { countryCode: "ZMB", active }),
      ),
    );
    const versions = changes.flatMap((change) =>
      change.status === "fulfilled" ? [change.value.version as number] : [],
    );
    expect(new Set(versions).size).toBe(versions.length);
    for (const change of changes)
      if (change.status === "rejected")
        expect(change.reason).toMatchObject({ type: "OnboardingConfig.Conflict", code: 409 });
    const { items } = await stage.call<{ items: Value[] }>("profile.listCountryConfigs", {});
    const stored = items
      .filter(({ countryCode }) => countryCode === "ZMB")
      .map(({ version }) => version as number);
    expect(stored.toSorted()).toEqual([1, ...versions].toSorted());
  });

  test("a start does not undo it", async () => {
    await stage.call("profile.changeCountryConfig", { countryCode: "UGA", active: false });
    const second = await stage.startReplica();
    await second.stop();
    expect(await requirements("UGA")).toMatchObject({ code: "OnboardingConfig.NotFound" });
  });
});
