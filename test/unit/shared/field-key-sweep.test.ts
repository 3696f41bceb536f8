import { describe, expect, test } from "@jest/globals";
import pino from "pino";
import type { KeySweep } from "../../../shared/contract/actions/field-keys.ts";
import { createFieldCipher } from "../../../shared/sealing/field-cipher.ts";
import { createFieldKeySweep, type SealedRecords } from "../../../shared/sealing/field-key-sweep.ts";

const key = (id: string, fill: number) => ({ id, key: Buffer.alloc(32, fill) });
const old = createFieldCipher([key("old", 1)]);
const both = createFieldCipher([key("new", 2), key("old", 1)]);
const strange = createFieldCipher([key("strange", 3)]);
const logger = pino({ level: "silent" });

type Rec = { _id: string; sealed: string };
const place = ({ _id }: Pick<Rec, "_id">) => ({ collection: "things", recordId: _id, field: "sealed" });
const aRecord = (_id: string, cipher = old): Rec => ({
  _id,
  sealed: cipher.seal(`text ${_id}`, place({ _id })),
});

type Move = { before: Rec; sealed: string };

const recordsOf = (ids: string): Rec[] => [...ids].map((id) => aRecord(id));

/** Like a collection: compare and set on what was read. */
function aStore(name: string, records: Rec[], beforeWrite: () => void = () => {}) {
  const pages: string[] = [];
  const store: SealedRecords<Rec, Move> = {
    name,
    async page(after, limit) {
      pages.push(after);
      return records
        .filter(({ _id }) => _id > after)
        .slice(0, limit)
        .map((record) => ({ ...record }));
    },
    sealedIn: ({ sealed }) => [sealed],
    move: (record) =>
      both.isStale(record.sealed)
        ? { before: record, sealed: both.seal(both.open(record.sealed, place(record)), place(record)) }
        : null,
    async write(moves) {
      if (moves.length === 0) throw new Error("As the driver: a bulk write of nothing.");
      beforeWrite();
      for (const { before, sealed } of moves)
        for (const record of records)
          if (record._id === before._id && record.sealed === before.sealed) record.sealed = sealed;
    },
  };
  return { store, records, pages };
}

const sweepOf = (...stores: { store: SealedRecords<Rec, Move> }[]) =>
  createFieldKeySweep({ cipher: both, logger, stores: stores.map(({ store }) => store), batch: 2 });

async function sweepAll(sweep: ReturnType<typeof createFieldKeySweep>, reseal = true): Promise<KeySweep[]> {
  const answers: KeySweep[] = [];
  for (let position: string | null = null; ; ) {
    const answer = await sweep({ position, reseal });
    answers.push(answer);
    if (answer.next === null) return answers;
    position = answer.next;
  }
}

const valuesOf = (answers: readonly KeySweep[], keyId: string): number =>
  answers
    .flatMap(({ counts }) => counts)
    .reduce((sum, each) => sum + (each.keyId === keyId ? each.values : 0), 0);

describe("the sweep over field keys", () => {
  test("without reseal: counts every value once under its key, in batches, and changes nothing", async () => {
    const things = aStore("things", recordsOf("abcde"));
    const before = structuredClone(things.records);
    const answers = await sweepAll(sweepOf(things), false);
    expect(answers).toHaveLength(3);
    expect(answers[0]).toEqual({
      next: "0/b",
      counts: [
        { store: "things", keyId: "new", use: "seals", values: 0 },
        { store: "things", keyId: "old", use: "opens", values: 2 },
      ],
      resealed: 0,
      unreadable: 0,
    });
    expect(valuesOf(answers, "old")).toBe(5);
    expect(things.records).toEqual(before);
  });

  test("stopped after a batch and begun anew: what was done is not done again", async () => {
    const things = aStore("things", recordsOf("abcd"));
    const { records } = things;
    const sweep = sweepOf(things);
    await sweep({ reseal: true });
    const half = records.slice(0, 2).map(({ sealed }) => sealed);
    expect(records.map(({ sealed }) => both.isStale(sealed))).toEqual([false, false, true, true]);
    const answers = await sweepAll(sweep);
    expect(answers.map(({ resealed }) => resealed)).toEqual([0, 2, 0]);
    expect(records.slice(0, 2).map(({ sealed }) => sealed)).toEqual(half);
  });

  test("a writer that is faster wins, and its value is moved as well", async () => {
    const records = [aRecord("a"), aRecord("b")];
    let isFirst = true;
    const things = aStore("things", records, () => {
      if (isFirst) records[0] = { _id: "a", sealed: old.seal("changed", place({ _id: "a" })) };
      isFirst = false;
    });
    const [answer] = await sweepAll(sweepOf(things));
    expect(valuesOf(answer ? [answer] : [], "old")).toBe(0);
    expect(both.open(String(records[0]?.sealed), place({ _id: "a" }))).toBe("changed");
  });

  test("a writer that is faster every time: the sweep ends after five tries and counts what is left", async () => {
    const records = [aRecord("a")];
    let tries = 0;
    const things = aStore("things", records, () => {
      tries += 1;
      records[0] = aRecord("a");
    });
    const answers = await sweepAll(sweepOf(things));
    expect([valuesOf(answers, "old"), tries]).toEqual([1, 5]);
  });

  test("a value whose key is not configured, and a damaged one: left alone, counted and said", async () => {
    const damaged = { _id: "c", sealed: "v1.old.AAAA" };
    const { store, records } = aStore("things", [aRecord("a"), aRecord("b", strange), damaged]);
    const before = structuredClone(records);
    const answers = await sweepAll(createFieldKeySweep({ cipher: both, logger, stores: [store] }), true);
    expect(answers).toEqual([
      {
        next: null,
        counts: [
          { store: "things", keyId: "new", use: "seals", values: 1 },
          { store: "things", keyId: "old", use: "opens", values: 1 },
          { store: "things", keyId: "strange", use: "missing", values: 1 },
        ],
        resealed: 1,
        unreadable: 2,
      },
    ]);
    expect(records.slice(1)).toEqual(before.slice(1));
  });

  test("several collections: each is swept to its end, in one run", async () => {
    const stores = ["abc", "", "de"].map((ids, index) => aStore(`s${index}`, recordsOf(ids)));
    const answers = await sweepAll(sweepOf(...stores));
    expect(answers.map(({ next }) => next)).toEqual(["0/b", "1/", "2/", "2/e", null]);
    expect(stores.flatMap(({ records }) => records).some(({ sealed }) => both.isStale(sealed))).toBe(false);
  });

  test.each(["x", "", "-1/a", "../", "x0/a", null])(
    "a position that is none (%s): the sweep begins anew",
    async (position) => {
      const answer = await sweepOf(aStore("things", recordsOf("a")))({ position: position as string });
      expect([answer.next, valuesOf([answer], "old")]).toEqual([null, 1]);
    },
  );

  test("a position behind the last collection: the end", async () => {
    const answer = await sweepOf(aStore("things", recordsOf("a")))({ position: "9/a" });
    expect(answer).toEqual({ next: null, counts: [], resealed: 0, unreadable: 0 });
  });
});
