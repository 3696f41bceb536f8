/** The S3 server of `npm start`, by the arguments and variables that the compose file gives to SeaweedFS. */
import { parseArgs } from "node:util";
import S3rver from "@20minutes/s3rver";
import account from "@20minutes/s3rver/lib/models/account.js";
import { repairS3 } from "../../deploy/local/servers/s3-repairs.ts";
import { processEnv } from "../../shared/config/config.ts";

/** Go takes options with one dash, Node with two. */
const args = process.argv.slice(2).map((arg) => arg.replace(/^-(?!-)/, "--"));
const { values } = parseArgs({
  args,
  allowPositionals: true,
  options: {
    dir: { type: "string", default: "/data" },
    bucket: { type: "string", default: "" },
    "s3.port": { type: "string", default: "" },
    "admin.ui": { type: "string" },
    "master.telemetry": { type: "string" },
  },
});
const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = processEnv();
account.DUMMY_ACCOUNT.revokeAccessKey("S3RVER");
account.DUMMY_ACCOUNT.createKeyPair(AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY);

const server = new S3rver({
  address: "0.0.0.0",
  port: Number(values["s3.port"]),
  directory: values.dir,
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: values.bucket }],
});
repairS3(server);
await server.run();
process.once("SIGTERM", () => process.exit(0));
