/** The users of MongoDB: each service's own, with the rights that it needs and no other. */
import type { mongo } from "mongoose";
import { SERVICE_NAMES, type ServiceName } from "../../shared/config/config.ts";
import { databaseName } from "../../shared/mongo/mongo.ts";
import { AUDIT_ENTRIES } from "../../shared/stores/audit-trail.repository.ts";

const SECONDS_A_DAY = 86_400;

type Role = { role: string; db: string };

/** Services with an audit trail. */
const AUDITED: readonly ServiceName[] = ["auth-token", "profile", "webhook-registry", "delivery"];

const auditDatabase = (service: ServiceName, namespace: string): string =>
  `${databaseName(namespace, service)}_audit`;

/**
 * A service can read and add entries of its audit trail, but cannot change or remove one. It cannot create an index either,
 * because an index that expires entries would remove them.
 */
export const mongodbRoles = (namespace = "") =>
  AUDITED.map((service) => ({
    role: `audit-${service}`,
    privileges: [
      { resource: { db: auditDatabase(service, namespace), collection: "" }, actions: ["find", "insert"] },
    ],
    roles: [],
  }));

export const mongodbUsers = (namespace = ""): { name: ServiceName; roles: Role[] }[] =>
  SERVICE_NAMES.map((name) => ({
    name,
    roles: [
      { role: "readWrite", db: databaseName(namespace, name) },
      ...(AUDITED.includes(name) ? [{ role: `audit-${name}`, db: "admin" }] : []),
    ],
  }));

/** Creates or changes roles and users. It may be run again, also with new passwords. */
export async function prepareMongodb(
  client: mongo.MongoClient,
  passwordOf: (service: ServiceName) => string,
  namespace = "",
): Promise<void> {
  const admin = client.db("admin");
  for (const { role, ...rest } of mongodbRoles(namespace)) {
    const { roles } = await admin.command({ rolesInfo: role });
    await admin.command(roles.length > 0 ? { updateRole: role, ...rest } : { createRole: role, ...rest });
  }
  for (const { name, roles } of mongodbUsers(namespace)) {
    const { users } = await admin.command({ usersInfo: name });
    const rest = { pwd: passwordOf(name), roles };
    await admin.command(users.length > 0 ? { updateUser: name, ...rest } : { createUser: name, ...rest });
  }
}

/** Indexes and retention of the audit trails, as an administrator. May be run again, also with another retention. */
export async function prepareAuditTrails(
  client: mongo.MongoClient,
  { namespace = "", retentionDays }: { namespace?: string; retentionDays: number },
): Promise<void> {
  const expireAfterSeconds = retentionDays * SECONDS_A_DAY;
  for (const service of AUDITED) {
    const database = client.db(auditDatabase(service, namespace));
    const entries = database.collection(AUDIT_ENTRIES.name);
    await entries.createIndexes(AUDIT_ENTRIES.indexes as mongo.IndexDescription[]);
    const index = { keyPattern: { at: 1 }, expireAfterSeconds };
    await entries.createIndex(index.keyPattern as { at: 1 }, { expireAfterSeconds }).catch((error) => {
      if (error.codeName !== "IndexOptionsConflict") throw error;
      return database.command({ collMod: AUDIT_ENTRIES.name, index });
    });
  }
}
