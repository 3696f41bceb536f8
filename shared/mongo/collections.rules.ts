/** Declared collections as data, and how the indexes of a database differ from them. */

export type ShardKey = Readonly<Record<string, 1 | "hashed">>;

export type DeclaredIndex = Readonly<{
  key: Readonly<Record<string, 1 | -1>>;
  /** By default the fields with their directions. */
  name?: string;
  unique?: true;
  sparse?: true;
  partialFilterExpression?: Readonly<Record<string, unknown>>;
  expireAfterSeconds?: number;
}>;

type Row = {
  /** Behind mongos: the shard key, or why the collection stays on one shard. */
  shards: ShardKey | string;
  indexes?: readonly DeclaredIndex[];
  /** Lies in the audit database, where a service may not create an index. */
  isAudit?: boolean;
};

export type DeclaredCollection<T extends object = object> = Required<Row> & {
  name: string;
  /** The type of its documents, for the compiler alone. */
  document?: T;
};

export type CollectionTable = Readonly<Record<string, DeclaredCollection>>;

export const collection = <T extends object>(name: string, row: Row): DeclaredCollection<T> => ({
  name,
  indexes: [],
  isAudit: false,
  ...row,
});

export type NamedIndex = DeclaredIndex & { name: string };
export type ActualIndex = { name: string; key: Readonly<Record<string, unknown>> } & Readonly<
  Partial<Record<keyof DeclaredIndex, unknown>>
>;

export type IndexDifferences = ReturnType<typeof indexDifferences>;

const SETTINGS = ["key", "unique", "sparse", "partialFilterExpression", "expireAfterSeconds"] as const;

export function indexDifferences(
  { name: collectionName, indexes, shards }: DeclaredCollection,
  actual: readonly ActualIndex[],
) {
  const missing: NamedIndex[] = [];
  /** The server changes an expiry in place. */
  const expiries: NamedIndex[] = [];
  const conflicts: string[] = [];
  const others = new Map(actual.map((index) => [index.name, index]));
  for (const wanted of indexes.map(named)) {
    const found = others.get(wanted.name);
    others.delete(wanted.name);
    if (!found) {
      missing.push(wanted);
      continue;
    }
    const changed = SETTINGS.filter((setting) => !same(wanted[setting], found[setting]));
    if (changed.length === 0) continue;
    if (changed.every((setting) => setting === "expireAfterSeconds") && expires(wanted) && expires(found))
      expiries.push(wanted);
    else
      conflicts.push(
        `Index ${wanted.name} of ${collectionName} exists with another ${changed.join(", ")}. ` +
          "Give the new index a name of its own, or drop the old one by hand.",
      );
  }
  const isExpected = ({ name, key }: ActualIndex): boolean => name === "_id_" || same(key, shards);
  const surplus = [...others.values()].filter((index) => !isExpected(index)).map(({ name }) => name);
  return { missing, expiries, conflicts, surplus };
}

export const named = (index: DeclaredIndex): NamedIndex => ({
  name: Object.entries(index.key).flat().join("_"),
  ...index,
});

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const expires = ({ expireAfterSeconds }: ActualIndex | NamedIndex): boolean =>
  typeof expireAfterSeconds === "number";

/** A collection with documents can be sharded only when a complete index begins with the key. */
export const leadsToShard = (shardKey: ShardKey, indexes: readonly ActualIndex[]): boolean =>
  indexes.some(({ key, sparse, partialFilterExpression }) => {
    const fields = Object.entries(key).slice(0, Object.keys(shardKey).length);
    return !sparse && !partialFilterExpression && same(fields, Object.entries(shardKey));
  });

export const describeShardKey = (key: ShardKey): string =>
  Object.entries(key)
    .map(([field, kind]) => (kind === "hashed" ? `${field} (hashed)` : field))
    .join(", ");
