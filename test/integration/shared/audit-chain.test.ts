/** The chain of an audit trail on a real database: what somebody with rights on the database did to it is found. */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { prepareAuditTrails } from "../../../deploy/lib/mongodb-users.ts";
import type { FieldKey } from "../../../shared/config/config.ts";
import { orderedId } from "../../../shared/ids.ts";
import type { Mongo } from "../../../shared/mongo/mongo.ts";
import { type AuditTrail, auditTrail } from "../../../shared/stores/audit-trail.repository.ts";
import { adminCommand } from "../../support/clients/admin-command.ts";
import { type Program, startProgram } from "../../support/servers/program.ts";
import { aTestNamespace, testServers } from "../../support/servers/servers.ts";
import { openTestDatabase } from "../../support/stage/test-database.ts";
import { waitFor } from "../../support/wait-for.ts";

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 30;
const KEY: FieldKey = { id: "k1", key: randomBytes(32) };

let namespace: string;
let mongo: Mongo;
/** The time of every trail here and of the verifier, who reads entries older than two minutes. */
let now: number;

beforeEach(async () => {
  namespace = aTestNamespace();
  mongo = await openTestDatabase("profile", namespace);
  now = Date.now() - DAY_MS;
});
afterEach(() => mongo.close());

const clock = { now: () => now };
const aTrail = (): AuditTrail =>
  auditTrail(mongo.connection, { service: "profile", clock, keys: [KEY], retentionDays: RETENTION_DAYS });
const fact = (subject: string) => ({
  action: "a.b",
  subject,
  partnerId: null,
  before: null,
  after: { n: subject },
});
async function write(audit: AuditTrail, ...subjects: string[]): Promise<void> {
  for (const subject of subjects) {
    now += 1_000;
    await audit.asked({ requestId: "r" }, fact(subject));
  }
}
const entries = () =>
  mongo.connection
    .getClient()
    .db(`${mongo.connection.name}_audit`)
    .collection<{ _id: string; subject: string; at: Date; chain: { id: string; n: number } }>(
      "audit_entries",
    );
const entryOf = async (subject: string) => {
  const found = await entries().findOne({ subject });
  if (!found) throw new Error(`no entry ${subject}`);
  return found;
};

const EMPTY = { links: [], next: null, retentionDays: RETENTION_DAYS };
/** `aheadMs`: as if this time had passed. */
async function verify({ aheadMs = 0, more = [] as string[] } = {}) {
  const audit = auditTrail(mongo.connection, {
    ...{ service: "profile", keys: [KEY], retentionDays: RETENTION_DAYS },
    clock: { now: () => Date.now() + aheadMs },
  });
  const call = (action: string, query: { after: string | null }) =>
    action === "profile.auditLinks" ? audit.links(query) : Promise.resolve(EMPTY);
  const { code, out, err } = await adminCommand(call as never, ["audit", "verify", "--json", ...more]);
  if (code === 0)
    return { code, ...JSON.parse(out).find(({ trail }: { trail: string }) => trail === "profile"), out };
  return { code, ...JSON.parse(err).error };
}
const broken = (problem: RegExp) => ({
  code: "AuditTrail.Broken",
  message: expect.stringMatching(problem),
});

test("an untouched trail is sound; both request ids are in it", async () => {
  const audit = aTrail();
  await write(audit, "a", "b", "c");
  await audit.asked({ requestId: "theirs", serverRequestId: "ours" }, fact("d"));
  expect(await verify()).toMatchObject({ code: 0, entries: 4, chains: 1, unsealed: 0 });
  const [newest] = await audit.list({ partnerId: null, beforeId: null, limit: 1 });
  expect(newest).toMatchObject({ requestId: "theirs", serverRequestId: "ours" });
  expect(newest).not.toHaveProperty("chain");
});

// Every kind of attack: unit/shared/audit-chain.rules.
test.each<[string, () => Promise<unknown>, RegExp]>([
  ["removed", async () => entries().deleteOne({ subject: "c" }), /1 entries before \S+ were removed/],
  ["changed", async () => entries().updateOne({ subject: "c" }, { $set: { "who.id": "x" } }), /was changed/],
  [
    "inserted with a time that is still to come",
    async () => {
      const { _id, chain: _, ...rest } = await entryOf("d");
      const at = new Date(Date.now() + DAY_MS);
      await entries().insertOne({ ...rest, at, _id: orderedId(at.getTime()) } as never);
    },
    /\S+ was inserted: it is in no chain/,
  ],
])("an entry that was %s is found", async (_, attack, problem) => {
  const audit = aTrail();
  await write(audit, "a", "b", "c", "d");
  expect(await verify()).toMatchObject({ code: 0 });
  await attack();
  expect(await verify()).toEqual(expect.objectContaining(broken(problem)));
});

