/** Settings of the connection to MongoDB: one address, or its parts. */
import { type ProcessName, SERVICE_NAMES } from "./process-names.ts";
import { hosts, integer, text, url } from "./setting-kinds.ts";

const STORES: ProcessName[] = [...SERVICE_NAMES];

export const MONGODB_SETTINGS = {
  mongodbHosts: hosts(
    "PBO_MONGODB_HOSTS",
    "members of the MongoDB replica set, or its routers, host:port separated by commas; the address is made of them, user and password",
    { usedBy: STORES, default: "" },
  ),
  mongodbUser: text("PBO_MONGODB_USER", "MongoDB user of this service", {
    usedBy: STORES,
    default: "",
    secret: true,
  }),
  mongodbPassword: text(
    "PBO_MONGODB_PASSWORD",
    "password of the MongoDB user, as it is: nothing is escaped",
    {
      usedBy: STORES,
      default: "",
      secret: true,
    },
  ),
  mongodbReplicaSet: text("PBO_MONGODB_REPLICA_SET", "name of the replica set; empty behind routers", {
    usedBy: STORES,
    default: "",
  }),
  mongodbCaFile: text(
    "PBO_MONGODB_CA_FILE",
    "CA that signed MongoDB's certificates; empty means a public one. Production always speaks TLS",
    { usedBy: STORES, default: "" },
  ),
  mongodbUri: url(
    "PBO_MONGODB_URI",
    ["mongodb:", "mongodb+srv:"],
    "MongoDB replica set as one address, in place of PBO_MONGODB_HOSTS and what belongs to it",
    { usedBy: STORES, default: "", secret: true },
  ),
  mongodbPoolSize: integer("PBO_MONGODB_POOL_SIZE", 1, 500, "connections a process keeps to MongoDB", {
    usedBy: STORES,
    default: "50",
  }),
} as const;
