/** The operator command that makes the users of MongoDB, as its administrator. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import mongoose from "mongoose";
import { retry } from "../../../shared/retry.ts";
import { prepareAuditTrails, prepareMongodb } from "../../lib/mongodb-users.ts";
import { type Command, type CommandInput, textOf } from "../command.ts";
import { auditDaysOf, clientOf, mongodbOptions } from "../mongodb-client.ts";
import { namespaceOf } from "../namespace-option.ts";

export const mongodbCommands: readonly Command[] = [
  {
    name: "mongodb prepare",
    automatic: true,
    summary:
      "Make or change the users of the services, their rights and the indexes and retention of their audit trails",
    options: {
      ...mongodbOptions,
      directory: {
        type: "string",
        required: true,
        value: "dir",
        help: "what `secrets new` wrote; <service>/mongodb-password has each password",
      },
      initiate: { type: "boolean", help: "make the set first, of these hosts" },
    },
    columns: [],
    example:
      "mongodb prepare --hosts localhost:27017 --user administrator --password-file password --directory secrets",
    run: async (input) => {
      if (input.options.initiate) await initiate(input);
      const client = clientOf(input);
      const directory = textOf(input, "directory");
      const passwordOf = (service: string) =>
        readFileSync(join(directory, service, "mongodb-password"), "utf8").trim();
      try {
        const namespace = namespaceOf(input);
        await prepareMongodb(client, passwordOf, namespace);
        await prepareAuditTrails(client, { namespace, retentionDays: auditDaysOf(input) });
      } finally {
        await client.close();
      }
      return "The users of all services are as this release needs them.";
    },
  },
];

/** Trying again would not help. */
const MADE = ["AlreadyInitialized", "InvalidReplicaSetConfig"];
/** A server that is just starting is waited for. */
const PATIENCE = { firstWaitMs: 500, withinMs: 60_000 };

async function initiate(input: CommandInput): Promise<void> {
  const hosts = textOf(input, "hosts").split(",");
  const members = hosts.map((host, _id) => ({ _id, host }));
  const client = clientOf(input, hosts[0] ?? "", { directConnection: true });
  const made = () =>
    client.db("admin").command({ replSetInitiate: { _id: textOf(input, "replica-set"), members } });
  try {
    await retry(made, { ...PATIENCE, isPassing: (error) => !MADE.includes(nameOf(error)) }).catch((error) => {
      if (nameOf(error) !== "AlreadyInitialized") throw error;
    });
  } finally {
    await client.close();
  }
}

const nameOf = (error: unknown): string =>
  error instanceof mongoose.mongo.MongoServerError ? (error.codeName ?? "") : "";
