/** Brings an installation to this release: the database of each service, behind mongos its shards, and the streams. */
import { COLLECTIONS as authToken } from "../../services/auth-token/collections.ts";
import { COLLECTIONS as delivery } from "../../services/delivery/collections.ts";
import { COLLECTIONS as document } from "../../services/document/collections.ts";
import { COLLECTIONS as profile } from "../../services/profile/collections.ts";
import { COLLECTIONS as webhookRegistry } from "../../services/webhook-registry/collections.ts";
import { type Config, SERVICE_NAMES, type ServiceName } from "../../shared/config/config.ts";
import { createJetStream } from "../../shared/jetstream/jetstream.ts";
import { CONSUMERS, STREAMS } from "../../shared/jetstream/streams.ts";
import type { CollectionTable } from "../../shared/mongo/collections.rules.ts";
import { ensureCollections } from "../../shared/mongo/ensure-collections.ts";
import { createMongo, OF_A_MIGRATION } from "../../shared/mongo/mongo.ts";
import { retry } from "../../shared/retry.ts";
import { createLogger } from "../../shared/telemetry/logger.ts";
import { createMetrics } from "../../shared/telemetry/metrics.ts";

export const MIGRATION_PARTS = ["streams", ...SERVICE_NAMES] as const;
export type MigrationPart = (typeof MIGRATION_PARTS)[number];

/** A change that was made, or would be. */
export type MigrationLine = { part: MigrationPart; name: string; state: string };

type Options = {
  parts?: readonly MigrationPart[];
  /** Changes nothing. */
  planOnly?: boolean;
  report?(text: string): void;
};

/** For a server that is starting or busy. */
const PATIENCE = { firstWaitMs: 500, withinMs: 60_000 };

const TABLES: Record<ServiceName, CollectionTable> = {
  "auth-token": authToken,
  profile,
  document,
  "webhook-registry": webhookRegistry,
  delivery,
};

/** Runs the parts in sequence. */
export async function migrate(config: Config, options: Options = {}): Promise<MigrationLine[]> {
  const lines: MigrationLine[] = [];
  for (const part of options.parts ?? MIGRATION_PARTS) {
    const steps = await (part === "streams"
      ? migrateStreams(config, options)
      : migrateDatabase(config, part, options));
    lines.push(...steps.map((step) => ({ part, ...step })));
  }
  return lines;
}

type Step = Omit<MigrationLine, "part">;

async function migrateDatabase(
  config: Config,
  service: ServiceName,
  { planOnly = false, report = () => undefined }: Options,
): Promise<Step[]> {
  const mongo = createMongo({ ...config, process: service }, undefined, OF_A_MIGRATION);
  await retry(() => mongo.connect(), PATIENCE);
  try {
    const { connection } = mongo;
    return await ensureCollections({ connection, table: TABLES[service], planOnly, report });
  } finally {
    await mongo.close();
  }
}

async function migrateStreams(config: Config, { planOnly }: Options): Promise<Step[]> {
  const jetstream = createJetStream({
    config,
    logger: createLogger({ ...config, logLevel: "silent" }),
    metrics: createMetrics(config.process),
  });
  await retry(() => jetstream.connect(), PATIENCE);
  try {
    const mode = planOnly ? "plan" : "align";
    const changes = await jetstream.ensure(Object.values(STREAMS), Object.values(CONSUMERS), mode);
    return changes.map((name) => ({ name, state: planOnly ? "to do" : "done" }));
  } finally {
    await jetstream.close();
  }
}
