/**
 * The database of a service, for what a repository's own query must guarantee; a namespace makes it that of a stage. Its
 * commands can be listened to (database-commands.ts).
 */
import type { Connection, mongo as driver } from "mongoose";
import type { ServiceName } from "../../../shared/config/config.ts";
import { createMongo, type Mongo } from "../../../shared/mongo/mongo.ts";
import { aTestNamespace, testServers } from "../servers/servers.ts";

export async function openTestDatabase(process: ServiceName, namespace = aTestNamespace()): Promise<Mongo> {
  const mongodbUri = `${testServers().mongodbUri}&monitorCommands=true`;
  const mongo = createMongo({ mongodbUri, mongodbPoolSize: 5, namespace, process });
  await mongo.connect();
  return mongo;
}

/** For a test's own bulk work, however slow the machine: what the product asks has a deadline. */
export function withoutDeadline(connection: Connection, collection: string): driver.Collection {
  return connection.getClient().db(connection.name).collection(collection);
}
