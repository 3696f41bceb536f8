/** The sandbox: decisions on demand, or by company name, for test customers only. */
import { expect, test } from "@jest/globals";
import type { Caller } from "../../../shared/identity/caller.ts";
import { randomId } from "../../../shared/ids.ts";
import { aProfile } from "../../support/builders/profile-builders.ts";
import { aDocumentSummary } from "../../support/builders/stored-profile.ts";
import { partner, startProfileStage } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const stage = stageOfFile(() => startProfileStage({ PBO_SANDBOX_DECISION_MS: "0" }));

const twin = { ...partner(randomId()), isTest: true } as Caller;
const simulate = (customerId: string, body: unknown, more: object = {}) =>
  stage.ask("profile.simulate", { params: { customerId }, body, caller: twin, ...more });

test("a decision on demand: the state and the event of a real one, marked as a test; a second one is refused", async () => {
  const { customerId } = await stage.create(aProfile(), twin);
  expect(await simulate(customerId, { outcome: "Approved" })).toMatchObject({
    value: { verificationStatus: "Approved", version: 2 },
  });
  const stored = await stage.stored(customerId);
  expect(stored).toMatchObject({ isTest: true, verificationStatus: "Approved", reviewStage: "Closed" });
  const events = await stage.events(customerId);
  expect(events.every(({ test }) => test === true)).toBe(true);
  expect(events.at(-1)).toMatchObject({
    eventType: "business.verification.updated",
    data: { verificationStatus: "Approved", reasonCodes: [] },
  });
  expect(await simulate(customerId, { outcome: "Rejected" })).toMatchObject({ code: "Case.InvalidState" });
});

test("a decision about a live customer: 403, whatever the body; nothing is changed", async () => {
  const { customerId } = await stage.create(aProfile());
  for (const body of [{ outcome: "Approved" }, undefined])
    expect(await stage.ask("profile.simulate", { params: { customerId }, body })).toMatchObject({
      status: 403,
      code: "Sandbox.Required",
    });
  expect(await stage.stored(customerId)).toMatchObject({ version: 1 });
});

test("a rejected file in businessDocumentIdList: 409 Document.Rejected; a confirmed file is accepted, also with a real one", async () => {
  const { customerId } = await stage.create(aProfile(), twin);
  const simulated = (documentCategory: string, status: string) =>
    simulate(customerId, { documents: [{ documentCategory, status }] });
  await simulated("BusinessLicense", "Rejected");
  await simulated("BankStatement", "Confirmed");
  const { documents } = await stage.get("profile.get", { params: { customerId }, caller: twin });
  const [rejected, confirmed] = documents.map(({ documentId }: { documentId: string }) => documentId);
  const real = aDocumentSummary({ documentId: randomId() });
  stage.documents.set(real.documentId, { ...real, customerId });
  const confirm = (...businessDocumentIdList: string[]) =>
    stage.patch(customerId, { businessDocumentIdList }, { caller: twin });
  expect(await confirm(confirmed, rejected)).toMatchObject({
    status: 409,
    code: "Document.Rejected",
    details: [{ field: "businessDocumentIdList[1]", code: "Document.Rejected" }],
  });
  expect(await confirm(confirmed, real.documentId)).toMatchObject({
    ok: true,
    value: { confirmedDocumentIds: [confirmed, real.documentId] },
  });
});

test("a company name that decides by itself decides a test customer, and no live one", async () => {
  const companyName = "SANDBOX Changes Requested";
  const { customerId } = await stage.create(aProfile({ companyName }), twin);
  const live = await stage.create(aProfile({ companyName }));
  const untilIs = (status: string) =>
    waitFor(async () => (await stage.stored(customerId))?.verificationStatus === status, status);
  await untilIs("ChangesRequested");
  await stage.recordDocument(customerId, { documentCategory: "CertificateOfIncorporation" });
  await untilIs("Approved");
  expect(await stage.stored(live.customerId)).toMatchObject({ version: 1 });
});
