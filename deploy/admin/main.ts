/** Entry point of `npm run admin -- <command>`. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { processEnv } from "../../shared/config/config.ts";
import { projectDir } from "../lib/paths.ts";
import { COMMANDS } from "./commands.ts";
import { adminEnv, connectAdmin } from "./connect.ts";
import { runAdmin } from "./run.ts";

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

if (existsSync(join(projectDir, ".env"))) process.loadEnvFile(join(projectDir, ".env"));

// Explicit: an unreachable message bus would keep the process alive.
process.exit(
  await runAdmin(
    {
      commands: COMMANDS,
      connect: (stateDir) => connectAdmin(adminEnv(processEnv(), stateDir)),
      readStdin,
      out: (text) => void process.stdout.write(`${text}\n`),
      err: (text) => void process.stderr.write(`${text}\n`),
    },
    process.argv.slice(2),
  ),
);
