/** Names of the servers in a cluster, which their certificates must contain. */
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

/** MongoDB accepts a certificate with its members' organization as a member, so no other certificate has one. */
export const ORGANIZATIONS: Partial<Record<keyof typeof SERVER_NAMES, string>> = {
  mongodb: "partner-onboarding-mongodb",
};

/** For people at a forwarded port, members that connect to themselves, and tests. */
export const THIS_MACHINE = { names: ["localhost"], addresses: ["127.0.0.1", "::1"] };