test("entries that were cut off at the end of a chain: found by the first entry of the next process", async () => {
  await write(aTrail(), "a", "b", "c");
  await write(aTrail(), "d");
  expect(await verify()).toMatchObject({ code: 0, chains: 2 });
  await entries().deleteMany({ subject: { $in: ["b", "c"] } });
  expect(await verify()).toEqual(
    expect.objectContaining(broken(/entries after the last one of chain \S+ were removed/)),
  );
});

test("a trail that was emptied: found by what an earlier verification printed", async () => {
  await write(aTrail(), "a", "b");
  const { out } = await verify();
  const file = join(tmpdir(), `verified-${namespace}.json`);
  writeFileSync(file, out);
  const more = ["--known", file];
  expect(await verify({ more })).toMatchObject({ code: 0 });
  await entries().deleteMany({});
  expect(await verify()).toMatchObject({ code: 0, entries: 0 });
  expect(await verify({ more })).toEqual(
    expect.objectContaining(broken(/an earlier verification names number 2/)),
  );
});

test("retention takes entries from the front of chains, and only an administrator sets it", async () => {
  now = Date.now() - (RETENTION_DAYS + 2) * DAY_MS;
  const audit = aTrail();
  await write(audit, "a", "b");
  now = Date.now() - DAY_MS;
  await write(audit, "c", "d");
  const client = mongo.connection.getClient();
  for (const retentionDays of [90, RETENTION_DAYS])
    await prepareAuditTrails(client, { namespace, retentionDays });
  const [, , expiry] = await entries().indexes();
  expect(expiry).toMatchObject({ key: { at: 1 }, expireAfterSeconds: RETENTION_DAYS * 86_400 });
  // As MongoDB does once a minute.
  await entries().deleteMany({ at: { $lt: new Date(Date.now() - RETENTION_DAYS * DAY_MS) } });
  expect(await verify()).toMatchObject({ code: 0, entries: 2 });
  await entries().deleteOne({ subject: "c" });
  expect(await verify()).toEqual(expect.objectContaining(broken(/3 entries before \S+ were removed/)));
});

test("changes side by side, some of which fail: the chain has no gap", async () => {
  const audit = aTrail();
  const marks = mongo.connection.collection<{ _id: string; n: number }>("marks");
  await marks.insertOne({ _id: "m", n: 0 });
  const change = (n: number) =>
    audit.change({}, async (session) => {
      now += 1;
      // They want the same document, so most are repeated by the driver.
      await marks.updateOne({ _id: "m" }, { $inc: { n: 1 } }, { session });
      if (n % 3 === 0) throw new Error("refused");
      return { value: null, fact: fact(String(n)) };
    });
  await Promise.allSettled(Array.from({ length: 30 }, (_, n) => change(n)));
  expect(await marks.findOne({ _id: "m" })).toMatchObject({ n: 20 });
  expect(await verify()).toMatchObject({ code: 0, entries: 20, chains: 1 });
});

test("an entry that the database refuses: the next one begins a chain, and it is no alarm", async () => {
  const audit = aTrail();
  await write(audit, "a");
  const db = mongo.connection.getClient().db(`${mongo.connection.name}_audit`);
  await db.command({ collMod: "audit_entries", validator: { nobody: { $exists: true } } });
  await expect(write(audit, "b")).rejects.toThrow();
  await db.command({ collMod: "audit_entries", validator: {} });
  await write(audit, "c");
  expect(await verify()).toMatchObject({ code: 0, entries: 2, chains: 2 });
});

test("two processes at once, each killed between entries and followed by another: no alarm", async () => {
  const running: Program[] = [];
  const start = () => {
    const args = [testServers().mongodbUri, namespace, KEY.key.toString("base64")];
    const writer = startProgram(["test/support/stage/audit-writer.ts", ...args]);
    running.push(writer);
    return writer;
  };
  const hasWritten = ({ said }: Program) => said.stdout.split("\n").length > 10;
  try {
    for (const round of [1, 2]) {
      const writers = [start(), start()];
      await waitFor(() => writers.every(hasWritten), `entries of round ${round}`);
      await Promise.all(writers.map((writer) => writer.kill("SIGKILL")));
    }
  } finally {
    for (const writer of running) writer.kill("SIGKILL");
  }
  const verified = await verify({ aheadMs: 200_000 });
  expect(verified).toMatchObject({ code: 0, chains: 4 });
  expect(verified.entries).toBeGreaterThanOrEqual(160);
  expect(await entries().countDocuments()).toBe(verified.entries);
});
