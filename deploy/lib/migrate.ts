/** The migration of an installation: the database of each service, behind mongos its shards, and the streams. */
import * as authToken from "../../services/auth-token/migrations.ts";
import * as delivery from "../../services/delivery/migrations.ts";
import * as document from "../../services/document/migrations.ts";
import * as profile from "../../services/profile/migrations.ts";
import * as webhookRegistry from "../../services/webhook-registry/migrations.ts";
import { type Config, SERVICE_NAMES, type ServiceName } from "../../shared/config/config.ts";
import { createJetStream } from "../../shared/jetstream/jetstream.ts";
import { CONSUMERS, STREAMS } from "../../shared/jetstream/streams.ts";
import { createMongo, OF_A_MIGRATION } from "../../shared/mongo/mongo.ts";
import { type Migration, planMigrations, runMigrations } from "../../shared/mongo/run-migrations.ts";
import { planShards, shardCollections } from "../../shared/mongo/shard-collections.ts";
import type { ShardTable } from "../../shared/mongo/shards.rules.ts";
import { retry } from "../../shared/retry.ts";
import { createLogger } from "../../shared/telemetry/logger.ts";
import { createMetrics } from "../../shared/telemetry/metrics.ts";

export const MIGRATION_PARTS = ["streams", ...SERVICE_NAMES] as const;
export type MigrationPart = (typeof MIGRATION_PARTS)[number];

/** A line of what was done, or would be. */
export type MigrationLine = { part: MigrationPart; number: number | null; name: string; state: string };

type Options = {
  parts?: readonly MigrationPart[];
  /** Changes nothing. */
  planOnly?: boolean;
  report?(text: string): void;
};

/** A server that is just starting, or busy, is waited for. */
const PATIENCE = { firstWaitMs: 500, withinMs: 60_000 };

type OfService = { MIGRATIONS: readonly Migration[]; SHARDS: ShardTable };

const OF_SERVICE: Record<ServiceName, OfService> = {
  "auth-token": authToken,
  profile,
  document,
  "webhook-registry": webhookRegistry,
  delivery,
};

/** One part after the other; what is done already costs a look. */
export async function migrate(
  config: Config,
  { parts = MIGRATION_PARTS, planOnly = false, report = () => undefined }: Options = {},
): Promise<MigrationLine[]> {
  const lines: MigrationLine[] = [];
  for (const part of parts) {
    const migratePart = part === "streams" ? migrateStreams : migrateDatabase(part);
    lines.push(...(await migratePart(config, planOnly, report)));
  }
  return lines;
}

type MigratePart = (
  config: Config,
  planOnly: boolean,
  report: (text: string) => void,
) => Promise<MigrationLine[]>;

const migrateDatabase =
  (service: ServiceName): MigratePart =>
  async (config, planOnly, report) => {
    const mongo = createMongo({ ...config, process: service }, undefined, OF_A_MIGRATION);
    await retry(() => mongo.connect(), PATIENCE);
    try {
      const { MIGRATIONS: migrations, SHARDS: table } = OF_SERVICE[service];
      const { connection } = mongo;
      const deps = { connection, migrations, table, leaseMs: config.migrationLeaseMs, report };
      const planned = await (planOnly ? planMigrations(deps) : runMigrations(deps));
      // Not numbered: an installation may get its shards long after its migrations.
      const shards = await (planOnly ? planShards(deps) : shardCollections(deps));
      return [
        ...planned.map((one) => ({ part: service, ...one })),
        ...shards.map((one) => ({ part: service, number: null, ...one })),
      ];
    } finally {
      await mongo.close();
    }
  };

const migrateStreams: MigratePart = async (config, planOnly) => {
  const jetstream = createJetStream({
    config,
    logger: createLogger({ ...config, logLevel: "silent" }),
    metrics: createMetrics(config.process),
  });
  await retry(() => jetstream.connect(), PATIENCE);
  try {
    const mode = planOnly ? "plan" : "align";
    const changes = await jetstream.ensure(Object.values(STREAMS), Object.values(CONSUMERS), mode);
    const state = planOnly ? "to do" : "done";
    return changes.map((name) => ({ part: "streams", number: null, name, state }));
  } finally {
    await jetstream.close();
  }
};
