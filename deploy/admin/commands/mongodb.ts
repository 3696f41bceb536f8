/** The operator command that makes the users of MongoDB, as its administrator. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import mongoose from "mongoose";
import { retry } from "../../../shared/retry.ts";
import { prepareMongodb } from "../../lib/mongodb-users.ts";
import { type Command, type CommandInput, textOf } from "../command.ts";
import { namespaceOf, namespaceOption } from "../namespace-option.ts";

const required = (value: string, help: string) => ({ type: "string", required: true, value, help }) as const;

export const mongodbCommands: readonly Command[] = [
  {
    name: "mongodb prepare",
    automatic: true,
    summary: "Make or change the users of the services, their rights and the indexes of their audit trails",
    options: {
      hosts: required("host:port,…", "members of the replica set, or its routers"),
      user: required("name", "an administrator of MongoDB"),
      "password-file": required("file", "the administrator's password"),
      directory: required("dir", "what `secrets new` wrote; <service>/mongodb-password has each password"),
      "replica-set": { type: "string", value: "name", help: "name of the set; not behind routers" },
      "ca-file": { type: "string", value: "file", help: "CA of MongoDB's certificates, unless a public one" },
      initiate: { type: "boolean", help: "make the set first, of these hosts" },
      ...namespaceOption,
    },
    columns: [],
    example:
      "mongodb prepare --hosts localhost:27017 --user administrator --password-file password --directory secrets",
    run: async (input) => {
      if (input.options.initiate) await initiate(input);
      const set = textOf(input, "replica-set");
      const client = clientOf(input, textOf(input, "hosts"), set ? { replicaSet: set } : {});
      const directory = textOf(input, "directory");
      const passwordOf = (service: string) =>
        readFileSync(join(directory, service, "mongodb-password"), "utf8").trim();
      try {
        await prepareMongodb(client, passwordOf, namespaceOf(input));
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

function clientOf(input: CommandInput, hosts: string, options: mongoose.mongo.MongoClientOptions) {
  const caFile = textOf(input, "ca-file");
  return new mongoose.mongo.MongoClient(`mongodb://${hosts}/`, {
    auth: {
      username: textOf(input, "user"),
      password: readFileSync(textOf(input, "password-file"), "utf8").trim(),
    },
    tls: true,
    ...(caFile ? { tlsCAFile: caFile } : {}),
    ...options,
  });
}
