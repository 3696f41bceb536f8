import { describe, expect, test } from "@jest/globals";
import { createGroupInserter } from "../../../services/profile/group-insert.ts";
import { createTurns } from "../../../services/profile/turns.ts";

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
  test("an insert that finds a free slot goes at once, alone", async () => {
    const { groups, insertGroup } = aStore();
    const insert = createGroupInserter(insertGroup, { slots: 1, largestGroup: 10 });
    const first = insert(1);
    expect(groups.map(({ documents }) => documents)).toEqual([[1]]);
    groups[0]?.finish();
    await first;
  });

  test("those that come meanwhile share the next write, in their order", async () => {
    const { groups, insertGroup } = aStore();
    const insert = createGroupInserter(insertGroup, { slots: 1, largestGroup: 10 });
    const all = [1, 2, 3, 4].map((n) => insert(n));
    groups[0]?.finish();
    await settled();
    expect(groups.map(({ documents }) => documents)).toEqual([[1], [2, 3, 4]]);
    groups[1]?.finish();
    await Promise.all(all);
  });

  test("no group is larger than allowed", async () => {
    const { groups, insertGroup } = aStore();
    const insert = createGroupInserter(insertGroup, { slots: 1, largestGroup: 2 });
    const all = [1, 2, 3, 4].map((n) => insert(n));
    for (let at = 0; at < 3; at += 1) {
      groups[at]?.finish();
      await settled();
    }
    expect(groups.map(({ documents }) => documents)).toEqual([[1], [2, 3], [4]]);
    await Promise.all(all);
  });

  test("a refused document fails alone", async () => {
    const { groups, insertGroup } = aStore();
    const insert = createGroupInserter(insertGroup, { slots: 1, largestGroup: 10 });
    const all = [1, 2, 3].map((n) => insert(n));
    groups[0]?.finish();
    await settled();
    groups[1]?.finish(new Map([[1, new Error("third")]]));
    expect(await Promise.allSettled(all)).toMatchObject([
      { status: "fulfilled" },
      { status: "fulfilled" },
      { status: "rejected", reason: new Error("third") },
    ]);
  });

  test("a write that fails as a whole fails all of its group, and the next one goes on", async () => {
    const { groups, insertGroup } = aStore();
    const insert = createGroupInserter(insertGroup, { slots: 1, largestGroup: 10 });
    const first = insert(1);
    const second = insert(2);
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
