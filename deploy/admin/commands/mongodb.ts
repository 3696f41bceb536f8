/** Operator commands that an administrator of MongoDB runs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import mongoose from "mongoose";
import { processEnv, SETTINGS } from "../../../shared/config/config.ts";
import { retry } from "../../../shared/retry.ts";
import { prepareAuditTrails, prepareMongodb } from "../../lib/mongodb-users.ts";
import {
  type Command,
  type CommandInput,
  fileOf,
  flag,
  namespaceOf,
  namespaceOption,
  optional,
  required,
  textOf,
  UsageError,
} from "../command.ts";

const options = {
  hosts: required("host:port,…", "members of the replica set, or its routers"),
  user: required("name", "an administrator of MongoDB"),
  "password-file": required("file", "the administrator's password"),
  "replica-set": optional("name", "name of the set; not behind routers"),
  "ca-file": optional("file", "CA of MongoDB's certificates, unless a public one"),
  "audit-days": optional(
    "days",
    "how long entries of the audit trails are kept (PBO_AUDIT_RETENTION_DAYS, or 1827)",
  ),
  ...namespaceOption,
};
const example = "prepare --hosts localhost:27017 --user administrator --password-file password";

export const mongodbCommands: readonly Command[] = [
  {
    name: "audit prepare",
    anonymous: true,
    summary: "Create the indexes of the audit trails and set how long entries are kept, as an administrator",
    options,
    example: `audit ${example} --audit-days 1827`,
    run: (input) =>
      asAdministrator(input, async (client) => {
        const retentionDays = auditDaysOf(input);
        await prepareAuditTrails(client, { namespace: namespaceOf(input), retentionDays });
        return `Entries of the audit trails are kept for ${retentionDays} days.`;
      }),
  },
  {
    name: "mongodb prepare",
    anonymous: true,
    summary:
      "Create or change the users of the services, their rights and the indexes and retention of their audit trails",
    options: {
      ...options,
      directory: required("dir", "output of `secrets new`; <service>/mongodb-password has each password"),
      initiate: flag("first create the replica set from these hosts"),
    },
    example: `mongodb ${example} --directory secrets`,
    run: async (input) => {
      if (input.options.initiate) await initiate(input);
      const passwordOf = (service: string) =>
        readFileSync(join(textOf(input, "directory"), service, "mongodb-password"), "utf8").trim();
      return asAdministrator(input, async (client) => {
        const namespace = namespaceOf(input);
        await prepareMongodb(client, passwordOf, namespace);
        await prepareAuditTrails(client, { namespace, retentionDays: auditDaysOf(input) });
        return "The users of all services are as this release needs them.";
      });
    },
  },
];

async function asAdministrator(
  input: CommandInput,
  work: (client: mongoose.mongo.MongoClient) => Promise<string>,
  hosts = textOf(input, "hosts"),
  setOptions: mongoose.mongo.MongoClientOptions = ofSet(input),
): Promise<string> {
  const caFile = textOf(input, "ca-file");
  const client = new mongoose.mongo.MongoClient(`mongodb://${hosts}/`, {
    auth: { username: textOf(input, "user"), password: fileOf(input, "password-file").trim() },
    tls: true,
    ...(caFile ? { tlsCAFile: caFile } : {}),
    ...setOptions,
  });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

function ofSet(input: CommandInput): mongoose.mongo.MongoClientOptions {
  const set = textOf(input, "replica-set");
  return set ? { replicaSet: set } : {};
}

/** As the services have it, which compare the trails with it. */
function auditDaysOf(input: CommandInput): number {
  const { env, parse, default: usual } = SETTINGS.auditRetentionDays;
  const parsed = parse(textOf(input, "audit-days") || processEnv()[env] || (usual ?? ""));
  if ("value" in parsed) return parsed.value;
  throw new UsageError(`--audit-days ${parsed.problem}.`);
}

/** Errors that another try would not change. */
const FINAL = ["AlreadyInitialized", "InvalidReplicaSetConfig"];
/** For a server that is just starting. */
const PATIENCE = { firstWaitMs: 500, withinMs: 60_000 };

async function initiate(input: CommandInput): Promise<void> {
  const hosts = textOf(input, "hosts").split(",");
  const members = hosts.map((host, _id) => ({ _id, host }));
  const replSetInitiate = { _id: textOf(input, "replica-set"), members };
  const initiated = async (client: mongoose.mongo.MongoClient) => {
    const command = () => client.db("admin").command({ replSetInitiate });
    await retry(command, { ...PATIENCE, isPassing: (error) => !FINAL.includes(nameOf(error)) });
    return "";
  };
  await asAdministrator(input, initiated, hosts[0], { directConnection: true }).catch((error) => {
    if (nameOf(error) !== "AlreadyInitialized") throw error;
  });
}

const nameOf = (error: unknown): string =>
  error instanceof mongoose.mongo.MongoServerError ? (error.codeName ?? "") : "";
