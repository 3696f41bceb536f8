/** Entry point of `npm run admin -- <command>`. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { processEnv } from "../../shared/config/config.ts";
import { projectDir } from "../lib/paths.ts";
import { adminEnv, connectAdmin } from "./connect.ts";
import { runAdmin } from "./run.ts";

if (existsSync(join(projectDir, ".env"))) process.loadEnvFile(join(projectDir, ".env"));

// Explicit: an unreachable message bus would keep the process alive.
process.exit(
  await runAdmin(
    {
      connect: (stateDir) => connectAdmin(adminEnv(processEnv(), stateDir)),
      readStdin: () => text(process.stdin),
      out: (line) => void process.stdout.write(`${line}\n`),
      err: (line) => void process.stderr.write(`${line}\n`),
    },
    process.argv.slice(2),
  ),
);
