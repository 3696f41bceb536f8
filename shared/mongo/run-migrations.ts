/**
 * Brings a database to the version of this release: one run at a time, each migration in its turn. A run that was
 * killed is taken up by the next one when its lease ends, at the migration where it stood.
 */
import type { Connection, Model, mongo } from "mongoose";
import { randomId } from "../ids.ts";
import { freeLane } from "../lanes.ts";
import { createPollLoop } from "../poll-loop.ts";
import { retry } from "../retry.ts";
import { describeIndexBuilds } from "./index-builds.ts";
import { type MigrationStore, migrationStore } from "./migration-store.ts";
import {
  isPending,
  migrationProblem,
  type Numbered,
  type PlannedMigration,
  planOf,
} from "./migrations.rules.ts";

export type Migration = Numbered & {
  /** Can be interrupted anywhere, run again and run twice at once: what is done already it leaves as it is. */
  run(connection: Connection): Promise<unknown>;
};

type Deps = {
  connection: Connection;
  migrations: readonly Migration[];
  leaseMs: number;
  report(text: string): void;
};

const LOOK_EVERY_MS = 250;
const PROGRESS_EVERY_MS = 2_000;

class Busy extends Error {}

/** Answers what it did. */
export async function runMigrations({
  connection,
  migrations,
  leaseMs,
  report,
}: Deps): Promise<PlannedMigration[]> {
  const store = migrationStore(connection);
  const lease = await takeLease(store, leaseMs, report);
  const progress = watchIndexBuilds(connection, report);
  try {
    const pending = planOf(migrations, await store.records()).filter(isPending);
    const wanted = migrations.filter(({ number }) => pending.some((one) => one.number === number));
    for (const migration of wanted) {
      report(`${connection.name}: ${migration.number} ${migration.name}`);
      await store.begin(migration);
      await Promise.race([migration.run(connection), lease.lost]);
      await store.end(migration);
    }
    return pending.map((done) => ({ ...done, state: "done" }));
  } finally {
    await progress.stop();
    await lease.end();
  }
}

export async function planMigrations({
  connection,
  migrations,
}: Pick<Deps, "connection" | "migrations">): Promise<PlannedMigration[]> {
  return planOf(migrations, await migrationStore(connection).records());
}

export class NotMigrated extends Error {
  override readonly name = "NotMigrated";
}

/** For a service at its start. */
export async function requireMigrated(
  connection: Connection,
  migrations: readonly Migration[],
): Promise<void> {
  const records = await migrationStore(connection).records();
  const problem = migrationProblem(connection.name, migrations, records);
  if (problem) throw new NotMigrated(problem);
}

/** A model, or another store that names indexes. */
type Indexed = Pick<Model<unknown>, "schema" | "collection"> | { createIndexes(): Promise<unknown> };

/** A migration of indexes: it builds those that are named now and not there. */
export const indexesOf =
  (...stores: readonly ((connection: Connection) => Indexed)[]): Migration["run"] =>
  async (connection) => {
    for (const store of stores) await createIndexes(store(connection));
  };

/** All of a model in one command, which reads a grown collection once; mongoose would take one command for each. */
async function createIndexes(store: Indexed): Promise<void> {
  if (!("schema" in store)) return void (await store.createIndexes());
  const indexes = store.schema
    .indexes()
    .map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
  if (indexes.length > 0) await store.collection.createIndexes(indexes);
}

async function takeLease(store: MigrationStore, leaseMs: number, report: Deps["report"]) {
  const holder = randomId();
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  let isWaiting = false;
  const take = async () => {
    if (!(await store.lease(holder, leaseMs))) throw new Busy();
  };
  await retry(take, {
    firstWaitMs: LOOK_EVERY_MS,
    isPassing: (error) => error instanceof Busy,
    onFault() {
      if (!isWaiting) report("waits for another run, or for the lease of one that was interrupted");
      isWaiting = true;
    },
  });
  const renewal = createPollLoop({
    lane: freeLane,
    everyMs: leaseMs / 3,
    round: take,
    onError(error) {
      if (error instanceof Busy) lost.reject(new Error("Another run has taken over: this one stood still."));
      else report(`The lease could not be renewed: ${String(error)}`);
    },
  });
  renewal.start();
  return {
    lost: lost.promise,
    async end() {
      await renewal.stop();
      await store.release(holder).catch(() => undefined);
    },
  };
}

function watchIndexBuilds(connection: Connection, report: Deps["report"]) {
  const progress = createPollLoop({
    lane: freeLane,
    everyMs: PROGRESS_EVERY_MS,
    round: async () => {
      for (const text of await describeIndexBuilds(connection)) report(text);
    },
    // It is only for the eye: a user that may not look migrates all the same.
    onError: () => undefined,
  });
  progress.start(PROGRESS_EVERY_MS);
  return progress;
}
