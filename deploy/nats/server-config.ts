/** Names of the NATS servers, as in the manifests of deploy/k8s/nats. */
export const NATS = {
  namespace: "nats",
  service: "nats",
  headless: "nats-headless",
  servers: 3,
  tlsSecret: "nats-tls",
  accountsSecret: "nats-accounts",
} as const;

const domain = `${NATS.headless}.${NATS.namespace}.svc.cluster.local`;

export const NATS_ROUTES = Array.from(
  { length: NATS.servers },
  (_, index) => `tls://${NATS.service}-${index}.${domain}:6222`,
);

/** Names of its certificate: the address for clients, and each server for the others. */
export const NATS_NAMES = [
  `${NATS.service}.${NATS.namespace}.svc.cluster.local`,
  `${NATS.service}.${NATS.namespace}.svc`,
  `*.${domain}`,
];
