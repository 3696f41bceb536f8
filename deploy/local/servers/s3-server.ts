/** The S3 API as a separate process: node s3-server.ts <settings file>. */
import { readFileSync } from "node:fs";
import S3rver from "@20minutes/s3rver";
import account from "@20minutes/s3rver/lib/models/account.js";
import { storageSubject } from "../../../shared/jetstream/streams.ts";
import type { S3Settings } from "./s3.ts";
import { minioNotice } from "./s3-notice.ts";
import { startNotifier } from "./s3-notifier.ts";
import { repairS3 } from "./s3-repairs.ts";

const KEEP_ALIVE_MS = 65_000;
const settings = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as S3Settings;
const notifier = startNotifier(settings.queueDir, settings.natsUrl);

// Anybody could sign links with the library's well-known key pair.
account.DUMMY_ACCOUNT.revokeAccessKey("S3RVER");
account.DUMMY_ACCOUNT.createKeyPair(settings.accessKeyId, settings.secretAccessKey);

const server = new S3rver({
  address: "127.0.0.1",
  port: settings.port,
  directory: settings.dir,
  silent: true,
  vhostBuckets: false,
  configureBuckets: settings.buckets.map((name) => ({ name })),
  ...settings.tls,
});
repairS3(server);
server.on("event", ({ Records }) => {
  for (const record of Records) {
    if (!/^Object(Created|Removed):/.test(record.eventName)) continue;
    notifier.notify(storageSubject(namespaceOf(record.s3.bucket.name)), minioNotice(record));
  }
});
await server.run();
// As storage services do: a delayed client must not send a file into a closing connection.
server.httpServer.keepAliveTimeout = KEEP_ALIVE_MS;

for (const signal of ["SIGTERM", "SIGINT"] as const)
  process.once(signal, async () => {
    server.httpServer.closeAllConnections();
    await Promise.all([server.close(), notifier.close()]);
    process.exit(0);
  });

function namespaceOf(bucket: string): string {
  return settings.namespace === "by-bucket" ? (bucket.split("-")[0] ?? "") : settings.namespace;
}
