import { describe, expect, test } from "@jest/globals";
import { aNationalId, aPerson, aProfile, aSmallProfile } from "../../support/builders/profile-builders.ts";
import { analyst, partner, startProfileStage, type Value } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startProfileStage);

const ada = analyst("ada");

describe("the analysts' view", () => {
  test("the queue is oldest first, filtered, and names the analyst of a case", async () => {
    const first = await stage.create(aSmallProfile({ companyName: "First in line" }));
    const second = await stage.create(aSmallProfile());
    const cara = analyst("cara");
    await stage.step("claimCase", second.customerId, cara);
    const list = (query: object) => stage.get("profile.listCases", { caller: cara, query: query as Value });
    const queued = (await list({ reviewStage: "Queued", pageSize: "200" })).items as Value[];
    const times = queued.map(({ submittedAt }) => submittedAt as string);
    expect(times).toEqual(times.toSorted());
    expect(queued).toContainEqual({
      customerId: first.customerId,
      partnerId: stage.partnerId,
      partnerCustomerId: first.partnerCustomerId,
      companyName: "First in line",
      verificationStatus: "PendingVerification",
      reviewStage: "Queued",
      claimedBy: null,
      claimedUntil: null,
      incorporationCountryIso3Code: "NGA",
      submittedAt: expect.any(String),
      test: false,
      version: 1,
      // Nobody on this stage knows the names of partners.
      partnerName: null,
    });
    expect(await list({ mine: "true", pageSize: "1" })).toMatchObject({
      items: [{ customerId: second.customerId, claimedBy: "cara@operator.test" }],
      page: 1,
      total: 1,
    });
    expect(await stage.ask("profile.listCases", { caller: cara, query: { reviewStage: "x" } })).toMatchObject(
      { status: 400 },
    );
  });

  test("names are safe to be pasted into a terminal or a spreadsheet; the partner reads them as it wrote them", async () => {
    const companyName = "=HYPERLINK(1)\u202e Ltd";
    const people = [aPerson({ firstName: "@SUM\u001b[2J", lastName: "-2+3" })];
    const { customerId } = await stage.create(aProfile({ companyName, businessPersonList: people }));
    const shown = { companyName: "'=HYPERLINK(1)\ufffd Ltd" };
    const found = await stage.get("profile.getCase", { caller: ada, params: { customerId } });
    expect(found).toMatchObject({
      ...shown,
      profile: {
        ...shown,
        phoneNumber: "+2348098765432",
        businessPersonList: [{ firstName: "'@SUM\ufffd[2J", lastName: "'-2+3", phone: "+2348012345678" }],
      },
    });
    const query = { pageSize: "200" };
    const { items } = await stage.get("profile.listCases", { caller: ada, query });
    expect(items).toContainEqual(expect.objectContaining({ customerId, ...shown }));
    const own = await stage.get("profile.get", { params: { customerId } });
    expect(own).toMatchObject({ companyName, businessPersonList: [{ firstName: "@SUM\u001b[2J" }] });
  });

  test("a case shows remarks, and who did what when from where to where", async () => {
    const people = [
      aPerson({
        percentageShare: 60,
        address: { ...(aPerson().address as object), countryCode: "ZAF" },
        identities: [
          { identityTypeCode: "NATIOANL_ID", issuingCountry: "ZAF", identityValue: "8001015009088" },
        ],
      }),
      aPerson({ percentageShare: 40, identities: [{ ...aNationalId(), identityTypeCode: "OTHERS" }] }),
    ];
    const { customerId, ubos } = await stage.create(aProfile({ businessPersonList: people }));
    await stage.patch(customerId, { businessPersonList: [aPerson({ percentageShare: 10 })] });
    await stage.step("claimCase", customerId);
    const detail = await stage.get("profile.getCase", { params: { customerId }, caller: ada });
    expect(detail.remarks).toMatchObject([
      { code: "People.ShareAbove100" },
      { code: "Identity.CheckDigit", uboId: ubos[0]?.uboId },
      { code: "Document.Missing", uboId: ubos[1]?.uboId },
    ]);
    expect(detail.verification.missingDocuments).toMatchObject([
      { uboId: ubos[1]?.uboId, identityTypeCode: "OTHERS" },
    ]);
    expect(detail.audit).toMatchObject([
      { action: "create", actor: { kind: "partner" }, from: null, to: { reviewStage: "Queued" } },
      { action: "patch", actor: { kind: "partner" }, detail: { changedFields: ["businessPersonList"] } },
      {
        action: "claim",
        actor: { kind: "analyst", id: "analyst-ada" },
        from: { verificationStatus: "PendingVerification", reviewStage: "Queued" },
        to: { verificationStatus: "PendingVerification", reviewStage: "UnderReview" },
        at: expect.any(String),
      },
    ]);
  });

  test("a document of the case can be viewed after its entry in the audit trail; no other document can", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    const other = await stage.create(aSmallProfile());
    const documentId = "0190a5d4-7c1e-7b3a-9d8e-5f2c1a6b4d3e";
    await stage.recordDocument(customerId, { documentId });
    const view = (id: string, caller = ada) =>
      stage.ask("profile.viewDocument", { params: { customerId: id, documentId }, caller });
    expect(await stage.audit.refusing(() => view(customerId))).toMatchObject({ ok: false });
    expect(await view(customerId)).toMatchObject({
      value: { url: `https://storage.test/${customerId}/${documentId}` },
    });
    expect(await view(other.customerId)).toMatchObject({ status: 404, code: "Document.NotFound" });
    expect(await view("no-id")).toMatchObject({ status: 404, code: "Customer.NotFound" });
    expect(await view(customerId, partner(stage.partnerId))).toMatchObject({ status: 401 });
    const looks = await stage.audit.entries({ action: "case.document_viewed" });
    expect(looks).toMatchObject([
      { subject: customerId, who: { id: "analyst-ada" }, partnerId: null, after: { documentId } },
    ]);
  });

  test("a partner cannot take a step, an analyst cannot act as a partner", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    expect(await stage.ask("profile.claimCase", { params: { customerId } })).toMatchObject({ status: 401 });
    expect(await stage.ask("profile.get", { params: { customerId }, caller: ada })).toMatchObject({
      status: 401,
    });
  });
});

