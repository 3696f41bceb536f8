/** Parts of a customer that outlive their purpose: stored responses, and people whom a replacement left out. */
import { expect, test } from "@jest/globals";
import { randomId } from "../../../shared/ids.ts";
import { aPerson, aProfile, aReplacement } from "../../support/builders/profile-builders.ts";
import { adminCommand } from "../../support/clients/admin-command.ts";
import { type Loose, startProfileStage } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const REMOVED_DAYS = 30;
const CANARY = "Zebedee";

const stage = stageOfFile(() =>
  startProfileStage({
    PBO_ERASURE_SWEEP_MS: "100",
    PBO_RETENTION_REMOVED_PERSON_DAYS: String(REMOVED_DAYS),
  }),
);

const raw = (customerId: string): Promise<Loose> => stage.collection.findOne({ _id: customerId });
const createWithKey = async (body: object = aProfile()): Promise<string> =>
  (await stage.get<{ customerId: string }>("profile.create", { body, idempotencyKey: randomId() }))
    .customerId;

test("a stored response goes after its day, and the customer stays as it is; a younger one stays", async () => {
  const person = aPerson({ firstName: CANARY, lastName: "Zest" });
  const older = await createWithKey(aProfile({ businessPersonList: [person] }));
  const before = await raw(older);
  expect(JSON.stringify(before.keptAnswers)).toContain(CANARY);
  stage.clock.move(23 * HOUR_MS);
  const younger = await createWithKey();
  stage.clock.move(2 * HOUR_MS);
  await waitFor(async () => (await raw(older)).keptAnswers.length === 0, "the response to go");
  expect(await raw(older)).toEqual({ ...before, keptAnswers: [] });
  expect((await raw(younger)).keptAnswers).toHaveLength(1);
});

test("a person whom a replacement left out is emptied after the retention; id and dates stay, also in a tombstone", async () => {
  const email = `${CANARY.toLowerCase()}@canary.example`;
  const leaving = aPerson({ firstName: CANARY, lastName: "Zest", email });
  const staying = aPerson({ firstName: "Ada" });
  const { customerId, ubos } = await stage.create(aProfile({ businessPersonList: [leaving, staying] }));
  const [gone, kept] = ubos.map(({ uboId }) => uboId);
  const put = await stage.put(customerId, {
    ...aReplacement(customerId),
    businessPersonList: [{ ...staying, uboId: kept }],
  });
  expect(put).toMatchObject({ ok: true });
  const before = await raw(customerId);
  expect(JSON.stringify(before.people)).toContain(CANARY);
  stage.clock.move((REMOVED_DAYS - 1) * DAY_MS);
  const later = await createWithKey();
  stage.clock.move(2 * DAY_MS);
  await waitFor(async () => (await raw(customerId)).formerPeople?.length === 1, "the person to be emptied");

  const after = await raw(customerId);
  const { addedAt, removedAt } = before.people.find(({ uboId }: Loose) => uboId === gone);
  expect(after).toEqual({
    ...before,
    people: before.people.filter(({ uboId }: Loose) => uboId === kept),
    formerPeople: [{ uboId: gone, addedAt, removedAt }],
    version: before.version + 1,
  });
  expect(JSON.stringify(after).toLowerCase()).not.toContain(CANARY.toLowerCase());
  expect((await stage.read(customerId)).businessPersonList).toHaveLength(1);
  expect(await raw(later)).not.toHaveProperty("formerPeople");

  const names = ["--customer", customerId, "--partner", stage.partnerId, "--reason", "ticket-1"];
  const call = (action: Loose, request: object) => stage.call(action, request);
  expect(await adminCommand(call as never, ["customer", "erase", ...names])).toMatchObject({ code: 0 });
  expect((await raw(customerId)).erased.uboIds).toEqual([kept, gone]);
  expect(await raw(customerId)).not.toHaveProperty("formerPeople");
});
