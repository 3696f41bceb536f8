/** The options of commands that an administrator of MongoDB runs, and the connection they make. */
import { readFileSync } from "node:fs";
import mongoose from "mongoose";
import { processEnv, SETTINGS } from "../../shared/config/config.ts";
import { type CommandInput, textOf } from "./command.ts";
import { namespaceOption } from "./namespace-option.ts";
import { UsageError } from "./usage-error.ts";

const required = (value: string, help: string) => ({ type: "string", required: true, value, help }) as const;

export const mongodbOptions = {
  hosts: required("host:port,…", "members of the replica set, or its routers"),
  user: required("name", "an administrator of MongoDB"),
  "password-file": required("file", "the administrator's password"),
  "replica-set": { type: "string", value: "name", help: "name of the set; not behind routers" },
  "ca-file": { type: "string", value: "file", help: "CA of MongoDB's certificates, unless a public one" },
  "audit-days": {
    type: "string",
    value: "days",
    help: "how long entries of the audit trails are kept (PBO_AUDIT_RETENTION_DAYS, or 1827)",
  },
  ...namespaceOption,
} as const;

export function clientOf(
  input: CommandInput,
  hosts = textOf(input, "hosts"),
  options: mongoose.mongo.MongoClientOptions = ofSet(input),
) {
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

function ofSet(input: CommandInput): mongoose.mongo.MongoClientOptions {
  const set = textOf(input, "replica-set");
  return set ? { replicaSet: set } : {};
}

/** As the services have it, which compare the trails with it. */
export function auditDaysOf(input: CommandInput): number {
  const { env, parse, default: usual } = SETTINGS.auditRetentionDays;
  const parsed = parse(textOf(input, "audit-days") || processEnv()[env] || (usual ?? ""));
  if ("value" in parsed) return parsed.value;
  throw new UsageError(`--audit-days ${parsed.problem}.`);
}
