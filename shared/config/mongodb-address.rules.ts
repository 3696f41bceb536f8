/** The address of MongoDB: as it is given, or made of hosts, user and password, which may hold any character. */
import type { SettingValues } from "./settings.ts";

export type MongodbParts = Pick<SettingValues, "env" | Extract<keyof SettingValues, `mongodb${string}`>>;

export function mongodbAddress(parts: MongodbParts): string {
  const { mongodbUri, mongodbHosts, mongodbUser, mongodbPassword } = parts;
  if (mongodbHosts.length === 0) return mongodbUri;
  const login = mongodbUser
    ? `${encodeURIComponent(mongodbUser)}:${encodeURIComponent(mongodbPassword)}@`
    : "";
  const isSecured = parts.env === "production" || parts.mongodbCaFile !== "";
  const options = {
    ...(mongodbUser ? { authSource: "admin" } : {}),
    ...(parts.mongodbReplicaSet ? { replicaSet: parts.mongodbReplicaSet } : {}),
    ...(isSecured ? { tls: "true" } : {}),
    ...(parts.mongodbCaFile ? { tlsCAFile: parts.mongodbCaFile } : {}),
  };
  const query = Object.entries(options).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `mongodb://${login}${mongodbHosts.join(",")}/?${query.join("&")}`;
}

export function mongodbAddressProblems(parts: MongodbParts): string[] {
  const { mongodbUri, mongodbHosts, mongodbUser, mongodbPassword } = parts;
  if (mongodbUri && mongodbHosts.length > 0)
    return ["PBO_MONGODB_URI and PBO_MONGODB_HOSTS are both set; keep one"];
  if (mongodbUri) return [];
  if (mongodbHosts.length === 0)
    return ["PBO_MONGODB_URI is required, or PBO_MONGODB_HOSTS with a user: MongoDB replica set"];
  const hasLogin = mongodbUser !== "" && mongodbPassword !== "";
  const isWanted = parts.env === "production" || mongodbUser !== "" || mongodbPassword !== "";
  return isWanted && !hasLogin
    ? ["PBO_MONGODB_USER and PBO_MONGODB_PASSWORD are required with PBO_MONGODB_HOSTS"]
    : [];
}
