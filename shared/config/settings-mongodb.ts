/** Settings of the connection to MongoDB: one address, or its parts. */
import { type ProcessName, SERVICE_NAMES } from "./process-names.ts";
import { hosts, integer, text, url } from "./setting-kinds.ts";

const STORES: ProcessName[] = [...SERVICE_NAMES];

export const MONGODB_SETTINGS = {
  mongodbHosts: hosts("PBO_MONGODB_HOSTS", "members or routers, host:port separated by commas", {
    usedBy: STORES,
    default: "",
  }),
  mongodbUser: text("PBO_MONGODB_USER", "MongoDB user of this service", {
    usedBy: STORES,
    default: "",
    secret: true,
  }),
  mongodbPassword: text("PBO_MONGODB_PASSWORD", "its password, not escaped", {
    usedBy: STORES,
    default: "",
    secret: true,
  }),
  mongodbReplicaSet: text("PBO_MONGODB_REPLICA_SET", "name of the replica set; empty behind routers", {
    usedBy: STORES,
    default: "",
  }),
  mongodbCaFile: text("PBO_MONGODB_CA_FILE", "CA of MongoDB; empty means a public CA", {
    usedBy: STORES,
    default: "",
  }),
  mongodbUri: url(
    "PBO_MONGODB_URI",
    ["mongodb:", "mongodb+srv:"],
    "one address in place of PBO_MONGODB_HOSTS, user and password",
    { usedBy: STORES, default: "", secret: true },
  ),
  mongodbPoolSize: integer("PBO_MONGODB_POOL_SIZE", 1, 500, "connections per process", {
    usedBy: STORES,
    default: "50",
  }),
} as const;
