import { describe, expect, test } from "@jest/globals";
import type { StoredProfile } from "../../../services/profile/record/profile.types.ts";
import {
  aNationalId,
  aPassport,
  aPerson,
  aProfile,
  aReplacement,
} from "../../support/builders/profile-builders.ts";
import { analyst, startProfileStage } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startProfileStage);

const PASSPORT = "B98761234";
const NIN = "98765430001";
const TIN = "TIN-4711-0815";
const SECRETS = [PASSPORT, NIN, TIN];
const person = () =>
  aPerson({
    taxIdentificationNumber: TIN,
    identities: [aPassport({ identityValue: PASSPORT }), aNationalId({ identityValue: NIN })],
  });

describe("identity and tax numbers", () => {
  test("are nowhere in the database in the clear, also after PATCH and PUT", async () => {
    const { customerId } = await stage.create(aProfile({ businessPersonList: [person()] }));
    await stage.ask("profile.patch", { params: { customerId }, body: { businessPersonList: [person()] } });
    const body = aReplacement(customerId, { businessPersonList: [person()] });
    await stage.ask("profile.replace", { params: { businessProfileId: customerId }, body });
    const dump = JSON.stringify(await stage.collection.find().toArray());
    for (const secret of SECRETS) expect(dump).not.toContain(secret);
  });

  test("are bound to their record and field: a ciphertext moved elsewhere does not open", async () => {
    const first = await stage.create(aProfile({ businessPersonList: [person()] }));
    const second = await stage.create(aProfile({ businessPersonList: [person()] }));
    const { people } = (await stage.stored(first.customerId)) as StoredProfile;
    const sealed = people[0]?.sealedNumbers;
    await stage.collection.updateOne(
      { _id: second.customerId },
      { $set: { "people.0.sealedNumbers": sealed } },
    );
    const email = ((await stage.stored(second.customerId)) as StoredProfile).people[0]?.email;
    const body = aReplacement(second.customerId, { businessPersonList: [{ ...person(), email }] });
    const outcome = await stage.ask("profile.replace", {
      params: { businessProfileId: second.customerId },
      body,
    });
    expect(outcome).toMatchObject({ ok: false, status: 500, code: "Service.Error" });
    expect(JSON.stringify(outcome)).not.toContain(PASSPORT);
  });

  test("are masked in every read, for partners and analysts", async () => {
    const { customerId, partnerCustomerId } = await stage.create(
      aProfile({ businessPersonList: [person()] }),
    );
    const reads = [
      await stage.read(customerId),
      await stage.get("profile.getByReference", { params: { partnerCustomerId } }),
      await stage.get("profile.list"),
      await stage.get("profile.verificationStatus", { params: { customerId } }),
      await stage.get("profile.getCase", { params: { customerId }, caller: analyst("ada") }),
      await stage.get("profile.listCases", { caller: analyst("ada") }),
    ];
    const text = JSON.stringify(reads);
    for (const secret of SECRETS) expect(text).not.toContain(secret);
    expect(text).toContain("****1234");
    expect(text).not.toContain("sealed");
  });
});

describe("a whole number", () => {
  const reveal = (customerId: string, uboId: string, index: string, caller = analyst("ada")) =>
    stage.ask("profile.revealIdentity", { params: { customerId, uboId, index }, caller });

  test("is for who has claimed the case, one at a time, and in the audit trail before it is given", async () => {
    const { customerId, ubos } = await stage.create(aProfile({ businessPersonList: [person()] }));
    const { uboId = "" } = ubos[0] ?? {};
    const notOwner = { status: 403, code: "Case.NotOwner" };
    expect(await reveal(customerId, uboId, "0")).toMatchObject(notOwner);
    await stage.step("claimCase", customerId);
    expect(await reveal(customerId, uboId, "0", analyst("bob"))).toMatchObject(notOwner);
    expect(await reveal(customerId.toUpperCase(), uboId.toUpperCase(), "1")).toMatchObject({
      value: { identityTypeCode: "NATIOANL_ID", issuingCountry: "NGA", identityValue: NIN },
    });
    const filter = { subject: customerId, action: "case.identity_revealed" };
    const entries = await stage.audit.entries(filter);
    expect(entries).toMatchObject([
      {
        who: { id: "analyst-ada" },
        partnerId: null,
        after: { uboId, index: 1, identityTypeCode: "NATIOANL_ID" },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(NIN);
    const unwritten = await stage.audit.refusing(() => reveal(customerId, uboId, "0"));
    expect(unwritten).toMatchObject({ ok: false });
    expect(JSON.stringify(unwritten)).not.toContain(PASSPORT);
    expect(stage.log.join("")).not.toContain(NIN);
  });

  test("a person or an identity outside the case, and any after the claim: not shown", async () => {
    const { customerId, ubos } = await stage.create(aProfile({ businessPersonList: [person()] }));
    const other = await stage.create(aProfile());
    const { uboId = "" } = ubos[0] ?? {};
    await stage.step("claimCase", customerId);
    const stranger = other.ubos[0]?.uboId ?? "";
    for (const [who, index] of [
      [uboId, "2"],
      [uboId, "-1"],
      [uboId, "length"],
      [uboId, ""],
      [stranger, "0"],
      ["__proto__", "0"],
    ] as const)
      expect(await reveal(customerId, who, index)).toMatchObject({ status: 404, code: "Ubo.NotFound" });
    await stage.step("approveCase", customerId);
    expect(await reveal(customerId, uboId, "0")).toMatchObject({ status: 403 });
    expect(await stage.audit.entries({ subject: customerId, action: "case.identity_revealed" })).toEqual([]);
  });
});

describe("personal data", () => {
  test("is in no event", async () => {
    const { customerId } = await stage.create(aProfile({ businessPersonList: [person()] }));
    const { outbox, people } = (await stage.stored(customerId)) as StoredProfile;
    const text = JSON.stringify(outbox);
    for (const value of [
      ...SECRETS,
      people[0]?.email,
      people[0]?.firstName,
      people[0]?.lastName,
      people[0]?.phone,
    ])
      expect(text).not.toContain(value);
  });

  test("is in no log line and in no error, whatever is wrong with the body", async () => {
    const wrong = { ...person(), nationality: "nga", percentageShare: 900 };
    const identities = [
      aPassport({ identityValue: "CANARY-77-99" }),
      aNationalId({ identityValue: "CANARY88" }),
    ];
    const bodies = [
      aProfile({ businessPersonList: [wrong] }),
      aProfile({ businessPersonList: [{ ...person(), identities }], email: "canary at example" }),
      aProfile({ phoneNumber: "CANARY-phone", businessTypeCode: "CANARY_type" }),
      aProfile({ businessPersonList: [{ ...person(), taxIdentificationNumber: `CANARY${"x".repeat(60)}` }] }),
    ];
    for (const body of bodies) {
      const outcome = await stage.ask("profile.create", { body });
      expect(outcome).toMatchObject({ ok: false, status: 400 });
      const text = JSON.stringify(outcome);
      for (const value of [...SECRETS, "CANARY", "canary"]) expect(text).not.toContain(value);
    }
    const log = stage.log.join("");
    for (const value of [...SECRETS, "CANARY", "canary"]) expect(log).not.toContain(value);
  });
});
