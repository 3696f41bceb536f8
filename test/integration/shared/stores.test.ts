import { randomBytes } from "node:crypto";
import { expect, jest, test } from "@jest/globals";
import type { Connection } from "mongoose";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import { AUDIT_ENTRIES, auditKeySweep, auditTrail } from "../../../shared/stores/audit-trail.repository.ts";
import { partnerStandings } from "../../../shared/stores/partner-standings.repository.ts";
import { commandsOf } from "../../support/stage/database-commands.ts";
import { databaseOfFile } from "../../support/stage/test-database.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");

const mongo = databaseOfFile("webhook-registry", { auditEntries: AUDIT_ENTRIES });

const aTrail = () => {
  let now = NOW;
  return auditTrail(mongo.connection, {
    service: "webhook-registry",
    clock: { now: () => (now += 1) },
    keys: [{ id: "k1", key: randomBytes(32) }],
    retentionDays: 30,
  });
};
const fact = (subject: string, partnerId: string | null = null) => ({
  ...{ action: "webhook.changed", subject, partnerId, before: null, after: { status: "Active" } },
});
type Marks = { _id: string };

test("a change and its entry are one: both are there, or neither; without a fact nothing is written", async () => {
  const audit = aTrail();
  const marks = mongo.connection.collection<Marks>("marks");
  await marks.insertOne({ _id: "there before" });
  const change = (_id: string, ending: "fact" | "none" | "fault") =>
    audit.change({}, async (session) => {
      await marks.insertOne({ _id }, { session });
      if (ending === "fault") throw new Error("broken");
      return { value: _id, fact: ending === "fact" ? fact(_id) : null };
    });
  expect([await change("told", "fact"), await change("untold", "none")]).toEqual(["told", "untold"]);
  await expect(change("broken", "fault")).rejects.toThrow("broken");
  expect((await marks.find().toArray()).map(({ _id }) => _id)).toEqual(["there before", "told", "untold"]);
  // An entry that cannot be written takes the change with it.
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const unwritable = { ...fact("x"), after: circular };
  await expect(
    audit.change({}, async (session) => {
      await marks.insertOne({ _id: "without entry" }, { session });
      return { value: null, fact: unwritable };
    }),
  ).rejects.toThrow();
  expect(await marks.findOne({ _id: "without entry" })).toBeNull();
  const subjects = (await audit.list({ partnerId: null, beforeId: null, limit: 9 })).map(
    ({ subject }) => subject,
  );
  expect(subjects).toEqual(["told"]);
  const commands = await commandsOf(mongo, () => change("again", "fact"));
  expect(commands).toMatchObject([
    { insert: "marks", autocommit: false },
    { insert: "audit_entries", autocommit: false },
    { commitTransaction: 1 },
  ]);
});

/** A connection whose one collection, the trail's, is this. */
const connectionTo = (entries: object) =>
  ({ getClient: () => ({ db: () => ({ collection: () => entries }) }) }) as unknown as Connection;

test("a trail that does not answer: given up after ten seconds", async () => {
  const found = { sort: () => found, limit: () => found, toArray: () => new Promise(() => undefined) };
  const audit = auditTrail(connectionTo({ find: () => found }), {
    service: "s",
    clock: { now: () => NOW },
    keys: [],
    retentionDays: 30,
  });
  jest.useFakeTimers();
  try {
    const failed = jest.fn();
    const listed = audit.list({ partnerId: null, beforeId: null, limit: 1 }).catch(failed);
    jest.advanceTimersByTime(9_999);
    for (let left = 9; left > 0; left -= 1) await Promise.resolve();
    expect(failed).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    await listed;
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ name: "OperationLate" }));
  } finally {
    jest.useRealTimers();
  }
});

