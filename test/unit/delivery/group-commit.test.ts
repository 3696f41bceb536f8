import { describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createGroupCommit } from "../../../services/delivery/attempt/group-commit.ts";

const away = new Error("away");
const logger = pino({ level: "silent" });
const isPassing = (error: unknown) => error === away;

describe("group commit", () => {
  test("what comes together is written together; what comes meanwhile is the next write", async () => {
    const written: number[][] = [];
    let open: () => void = () => undefined;
    const first = new Promise<void>((resolve) => {
      open = resolve;
    });
    const commits = createGroupCommit<number>({
      write: async (items) => {
        written.push([...items]);
        if (written.length === 1) await first;
      },
      isPassing,
      logger,
    });
    const early = [commits.add(1), commits.add(2)];
    while (written.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const late = [commits.add(3), commits.add(4)];
    open();
    await Promise.all([...early, ...late]);
    expect(written).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test("resolves only when the item is stored", async () => {
    let isStored = false;
    const commits = createGroupCommit<number>({
      write: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        isStored = true;
      },
      isPassing,
      logger,
    });
    await commits.add(1);
    expect(isStored).toBe(true);
  });

  test("the database is away: tried again until it is back", async () => {
    let tries = 0;
    const commits = createGroupCommit<number>({
      write: async () => {
        tries += 1;
        if (tries < 3) throw away;
      },
      isPassing,
      logger,
    });
    await commits.add(1);
    expect(tries).toBe(3);
  });

  test("one that cannot be written is rejected; the others of its batch, and the next, are stored", async () => {
    const stored: number[] = [];
    const commits = createGroupCommit<number>({
      write: async (items) => {
        if (items.includes(2)) throw new Error("broken");
        stored.push(...items);
      },
      isPassing,
      logger,
    });
    const results = await Promise.allSettled([commits.add(1), commits.add(2), commits.add(3)]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    await commits.add(4);
    expect(stored).toEqual([1, 3, 4]);
  });

  test("stop while the database is away: rejects what could not be stored", async () => {
    const commits = createGroupCommit<number>({ write: () => Promise.reject(away), isPassing, logger });
    const added = commits.add(1).catch((error: unknown) => error);
    await commits.stop();
    expect(await added).toBe(away);
  });
});
