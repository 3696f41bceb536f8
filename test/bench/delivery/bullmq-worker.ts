/** Peer: a BullMQ worker that signs and POSTs each job. Arguments: queue, port of Redis, CA file, jobs at once. */
import { readFileSync } from "node:fs";
import { Worker } from "bullmq";
import { Agent } from "undici";
import { type BareAttempt, bareAttempt } from "./bare-attempt.ts";

const [, , queue = "", port = "", caFile = "", concurrency = ""] = process.argv;

const send = bareAttempt(new Agent({ connect: { ca: readFileSync(caFile, "utf8") }, connections: 256 }));
const connection = { host: "127.0.0.1", port: Number(port), maxRetriesPerRequest: null };
const worker = new Worker<BareAttempt>(queue, ({ data }) => send(data), {
  connection,
  concurrency: Number(concurrency),
});
worker.on("error", (error) => void process.stderr.write(`${error.message}\n`));
