/** A database of one test file, for what a repository's own query must guarantee. */
import type { ServiceName } from "../../../shared/config/config.ts";
import { createMongo, type Mongo } from "../../../shared/mongo/mongo.ts";
import { aTestNamespace, testServers } from "../servers/servers.ts";

export async function openTestDatabase(process: ServiceName): Promise<Mongo> {
  const { mongodbUri } = testServers();
  const mongo = createMongo({ mongodbUri, mongodbPoolSize: 5, namespace: aTestNamespace(), process });
  await mongo.connect();
  return mongo;
}
