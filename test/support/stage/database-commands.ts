/** The commands of a call as they leave the driver: for deadlines and named indexes, which no answer shows. */
import mongoose from "mongoose";
import type { Mongo } from "../../../shared/mongo/mongo.ts";

const { BSON } = mongoose.mongo;

type Command = Record<string, unknown>;

/** In the order in which they left; of a database that openTestDatabase opened. */
export async function commandsOf(
  { connection }: Pick<Mongo, "connection">,
  act: () => Promise<unknown>,
): Promise<Command[]> {
  const commands: Command[] = [];
  const listener = ({ command }: { command: Command }) =>
    // As on the wire: the driver has Maps where the order of fields counts.
    void commands.push(BSON.deserialize(BSON.serialize(command, { ignoreUndefined: true })));
  const client = connection.getClient();
  client.on("commandStarted", listener);
  try {
    await act();
  } finally {
    client.off("commandStarted", listener);
  }
  return commands;
}
