/** How many operations a database was asked for, whatever else the server does for others. */
import type { Connection } from "mongoose";

type Top = { totals: Record<string, { total?: { count: number } }> };

export async function operationsOn(
  connection: Connection,
  collections: readonly string[] | "all",
): Promise<number> {
  const { totals } = (await connection.getClient().db("admin").command({ top: 1 })) as unknown as Top;
  const isMeant = ([name]: [string, unknown]) =>
    collections === "all"
      ? name.startsWith(`${connection.name}.`)
      : collections.some((each) => name === `${connection.name}.${each}`);
  return Object.entries(totals)
    .filter(isMeant)
    .reduce((sum, [, { total }]) => sum + (total?.count ?? 0), 0);
}
