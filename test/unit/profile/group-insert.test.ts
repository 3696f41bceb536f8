import { describe, expect, test } from "@jest/globals";
import { createTurns } from "../../../services/profile/change/turns.ts";
import { createGroupInserter } from "../../../services/profile/record/group-insert.ts";

type Group = { documents: number[]; finish(errors?: Map<number, Error>): void; fail(error: Error): void };

function aStore() {
  const groups: Group[] = [];
  const insertGroup = (documents: number[]) =>
    new Promise<Map<number, Error>>((done, fail) => {
      groups.push({ documents, finish: (errors = new Map()) => done(errors), fail });
    });
  return { groups, insertGroup };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("createGroupInserter", () => {
  test("an insert that finds a free slot waits for nobody", async () => {
    const { groups, insertGroup } = aStore();
    const insert = createGroupInserter(insertGroup, { slots: 1, largestGroup: 10 });
    const first = insert(1);
    await Promise.resolve();
    expect(groups.map(({ documents }) => documents)).toEqual([[1]]);
    groups[0]?.finish();
    await first;
  });

  test("inserts of one turn share a write, and those that come meanwhile the next, in their order", async () => {
    const { groups, insertGroup } = aStore();
    const insert = createGroupInserter(insertGroup, { slots: 1, largestGroup: 10 });
    const all = [1, 2].map((n) => insert(n));
    await settled();
    all.push(...[3, 4, 5].map((n) => insert(n)));
    await settled();
    expect(groups.map(({ documents }) => documents)).toEqual([[1, 2]]);
    groups[0]?.finish();
    await settled();
    expect(groups.map(({ documents }) => documents)).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    groups[1]?.finish();
    await Promise.all(all);
  });

  test("no group is larger than allowed, and no more are under way than there are slots", async () => {
    const { groups, insertGroup } = aStore();
    const insert = createGroupInserter(insertGroup, { slots: 2, largestGroup: 2 });
    const all = [1, 2, 3, 4, 5].map((n) => insert(n));
    await settled();
    expect(groups.map(({ documents }) => documents)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    groups[1]?.finish();
    await settled();
    expect(groups[2]?.documents).toEqual([5]);
    for (const group of groups) group.finish();
    await Promise.all(all);
  });

  test("a refused document fails alone", async () => {
    const { groups, insertGroup } = aStore();
    const insert = createGroupInserter(insertGroup, { slots: 1, largestGroup: 10 });
    const all = [1, 2, 3].map((n) => insert(n));
    await settled();
    groups[0]?.finish(new Map([[2, new Error("third")]]));
    expect(await Promise.allSettled(all)).toMatchObject([
      { status: "fulfilled" },
      { status: "fulfilled" },
      { status: "rejected", reason: new Error("third") },
    ]);
  });

  test("a write that fails as a whole fails all of its group, and the next one goes on", async () => {
    const { groups, insertGroup } = aStore();
    const insert = createGroupInserter(insertGroup, { slots: 1, largestGroup: 1 });
    const first = insert(1);
    const second = insert(2);
    await settled();
    groups[0]?.fail(new Error("away"));
    await expect(first).rejects.toThrow("away");
    await settled();
    groups[1]?.finish();
    await second;
  });
});

describe("createTurns", () => {
  test("the same key waits, another does not, and a failure does not stop the next", async () => {
    const turns = createTurns();
    const order: string[] = [];
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = turns("a", async () => {
      await gate;
      order.push("first");
      throw new Error("no");
    });
    const second = turns("a", async () => void order.push("second"));
    await turns("b", async () => void order.push("other"));
    release();
    await expect(first).rejects.toThrow("no");
    await second;
    expect(order).toEqual(["other", "first", "second"]);
  });
});
