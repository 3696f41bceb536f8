/** How the collections of a database are spread over shards, as data. */

export type ShardKey = Readonly<Record<string, 1 | "hashed">>;

/** By collection: its key, or why it stays whole on one shard. */
export type ShardTable = Readonly<Record<string, ShardKey | string>>;

export type Spread = { collection: string; key: ShardKey };

type Index = { key: Record<string, unknown>; partialFilterExpression?: unknown; sparse?: boolean };

export const spreadOf = (table: ShardTable): Spread[] =>
  Object.entries(table).flatMap(([collection, key]) =>
    typeof key === "string" ? [] : [{ collection, key }],
  );

/** As a person reads it. */
export const describeSpread = ({ collection, key }: Spread): string =>
  `shard ${collection} by ${Object.entries(key)
    .map(([field, kind]) => (kind === "hashed" ? `${field} (hashed)` : field))
    .join(", ")}`;

/** A collection with documents can be sharded only when a whole index begins with the key. */
export const leadsToShard = (key: ShardKey, indexes: readonly Index[]): boolean =>
  indexes.some((index) => !index.sparse && !index.partialFilterExpression && beginsWith(index.key, key));

function beginsWith(index: Record<string, unknown>, key: ShardKey): boolean {
  const fields = Object.entries(index);
  return Object.entries(key).every(
    ([field, kind], at) => fields[at]?.[0] === field && fields[at][1] === kind,
  );
}
