import { describe, expect, test } from "@jest/globals";
import { randomId } from "../../../shared/ids.ts";
import { aNationalId, aPerson, aProfile, aSmallProfile } from "../../support/builders/profile-builders.ts";
import { startProfileStage, type Value } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startProfileStage);

describe("documents of a customer", () => {
  test("a fact reported twice is recorded once, with one event", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    const documentId = randomId();
    expect(await stage.recordDocument(customerId, { documentId })).toMatchObject({
      recorded: true,
      version: 2,
    });
    expect(await stage.recordDocument(customerId, { documentId })).toMatchObject({
      recorded: false,
      version: 2,
    });
    const { outbox } = (await stage.stored(customerId)) ?? { outbox: [] };
    expect(outbox.map(({ eventType }) => eventType)).toEqual([
      "business.profile.created",
      "business.document.confirmed",
    ]);
  });

  test("a rejected file shows with its reason, as an event for each file; a late notification does not undo a confirmation", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    const documentId = randomId();
    const rejected = { documentId, status: "Rejected", reason: "TooLarge", confirmedAt: null };
    await stage.recordDocument(customerId, rejected);
    await stage.recordDocument(customerId, rejected);
    expect((await stage.read(customerId)).documents).toMatchObject([
      { status: "Rejected", reason: "TooLarge" },
    ]);
    await stage.recordDocument(customerId, { ...rejected, uploadedAt: "2030-01-02T00:00:00.000Z" });
    await stage.recordDocument(customerId, { documentId });
    await stage.recordDocument(customerId, { documentId, status: "Superseded" });
    expect((await stage.read(customerId)).documents).toMatchObject([{ status: "Confirmed" }]);
    const events = await stage.events(customerId);
    const told = { documentId, reason: "TooLarge" };
    expect(events.slice(1)).toMatchObject([
      { eventType: "business.document.rejected", data: told },
      { eventType: "business.document.rejected", data: told },
      { eventType: "business.document.confirmed", data: { documentId } },
    ]);
  });

  test("arrive while a case is claimed, and after a rejection, and change no state", async () => {
    const { customerId } = await stage.create(aProfile());
    await stage.step("claimCase", customerId);
    await stage.recordDocument(customerId, {});
    expect(await stage.status(customerId)).toMatchObject({ reviewStage: "UnderReview" });
    await stage.step("rejectCase", customerId, undefined, { reasons: [{ code: "Other", message: "no" }] });
    await stage.recordDocument(customerId, {});
    expect(await stage.status(customerId)).toMatchObject({ verificationStatus: "Rejected" });
    expect((await stage.read(customerId)).documents).toHaveLength(2);
  });

  test("named by an identity: Missing until it is there", async () => {
    const documentUploadId = randomId();
    const person = aPerson({ identities: [aNationalId({ documentUploadId })] });
    const { customerId } = await stage.create(aSmallProfile({ businessPersonList: [person] }));
    const identity = async () =>
      ((await stage.read(customerId)).businessPersonList as Value[])[0]?.identities[0];
    expect(await identity()).toMatchObject({ documentUploadId, documentStatus: "Missing" });
    expect(await stage.status(customerId)).toMatchObject({
      missingDocuments: [{ documentUploadId, status: "Missing" }],
    });
    await stage.recordDocument(customerId, {
      documentId: documentUploadId,
      documentCategory: "IdentityFront",
    });
    expect(await identity()).toMatchObject({ documentStatus: "Confirmed" });
    expect(await stage.status(customerId)).toMatchObject({ missingDocuments: [] });
  });

  test("uploadRefusals: each question has its own answer", async () => {
    const { customerId, ubos } = await stage.create(aProfile());
    const question = { customerId, partnerId: stage.partnerId, uboId: ubos[0]?.uboId ?? null };
    const questions = [
      question,
      { ...question, uboId: randomId() },
      { ...question, partnerId: randomId() },
      { ...question, customerId: randomId() },
      { ...question, customerId: "x" },
    ];
    expect(await stage.call("profile.uploadRefusals", { questions })).toMatchObject({
      refusals: [
        null,
        { type: "Ubo.NotFound", code: 400 },
        { type: "Partner.NotAuthorized" },
        { type: "Customer.NotFound" },
        { type: "Customer.NotFound" },
      ],
    });
  });
});
