/**
 * Images of the servers of deploy/compose.yaml, made of this machine's programs: for places without an image registry.
 * Prints the variables by which the compose file takes them. Run by test/image/try-compose.sh.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectDir } from "../../deploy/lib/paths.ts";
import { findMongod } from "../../deploy/local/servers/mongod-binary.ts";
import { findNatsServer } from "../../deploy/local/servers/nats-binary.ts";
import { quietReport } from "../support/quiet-report.ts";
import { docker } from "./containers.ts";

const OF_THE_PROJECT = [
  "package.json",
  "package-lock.json",
  ".npmrc",
  "shared",
  "deploy/lib",
  "deploy/local",
  "test/image",
];

const context = mkdtempSync(join(tmpdir(), "stand-ins-"));
try {
  const mongod = await findMongod(quietReport);
  for (const name of ["mongod", "libraries", "nats-server"]) mkdirSync(join(context, name));
  cpSync(mongod.path, join(context, "mongod/mongod"));
  if (mongod.env.LD_LIBRARY_PATH)
    cpSync(mongod.env.LD_LIBRARY_PATH, join(context, "libraries"), { recursive: true });
  cpSync(await findNatsServer(quietReport), join(context, "nats-server/nats-server"));
  for (const path of OF_THE_PROJECT) cpSync(join(projectDir, path), join(context, path), { recursive: true });

  const file = join(import.meta.dirname, "stand-ins.Dockerfile");
  for (const server of ["mongo", "nats", "storage"]) {
    const tag = `partner-onboarding-${server}:local`;
    await docker("build", "--network", "host", "--file", file, "--target", server, "--tag", tag, context);
    console.log(`export PBO_${server.toUpperCase()}_IMAGE=${tag}`);
  }
} finally {
  rmSync(context, { recursive: true });
}
