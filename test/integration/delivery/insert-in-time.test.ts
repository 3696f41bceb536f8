/** A write that is late is void, whatever held it up: shown on a link that keeps it until after its time. */
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { type Connection, createConnection } from "mongoose";
import {
  insertInTime,
  readInTime,
  usualEnd,
} from "../../../services/delivery/records/insert-in-time.repository.ts";
import { type Link, startLink } from "../../support/servers/link.ts";
import { aTestNamespace, testServers } from "../../support/servers/servers.ts";
import { waitFor } from "../../support/wait-for.ts";

type Thing = { _id: string; partnerId: string; at: Date; list: string[]; none: null; text: string };

const dbName = `${aTestNamespace()}_things`;
let link: Link;
let slow: Connection;
let direct: Connection;
beforeAll(async () => {
  link = await startLink(testServers().mongodbUri);
  slow = await createConnection(link.url, { dbName, monitorCommands: true }).asPromise();
  direct = await createConnection(testServers().mongodbUri, { dbName }).asPromise();
});
afterEach(() => link.set("pass"));
afterAll(async () => {
  await Promise.all([slow.close(), direct.close()]);
  await link.close();
});

const aThing = (_id: string): Thing => ({
  _id,
  partnerId: "p",
  at: new Date(1_000),
  list: ["$NOW", "a"],
  none: null,
  text: "$$ROOT",
});
const stored = (_id: string) => direct.collection<Thing>("things").findOne({ _id });
const insert = (_id: string, withinMs: number) =>
  insertInTime(slow, slow.collection<Thing>("things") as never, aThing(_id), performance.now() + withinMs);

/** From the moment that the write leaves the driver, which on a busy machine may be after its time; resolves then. */
function whenWriting(act: (command: { updates?: unknown }) => void): Promise<void> {
  const client = slow.getClient();
  return new Promise((resolve) => {
    const listener = ({ commandName, command }: { commandName: string; command: object }) => {
      if (commandName !== "update") return;
      client.off("commandStarted", listener);
      act(command);
      resolve();
    };
    client.on("commandStarted", listener);
  });
}

describe("insertInTime", () => {
  test("in time: stored as it was given, texts that look like expressions too", async () => {
    await insert("in-time", 10_000);
    expect(await stored("in-time")).toEqual(aThing("in-time"));
  });

  test("one that exists: left as it is", async () => {
    await direct.collection<Thing>("things").insertOne({ ...aThing("before"), text: "first" });
    await insert("before", 10_000);
    expect(await stored("before")).toMatchObject({ text: "first" });
  });

  test("no time left: Service.Unavailable, and the database is not asked", async () => {
    await expect(insert("late", -1)).rejects.toMatchObject({ type: "Service.Unavailable" });
    expect(await stored("late")).toBeNull();
  });

  test("a database that does not answer at all: Service.Unavailable, because nothing was written", async () => {
    link.set("hold");
    await expect(insert("unasked", 300)).rejects.toMatchObject({ type: "Service.Unavailable" });
    link.set("pass");
    await insert("afterwards", 10_000);
    expect(await stored("unasked")).toBeNull();
  });

  test("held on the way until its time is up: outcome unknown, and the server refuses it when it arrives", async () => {
    let refusals = 0;
    slow.getClient().on("commandSucceeded", ({ reply }) => {
      refusals += (reply as { writeErrors?: unknown[] }).writeErrors?.length ?? 0;
    });
    const left = whenWriting(() => link.set("hold-up"));
    await expect(insert("held", 1_500)).rejects.toMatchObject({ type: "Service.OutcomeUnknown" });
    await left;
    const ended = waitFor(() => refusals === 1, { what: "the server to refuse it" });
    link.set("pass");
    await ended;
    expect(await stored("held")).toBeNull();
  });

  test("written in time, and only the answer held: outcome unknown, and it exists", async () => {
    whenWriting(() => link.set("hold-down"));
    await expect(insert("unacknowledged", 2_000)).rejects.toMatchObject({ type: "Service.OutcomeUnknown" });
    link.set("pass");
    expect(await stored("unacknowledged")).toEqual(aThing("unacknowledged"));
  });

  test("late by the server's clock, which answers at once: Service.Unavailable, because it is void", async () => {
    const early = { db: { command: async () => ({ localTime: new Date(0) }) } } as unknown as Connection;
    const things = direct.collection<Thing>("things") as never;
    const late = insertInTime(early, things, aThing("void"), performance.now() + 10_000);
    await expect(late).rejects.toMatchObject({ type: "Service.Unavailable" });
    expect(await stored("void")).toBeNull();
  });

  test("the write names its partner, who leads it to a shard", async () => {
    const filters: unknown[] = [];
    whenWriting(({ updates }) => filters.push(...(updates as { q: unknown }[]).map(({ q }) => q)));
    await insert("placed", 10_000);
    expect(filters).toMatchObject([{ _id: "placed", partnerId: "p" }]);
  });
});

describe("insertInTime, without a server", () => {
  /** The clock stands at 0 until the server has told its time, and then at this. */
  async function insertAt(
    readMs: number,
    endsAt: number,
    updateOne: () => Promise<unknown>,
  ): Promise<boolean> {
    const now = jest.spyOn(performance, "now").mockReturnValue(0);
    const command = async () => {
      now.mockReturnValue(readMs);
      return { localTime: new Date() };
    };
    try {
      const connection = { db: { command } } as unknown as Connection;
      return await insertInTime(connection, { updateOne } as never, aThing("x"), endsAt);
    } finally {
      now.mockRestore();
    }
  }

  test("less than a millisecond left: nothing is written; with one left it is", async () => {
    const updateOne = jest.fn(async () => ({}));
    await expect(insertAt(99.5, 100, updateOne)).rejects.toMatchObject({ type: "Service.Unavailable" });
    expect(updateOne).not.toHaveBeenCalled();
    expect(await insertAt(98.5, 100, updateOne)).toBe(true);
  });

  test("refused with an error: as it is; with one that leaves it open: outcome unknown", async () => {
    const refusal = (given: object) => async () => {
      throw Object.assign(new Error("refused"), given);
    };
    await expect(insertAt(0, 5_000, refusal({ code: 121 }))).rejects.toMatchObject({ code: 121 });
    await expect(insertAt(0, 5_000, refusal({ name: "MongoNetworkError" }))).rejects.toMatchObject({
      type: "Service.OutcomeUnknown",
    });
  });

  test("what is read before the write may take what is left, however long the process runs", async () => {
    const now = jest.spyOn(performance, "now").mockReturnValue(1_000_000);
    const timers = jest.spyOn(globalThis, "setTimeout");
    const read = readInTime(new Promise(() => {}), 1_000_020);
    const [[, waitedMs] = []] = timers.mock.calls;
    now.mockRestore();
    timers.mockRestore();
    expect(waitedMs).toBe(20);
    await expect(read).rejects.toMatchObject({ type: "Service.Unavailable" });
  });

  test("who names no end: two seconds", () => {
    const now = jest.spyOn(performance, "now").mockReturnValue(5);
    const end = usualEnd();
    now.mockRestore();
    expect(end).toBe(2_005);
  });
});
