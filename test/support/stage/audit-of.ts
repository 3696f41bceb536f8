/** The audit trail of a service, as its database has it, and a way to make it refuse entries. */
import type { ServiceBroker } from "moleculer";
import type { AuditEntry } from "../../../shared/contract/answers/audit.ts";
import { serviceRuntimeOf } from "../../../shared/moleculer/service.ts";

export type StoredAudit = Omit<AuditEntry, "id" | "at"> & { _id: string; at: Date };

export function auditOf(broker: ServiceBroker) {
  const { connection } = serviceRuntimeOf(broker).mongo;
  const database = () => connection.getClient().db(`${connection.name}_audit`);
  const validate = (validator: object) =>
    database().command({ collMod: "audit_entries", validator, validationAction: "error" });
  return {
    /** Oldest first, without their chain. */
    entries: (filter: object = {}) =>
      database()
        .collection<StoredAudit>("audit_entries")
        .find(filter, { projection: { chain: 0 } })
        .sort({ _id: 1 })
        .toArray(),
    /** While it runs, no entry can be written. */
    async refusing<T>(work: () => Promise<T>): Promise<T> {
      await validate({ nobody: { $exists: true } });
      try {
        return await work();
      } finally {
        await validate({});
      }
    },
  };
}
