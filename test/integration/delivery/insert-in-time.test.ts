/** A write that is late is void, whatever held it up: shown on a link that keeps it until after its time. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { type Connection, createConnection } from "mongoose";
import { insertInTime } from "../../../services/delivery/records/insert-in-time.repository.ts";
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

/** From the moment that the write leaves the driver. */
function whenWriting(act: () => void): void {
  const client = slow.getClient();
  const listener = ({ commandName }: { commandName: string }) => {
    if (commandName !== "update") return;
    client.off("commandStarted", listener);
    act();
  };
  client.on("commandStarted", listener);
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
    whenWriting(() => link.set("hold-up"));
    await expect(insert("held", 400)).rejects.toMatchObject({ type: "Service.OutcomeUnknown" });
    const ended = waitFor(() => refusals === 1, { what: "the server to refuse it" });
    link.set("pass");
    await ended;
    expect(await stored("held")).toBeNull();
  });

  test("written in time, and only the answer held: outcome unknown, and it exists", async () => {
    whenWriting(() => link.set("hold-down"));
    await expect(insert("unacknowledged", 600)).rejects.toMatchObject({ type: "Service.OutcomeUnknown" });
    link.set("pass");
    expect(await stored("unacknowledged")).toEqual(aThing("unacknowledged"));
  });
});
