import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { statePaths } from "../../deploy/lib/paths.ts";
import { closeHost, openHost } from "../../deploy/local/processes/host.ts";
import { startServers } from "../../deploy/local/servers/start-servers.ts";
import { quietReport } from "../support/quiet-report.ts";

const dir = mkdtempSync(join(tmpdir(), "pbo-servers-"));
const blockers: Server[] = [];

afterAll(() => {
  for (const blocker of blockers) blocker.close();
  rmSync(dir, { recursive: true, force: true });
});

const open = async () => {
  const host = openHost(statePaths(dir), quietReport);
  const addresses = await startServers(host, { namespace: "", env: {} });
  return { addresses, close: () => closeHost(host) };
};

const portOf = (address: string): number => Number(new URL(address.replace("mongodb:", "http:")).port);

async function withNotes<T>(uri: string, work: (notes: mongoose.mongo.Collection) => Promise<T>): Promise<T> {
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    return await work(client.db("kept").collection("notes"));
  } finally {
    await client.close();
  }
}

describe("the embedded servers", () => {
  test("started again: have the same addresses; with their ports taken: others, and the data all the same", async () => {
    const first = await open();
    await withNotes(first.addresses.mongodbUri, (notes) =>
      notes.insertOne({ text: "written before" }, { writeConcern: { w: "majority", j: true } }),
    );
    await first.close();

    const second = await open();
    expect(second.addresses).toEqual(first.addresses);
    await second.close();

    const taken = [first.addresses.mongodbUri, first.addresses.natsUrl, first.addresses.s3.endpoint].map(
      portOf,
    );
    for (const port of taken) {
      const blocker = createServer((socket) => socket.destroy()).listen(port, "127.0.0.1");
      await new Promise((resolve) => blocker.once("listening", resolve));
      blockers.push(blocker);
    }
    const third = await open();
    const { mongodbUri, natsUrl, s3 } = third.addresses;
    for (const address of [mongodbUri, natsUrl, s3.endpoint]) expect(taken).not.toContain(portOf(address));
    const kept = await withNotes(mongodbUri, (notes) => notes.findOne({ text: "written before" }));
    await third.close();
    expect(kept).not.toBeNull();
    for (const address of [first, third].flatMap(({ addresses: a }) => [a.mongodbUri, a.natsUrl]))
      expect([4222, 27017]).not.toContain(portOf(address));
  });

  test("named by settings: are not started", async () => {
    const host = openHost(statePaths(join(dir, "external")), quietReport);
    const env = {
      PBO_MONGODB_URI: "mongodb://db.example/?replicaSet=x",
      PBO_NATS_URL: "nats://nats.example",
      PBO_S3_ENDPOINT: "https://s3.example",
      PBO_S3_BUCKET: "mine",
    };
    const addresses = await startServers(host, { namespace: "", env });
    const started = host.processes.map(({ name }) => name);
    await closeHost(host);
    expect(started).toEqual([]);
    expect(addresses).toMatchObject({
      mongodbUri: env.PBO_MONGODB_URI,
      natsUrl: env.PBO_NATS_URL,
      s3: { endpoint: env.PBO_S3_ENDPOINT, bucket: "mine" },
    });
  });
});
