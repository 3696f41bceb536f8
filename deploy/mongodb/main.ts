/** Copies the files of a MongoDB member and makes such a copy ready to begin a new replica set. */
import { parseArgs } from "node:util";
import { processEnv } from "../../shared/config/config.ts";
import { childEnv } from "../lib/child-env.ts";
import { runMain } from "../lib/command-line.ts";
import { copyFiles, restoreFiles } from "./files.ts";

const USAGE = `Backup and restore of MongoDB by its files, on the machine of a member.

  deploy/run-node deploy/mongodb/main.ts copy --from <data folder> --to <empty folder>
      while the member runs, whose address (with an administrator) is PBO_MONGODB_URI; it takes no writes meanwhile.
      If this is killed, they stay held back until db.fsyncUnlock().

  deploy/run-node deploy/mongodb/main.ts restore --from <copy> --to <empty data folder> [--mongod <program>] [--port 27117]
      while no mongod runs there; afterwards start it as always, and begin a set: admin mongodb prepare --initiate
`;

await runMain(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      from: { type: "string", default: "" },
      to: { type: "string", default: "" },
      mongod: { type: "string", default: "mongod" },
      port: { type: "string", default: "27117" },
    },
  });
  const { from, to, mongod, port } = values;
  const { PBO_MONGODB_URI = "" } = processEnv();
  const [what] = positionals;
  if (what === "copy" && from && to && PBO_MONGODB_URI) return copyFiles(PBO_MONGODB_URI, from, to);
  if (what === "restore" && from && to)
    return restoreFiles({ from, to, port: Number(port), mongod: { path: mongod, env: childEnv() } });
  throw new Error(USAGE);
});
