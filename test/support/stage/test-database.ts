/**
 * The database of a service, for what a repository's own query must guarantee; a namespace makes it that of a stage. Its
 * commands can be listened to (database-commands.ts).
 */
import type { ServiceName } from "../../../shared/config/config.ts";
import { createMongo, type Mongo } from "../../../shared/mongo/mongo.ts";
import { aTestNamespace, testServers } from "../servers/servers.ts";

export async function openTestDatabase(process: ServiceName, namespace = aTestNamespace()): Promise<Mongo> {
  const mongodbUri = `${testServers().mongodbUri}&monitorCommands=true`;
  const mongo = createMongo({ mongodbUri, mongodbPoolSize: 5, namespace, process });
  await mongo.connect();
  return mongo;
}
