/**
 * The database of a service, for what a repository's own query must guarantee; a namespace makes it that of a stage. Its
 * commands can be listened to (database-commands.ts).
 */
import { afterAll, beforeAll } from "@jest/globals";
import type { Connection, mongo as driver } from "mongoose";
import type { ServiceName } from "../../../shared/config/config.ts";
import type { CollectionTable } from "../../../shared/mongo/collections.rules.ts";
import { ensureCollections } from "../../../shared/mongo/ensure-collections.ts";
import { createMongo, type Mongo } from "../../../shared/mongo/mongo.ts";
import { aTestNamespace, testServers } from "../servers/servers.ts";

export async function openTestDatabase(process: ServiceName, namespace?: string): Promise<Mongo> {
  const mongo = testDatabase(process, namespace);
  await mongo.connect();
  return mongo;
}

/** For all tests of a file, with these collections. Repositories can be made of it before it is connected. */
export function databaseOfFile(process: ServiceName, table: CollectionTable = {}): Mongo {
  const mongo = testDatabase(process);
  beforeAll(async () => {
    await mongo.connect();
    await ensureCollections({ connection: mongo.connection, table });
  });
  afterAll(() => mongo.close());
  return mongo;
}

function testDatabase(process: ServiceName, namespace = aTestNamespace()): Mongo {
  const mongodbUri = `${testServers().mongodbUri}&monitorCommands=true`;
  return createMongo({ mongodbUri, mongodbPoolSize: 5, namespace, process });
}

/** For a test's own bulk work, however slow the machine: what the product asks has a deadline. */
export function withoutDeadline(connection: Connection, collection: string): driver.Collection {
  return connection.getClient().db(connection.name).collection(collection);
}
