/** The names under which the servers are reached in a cluster, as their certificates must have them. */
import { NATS_NAMES } from "../../nats/server-config.ts";

/** As the Percona operator names the members of deploy/mongodb/replica-set.yaml. */
const MONGODB_SET = "partner-onboarding-rs0";

export const SERVER_NAMES = {
  nats: NATS_NAMES,
  mongodb: [
    `${MONGODB_SET}.mongodb.svc.cluster.local`,
    `*.${MONGODB_SET}.mongodb.svc.cluster.local`,
    `${MONGODB_SET}.mongodb`,
    `*.${MONGODB_SET}.mongodb`,
    MONGODB_SET,
    `*.${MONGODB_SET}`,
  ],
  storage: ["storage.storage.svc.cluster.local", "storage.storage.svc"],
} as const satisfies Record<string, readonly string[]>;

/**
 * Members of MongoDB know each other by the organization of their certificates, and let in whoever has it as one of them:
 * theirs alone have one.
 */
export const ORGANIZATIONS: Partial<Record<keyof typeof SERVER_NAMES, string>> = {
  mongodb: "partner-onboarding-mongodb",
};

/** For people at a forwarded port, members that ask themselves, and tests. */
export const THIS_MACHINE = { names: ["localhost"], addresses: ["127.0.0.1", "::1"] };
