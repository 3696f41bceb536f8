import mongoose from "mongoose";
import { connect, type NatsConnection } from "nats";

type Client = mongoose.mongo.MongoClient;

export async function withMongo<T>(
  uri: string,
  work: (client: Client) => Promise<T>,
  options: mongoose.mongo.MongoClientOptions = {},
): Promise<T> {
  const client = new mongoose.mongo.MongoClient(uri, options);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

export async function withNats<T>(
  servers: string,
  work: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  const connection = await connect({ servers: servers.split(",") });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
