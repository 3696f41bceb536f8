/** Progress of the index builds of a database, as its server reports it. */
import type { Connection } from "mongoose";

type Build = { ns: string; msg?: string; progress?: { done: number; total: number } };

export async function describeIndexBuilds(connection: Connection): Promise<string[]> {
  const operations = connection
    .getClient()
    .db("admin")
    .aggregate<Build>(
      [
        { $currentOp: { allUsers: true } },
        // The thread that builds; the command waits for it.
        { $match: { msg: /^Index Build/, ns: { $gte: `${connection.name}.`, $lt: `${connection.name}/` } } },
        { $project: { ns: 1, msg: 1, progress: 1 } },
      ],
      // Operations are those of one server, which has no majority.
      { readConcern: { level: "local" } },
    );
  return (await operations.toArray()).flatMap(({ ns, msg, progress }) =>
    progress ? [`${ns}: ${msg ?? "index build"} (${progress.done} of ${progress.total})`] : [],
  );
}