describe("notes", () => {
  const add = (customerId: string, body: unknown, caller = ada) =>
    stage.ask("profile.addNote", { params: { customerId }, body, caller });
  const notesOf = async (customerId: string) =>
    (await stage.get("profile.getCase", { params: { customerId }, caller: ada })).notes as Value[];

  test("are added by any analyst with who and when, and change nothing that a partner sees", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    const before = await stage.read(customerId);
    expect(await add(customerId, { text: "=1+1\nlook again" })).toMatchObject({
      value: { by: "ada@operator.test", text: "=1+1\nlook again", at: expect.any(String) },
    });
    await add(customerId, { text: "second" }, analyst("bob"));
    expect(await notesOf(customerId)).toMatchObject([
      { by: "ada@operator.test", text: "'=1+1\nlook again" },
      { by: "bob@operator.test", text: "second" },
    ]);
    expect(await stage.read(customerId)).toEqual(before);
    expect(JSON.stringify(await stage.get("profile.list"))).not.toContain("look again");
    const entries = await stage.audit.entries({ subject: customerId, action: "case.note_added" });
    expect(entries.map(({ who }) => who.id)).toEqual(["analyst-ada", "analyst-bob"]);
    expect(JSON.stringify(entries)).not.toContain("look again");
  });

  test("notes that are blank, cannot be stored or are of partners are refused, and none is stored without its entry", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    for (const body of [{ text: " \n" }, { text: "x".repeat(2_001) }, { text: "a\0b" }, null])
      expect(await add(customerId, body)).toMatchObject({ status: 400, code: "ValidationControl.Error" });
    expect(await add(customerId, { text: "x" }, partner(stage.partnerId))).toMatchObject({ status: 401 });
    expect(await add("no-id", { text: "x" })).toMatchObject({ status: 404 });
    expect(await stage.audit.refusing(() => add(customerId, { text: "x" }))).toMatchObject({ ok: false });
    expect(await notesOf(customerId)).toEqual([]);
  });

  test("are at most 500, and a case shows the newest 200", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    const note = (index: number) => ({ noteId: `n${index}`, at: "2030-01-01", by: "ada", text: `t${index}` });
    const notes = Array.from({ length: 499 }, (_, index) => note(index));
    await stage.collection.updateOne({ _id: customerId }, { $set: { notes } });
    const both = await Promise.all([add(customerId, { text: "last" }), add(customerId, { text: "last" })]);
    expect(both.map((outcome) => outcome.ok || outcome.code).toSorted()).toEqual(["Case.TooManyNotes", true]);
    const shown = await notesOf(customerId);
    expect([shown.length, shown.at(-1)?.text]).toEqual([200, "last"]);
  });
});

describe("taking the next case", () => {
  test("many concurrent requests, in two processes: each gets another case, the oldest first, then none", async () => {
    await stage.collection.updateMany(
      { reviewStage: { $ne: "Closed" } },
      { $set: { reviewStage: "Closed" } },
    );
    const made: string[] = [];
    for (let count = 0; count < 6; count += 1) made.push((await stage.create(aSmallProfile())).customerId);
    const replica = await stage.startReplica();
    const takes = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        stage.get<Value | null>("profile.claimNextCase", { caller: analyst(`next-${index}`) }),
      ),
    );
    await replica.stop();
    const taken = takes.flatMap((each) => (each ? [each.customerId as string] : []));
    expect(taken.toSorted()).toEqual(made.toSorted());
    expect(takes.filter((each) => each === null)).toHaveLength(2);
    await stage.step(
      "releaseCase",
      made[3] ?? "",
      analyst(`next-${takes.findIndex((each) => each?.customerId === made[3])}`),
    );
    expect(await stage.get("profile.claimNextCase", { caller: ada })).toMatchObject({
      customerId: made[3],
      claimedBy: "ada@operator.test",
      reviewStage: "UnderReview",
    });
    stage.clock.ahead = 8 * 3_600_000 + 60_000;
    expect(await stage.get("profile.claimNextCase", { caller: ada })).toMatchObject({ customerId: made[0] });
    stage.clock.ahead = 0;
  });
});

describe("a lead analyst", () => {
  const lead = { ...analyst("lea"), isLead: true } as const;

  test("gives back what a colleague has claimed, by name in the trail, and decides nothing of it", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    await stage.step("claimCase", customerId);
    expect(await stage.step("approveCase", customerId, lead)).toMatchObject({ code: "Case.NotOwner" });
    expect(await stage.step("releaseCase", customerId, analyst("bob"))).toMatchObject({
      code: "Case.NotOwner",
    });
    expect(await stage.step("releaseCase", customerId, lead)).toMatchObject({
      value: { claimedBy: null, reviewStage: "Queued" },
    });
    const [entry] = await stage.audit.entries({ subject: customerId, action: "case.release" });
    expect(entry).toMatchObject({
      who: { id: "analyst-lea" },
      after: { releasedFrom: "ada@operator.test" },
    });
  });
});
