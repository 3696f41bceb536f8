/** Configuration of each NATS server: nats.conf of the manifests, and the source of the chart's values. */

/** As in the manifests of deploy/k8s/nats. */
export const NATS = {
  namespace: "nats",
  service: "nats",
  headless: "nats-headless",
  servers: 3,
  ports: { client: 4222, routes: 6222, monitor: 8222 },
  tlsSecret: "nats-tls",
  accountsSecret: "nats-accounts",
  configDir: "/etc/nats-config",
  tlsDir: "/etc/nats-certs",
  accountsDir: "/etc/nats-accounts",
  dataDir: "/data",
  pidFile: "/var/run/nats/nats.pid",
  storage: { claim: "nats-js", size: "50Gi" },
  /** Less than the volume, so that JetStream refuses before the disk is full. */
  maxFileStoreGib: 40,
  /** A body of 1 MiB may grow when it is written again. A number: NATS takes "8MB" in quotes for text and exits. */
  maxPayload: 8 * 1024 ** 2,
  /** A busy machine shakes hands slowly. */
  tlsTimeoutSeconds: 10,
  /** Every acknowledged event is on disk; our rate is far below what that costs. */
  syncInterval: "always",
} as const;

const domain = `${NATS.headless}.${NATS.namespace}.svc.cluster.local`;

export const NATS_ROUTES = Array.from(
  { length: NATS.servers },
  (_, index) => `tls://${NATS.service}-${index}.${domain}:${NATS.ports.routes}`,
);

/** Names of its certificate: the address for clients, and each server for the others. */
export const NATS_NAMES = [
  `${NATS.service}.${NATS.namespace}.svc.cluster.local`,
  `${NATS.service}.${NATS.namespace}.svc`,
  `*.${domain}`,
];

/** Routes are checked in both directions; without the CA no server believes another. */
const tls = {
  cert_file: `${NATS.tlsDir}/tls.crt`,
  key_file: `${NATS.tlsDir}/tls.key`,
  ca_file: `${NATS.tlsDir}/ca.crt`,
  timeout: NATS.tlsTimeoutSeconds,
};

type Value = string | number | boolean | readonly string[] | { readonly [name: string]: Value };

/** The container's variable SERVER_NAME; a name in quotes would be taken as it is. */
const SERVER_NAME = "$SERVER_NAME";

const SERVER: Record<string, Value> = {
  server_name: SERVER_NAME,
  port: NATS.ports.client,
  http_port: NATS.ports.monitor,
  pid_file: NATS.pidFile,
  max_payload: NATS.maxPayload,
  lame_duck_grace_period: "10s",
  lame_duck_duration: "30s",
  tls,
  jetstream: {
    store_dir: NATS.dataDir,
    max_memory_store: 0,
    max_file_store: NATS.maxFileStoreGib * 1024 ** 3,
    sync_interval: NATS.syncInterval,
  },
};

const CLUSTER: Record<string, Value> = {
  cluster: {
    name: NATS.service,
    port: NATS.ports.routes,
    no_advertise: true,
    routes: NATS_ROUTES,
    tls,
  },
};

/** Accounts hold passwords, so they are a file of a secret; its path is read relative to this file. */
const confOf = (values: Record<string, Value>): string =>
  [
    "# Made by deploy/nats/server-config.ts.",
    ...block(values, ""),
    `include ../${NATS.accountsDir.replace("/etc/", "")}/accounts.conf`,
    "",
  ].join("\n");

export const natsConf = (): string => confOf({ ...SERVER, ...CLUSTER });

/** For development: a server that waits for no other. */
export const loneNatsConf = (): string => confOf(SERVER);

const block = (values: { readonly [name: string]: Value }, indent: string): string[] =>
  Object.entries(values).flatMap(([name, value]) => setting(name, value, indent));

function setting(name: string, value: Value, indent: string): string[] {
  if (Array.isArray(value))
    return [
      `${indent}${name}: [`,
      ...value.map((item) => `${indent}  ${JSON.stringify(item)}`),
      `${indent}]`,
    ];
  if (typeof value === "object")
    return [
      `${indent}${name} {`,
      ...block(value as { readonly [name: string]: Value }, `${indent}  `),
      `${indent}}`,
    ];
  return [`${indent}${name}: ${value === SERVER_NAME ? value : JSON.stringify(value)}`];
}