test("entries: the newest first, of one partner or of all, behind another; each says who, from where and when", async () => {
  const audit = aTrail();
  const user = { kind: "user", userId: "u", email: "u@example.com", role: "Owner", partnerId: "p" } as const;
  const machine = { kind: "partner", partnerId: "p", clientId: "client", scopes: [] } as const;
  const metas: [string, Partial<CallMeta>][] = [
    ["user", { caller: user, clientAddress: "192.0.2.1", requestId: "r" }],
    ["partner", { caller: machine, operator: "never" }],
    ["operator", { operator: "ann" }],
    ["system", {}],
  ];
  for (const [subject, meta] of metas) await audit.asked(meta, fact(subject, "p"));
  await audit.asked({}, fact("other", "q"));
  const list = async (beforeId: string | null, limit: number) =>
    audit.list({ partnerId: "p", beforeId, limit });
  const all = await list(null, 9);
  expect(all.map(({ subject }) => subject)).toEqual(["system", "operator", "partner", "user"]);
  expect(all.map(({ who }) => who)).toEqual([
    { kind: "system", id: "system", email: null },
    { kind: "operator", id: "ann", email: null },
    { kind: "partner", id: "client", email: null },
    { kind: "user", id: "u", email: "u@example.com" },
  ]);
  expect(all.at(-1)).toEqual({
    ...fact("user", "p"),
    ...{ id: expect.any(String), at: new Date(NOW + 1).toISOString(), service: "webhook-registry" },
    ...{ who: all.at(-1)?.who, from: "192.0.2.1", requestId: "r", serverRequestId: "r" },
  });
  expect(all[0]).toMatchObject({ from: null, requestId: "" });
  expect((await list(all[1]?.id ?? "", 1)).map(({ subject }) => subject)).toEqual(["partner"]);
  expect(await audit.list({ partnerId: "q", beforeId: null, limit: 9 })).toHaveLength(1);
});

test("a move to a new field key is entered once, with its first batch, and not for a mere count", async () => {
  const audit = aTrail();
  const asked = async () =>
    (await audit.list({ partnerId: null, beforeId: null, limit: 99 })).filter(
      ({ action }) => action === "field_keys.reseal_asked",
    );
  await auditKeySweep(audit, {}, { position: null, reseal: false });
  await auditKeySweep(audit, {}, { position: "behind it", reseal: true });
  expect(await asked()).toEqual([]);
  await auditKeySweep(audit, { operator: "ann" }, { position: null, reseal: true });
  expect(await asked()).toMatchObject([
    { subject: "field keys", partnerId: null, before: null, after: null, who: { id: "ann" } },
  ]);
  let isEntered = false;
  const slow = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    isEntered = true;
  };
  await auditKeySweep({ ...audit, asked: slow }, {}, { position: null, reseal: true });
  expect(isEntered).toBe(true);
});

test("the standing of a partner: the newest stays, whatever comes late or again", async () => {
  const standings = partnerStandings(mongo.connection);
  const keep = (partnerId: string, active: boolean, ms: number) =>
    standings.keep({ partnerId, active, changedAt: new Date(NOW + ms).toISOString() });
  expect(await standings.inactiveSince("p")).toBeNull();
  await keep("p", false, 5);
  await keep("q", false, 1);
  expect(await standings.inactiveSince("p")).toEqual(new Date(NOW + 5));
  await keep("p", true, 4);
  expect(await standings.inactiveSince("p")).toEqual(new Date(NOW + 5));
  await keep("p", true, 5);
  expect(await standings.inactiveSince("p")).toBeNull();
  await keep("p", true, 6);
  await keep("p", false, 5);
  expect([await standings.inactiveSince("p"), await standings.inactiveSince("q")]).toEqual([
    null,
    new Date(NOW + 1),
  ]);
  const stored = mongo.connection.collection("partner_standings").find().sort({ _id: 1 });
  expect(await stored.toArray()).toEqual([
    { _id: "p", inactiveSince: null, changedAt: new Date(NOW + 6) },
    { _id: "q", inactiveSince: new Date(NOW + 1), changedAt: new Date(NOW + 1) },
  ]);
});
