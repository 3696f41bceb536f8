/** The operator command that brings databases and streams to the version of this release. */
import { loadConfig, processEnv } from "../../../shared/config/config.ts";
import { StreamMismatch } from "../../../shared/jetstream/jetstream-ensure.ts";
import { CollectionMismatch } from "../../../shared/mongo/ensure-collections.ts";
import { MIGRATION_PARTS, type MigrationPart, migrate } from "../../lib/migrate.ts";
import { CheckFailed, type Command, flag, optional, textOf, UsageError } from "../command.ts";
import { adminEnv } from "../connect.ts";

export const migrateCommand: Command = {
  name: "migrate",
  anonymous: true,
  summary: "Bring databases and streams to the version of this release; may be stopped and run again",
  options: {
    plan: flag("show what would be done and change nothing"),
    part: optional("part", `only this one: ${MIGRATION_PARTS.join(", ")}`),
  },
  columns: ["part", "name", "state"],
  example: "migrate --plan",
  run: async (input) => {
    const parts = wantedParts(textOf(input, "part"));
    const config = loadConfig("migration", adminEnv(processEnv(), input.stateDir));
    if (config.mongodbUri === "" && parts.some((part) => part !== "streams"))
      throw new UsageError("PBO_MONGODB_URI is required: the MongoDB of the services.");
    const planOnly = input.options.plan === true;
    return migrate(config, { parts, planOnly, report: input.report }).catch((error) => {
      const isRefused = error instanceof CollectionMismatch || error instanceof StreamMismatch;
      throw isRefused ? new CheckFailed("Migration.Refused", error.message) : error;
    });
  },
};

function wantedParts(wanted: string): readonly MigrationPart[] {
  if (wanted === "") return MIGRATION_PARTS;
  const part = MIGRATION_PARTS.find((name) => name === wanted);
  if (!part) throw new UsageError(`--part must be one of ${MIGRATION_PARTS.join(", ")}.`);
  return [part];
}
