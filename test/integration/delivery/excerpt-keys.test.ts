/** Keys that seal receivers' answers, on a real database: one a day, whichever process is first. */
import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { pino } from "pino";
import { COLLECTIONS } from "../../../services/delivery/collections.ts";
import {
  excerptKeyRepository,
  sealedExcerptKeys,
} from "../../../services/delivery/excerpt/excerpt-key.repository.ts";
import { createExcerpts } from "../../../services/delivery/excerpt/excerpts.ts";
import type { FieldKey } from "../../../shared/config/config.ts";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { createFieldCipher } from "../../../shared/sealing/field-cipher.ts";
import { createFieldKeySweep } from "../../../shared/sealing/field-key-sweep.ts";
import { databaseOfFile } from "../../support/stage/test-database.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const aKey = (id: string): FieldKey => ({ id, key: randomBytes(32) });
const [OLD, NEW] = [aKey("old"), aKey("new")];
const logger = pino({ level: "silent" });

const mongo = databaseOfFile("delivery");

const aProcess = (...fieldKeys: FieldKey[]) => {
  const keys = excerptKeyRepository(mongo.connection);
  return createExcerpts({
    ...{ keys, logger, clock: { now: () => Date.now() } },
    cipher: createFieldCipher(fieldKeys),
  });
};
const attempt = (attemptNo: number, occurredAt: Date) => ({ deliveryId: "d", attemptNo, occurredAt });
const record = (attemptNo: number, sealedExcerpt: string | null) => ({
  ...{ attemptNo, sealedExcerpt, statusCode: 200, errorKind: null },
  ...{ durationMs: 1, sentAt: new Date() },
});

test("many processes at the beginning of a day: one key, and each reads what another sealed", async () => {
  const processes = Array.from({ length: 12 }, () => aProcess(OLD));
  const today = new Date();
  const sealed = await Promise.all(processes.map(({ seal }, no) => seal(attempt(no, today), `answer ${no}`)));
  expect(await collectionOf(mongo.connection, COLLECTIONS.excerptKeys).countDocuments()).toBe(1);
  const records = sealed.map((each, no) => record(no, each));
  expect(await aProcess(OLD).open("d", records)).toEqual(sealed.map((_, no) => `answer ${no}`));
});

test("the sweep moves the keys to a new field key: a process with that one alone reads and seals on", async () => {
  const today = new Date();
  const days = [0, 1, 2].map((ago) => new Date(today.getTime() - ago * DAY_MS));
  const before = aProcess(OLD);
  const records = await Promise.all(
    days.map(async (day, no) => record(no, await before.seal(attempt(no, day), `of day ${no}`))),
  );
  const cipher = createFieldCipher([NEW, OLD]);
  const stores = [sealedExcerptKeys(excerptKeyRepository(mongo.connection), cipher)];
  const sweep = createFieldKeySweep({ cipher, logger, stores });
  expect(await sweep({ position: null, reseal: true })).toMatchObject({
    next: null,
    resealed: 3,
    unreadable: 0,
    counts: [
      { store: "excerpt_keys", keyId: "new", values: 3 },
      { store: "excerpt_keys", keyId: "old", values: 0 },
    ],
  });
  const after = aProcess(NEW);
  // The process from before the rotation has the key in memory.
  const more = [
    record(8, await before.seal(attempt(8, today), "before")),
    record(9, await after.seal(attempt(9, today), "after")),
  ];
  const texts = ["of day 0", "of day 1", "of day 2", "before", "after"];
  expect(await after.open("d", [...records, ...more])).toEqual(texts);
});
