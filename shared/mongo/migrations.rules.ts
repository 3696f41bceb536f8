/** Which migrations a database has had, and which it still needs. */

export type Numbered = { number: number; name: string };

/** As a database keeps it; not ended while it is under way, or when it was interrupted. */
export type MigrationRecord = Numbered & { startedAt: Date; endedAt: Date | null };

type MigrationState = "done" | "to do" | "begun" | "of a newer release";

export type PlannedMigration = Numbered & { state: MigrationState };

/** Every migration of this release, then those that a newer release has made. */
export function planOf(
  migrations: readonly Numbered[],
  records: readonly MigrationRecord[],
): PlannedMigration[] {
  const recorded = new Map(records.map((record) => [record.number, record]));
  const known = new Set(migrations.map(({ number }) => number));
  return [
    ...migrations.map(({ number, name }) => ({ number, name, state: stateOf(recorded.get(number)) })),
    ...records
      .filter(({ number }) => !known.has(number))
      .map(({ number, name }) => ({ number, name, state: "of a newer release" as const })),
  ];
}

const stateOf = (record: MigrationRecord | undefined): MigrationState => {
  if (!record) return "to do";
  return record.endedAt ? "done" : "begun";
};

/** One that was begun is run again from its beginning: each can be. */
export const isPending = ({ state }: PlannedMigration): boolean => state === "to do" || state === "begun";

/** Null when a service of this release can work on the database, also when that is ahead of it. */
export function migrationProblem(
  database: string,
  migrations: readonly Numbered[],
  records: readonly MigrationRecord[],
): string | null {
  const pending = planOf(migrations, records).filter(isPending);
  if (pending.length === 0) return null;
  const missing = pending.map(({ number, name }) => `${number} (${name})`).join(", ");
  return `The database ${database} has not had migration ${missing}: run \`npm run admin -- migrate\` first.`;
}
