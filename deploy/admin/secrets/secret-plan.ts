/** The Secrets of an installation, and the store's entry for each file in them, derived from the secret settings. */
import { type ProcessName, SERVICE_NAMES, SETTINGS, type Setting } from "../../../shared/config/config.ts";
import { MIGRATION_USER, NATS_PEOPLE, NATS_USERS, PROCESSES } from "../../nats/permissions.ts";
import { NATS } from "../../nats/server-config.ts";

export type SecretPlan = {
  namespace: string;
  name: string;
  /** Readers expect a certificate and its key. */
  isTls?: true;
  /** From the name of a file in the Secret to its entry. */
  files: Readonly<Record<string, string>>;
};

const APP_NAMESPACE = "partner-onboarding";
const MONGODB_NAMESPACE = "mongodb";
const STORAGE_NAMESPACE = "storage";

const ROWS: readonly Setting<unknown>[] = Object.values(SETTINGS);
/** Given as its parts. */
const NOT_NEEDED: readonly string[] = [SETTINGS.mongodbUri.env];
/** Entries that several processes share. */
const SHARED: readonly string[] = [
  SETTINGS.gatewayPublicKeys.env,
  ...ROWS.filter((row) => row.ownersOnly).map((row) => row.env),
];

/** PBO_TOKEN_KEYS is the file token-keys. */
const fileOf = (env: string): string => env.replace("PBO_", "").toLowerCase().replaceAll("_", "-");

const secretRowsOf = (process: ProcessName): readonly Setting<unknown>[] =>
  ROWS.filter(
    ({ env, secret, usedBy }) =>
      secret && !NOT_NEEDED.includes(env) && (usedBy === "all" || usedBy.includes(process)),
  );

/** Each file from the entry of the same name in a folder of the store. */
const filesIn = (folder: string, names: readonly string[]): SecretPlan["files"] =>
  Object.fromEntries(names.map((name) => [name, `${folder}/${name}`]));

const processSecret = (process: ProcessName): SecretPlan => ({
  namespace: APP_NAMESPACE,
  name: process,
  files: Object.fromEntries(
    secretRowsOf(process).map(({ env }) => [
      fileOf(env),
      SHARED.includes(env) ? fileOf(env) : `${process}/${fileOf(env)}`,
    ]),
  ),
});

export const PROCESS_SECRETS: readonly SecretPlan[] = [
  ...PROCESSES.map(processSecret),
  {
    namespace: APP_NAMESPACE,
    name: MIGRATION_USER,
    files: filesIn(MIGRATION_USER, ["nats-user", "nats-password"]),
  },
];

export const SERVERS = ["nats", "mongodb", "storage"] as const;

/** CAs of the servers, a Secret each, so that a missing CA stops its users only. */
export const CA_SECRETS: readonly SecretPlan[] = SERVERS.map((server) => ({
  namespace: APP_NAMESPACE,
  name: `ca-${server}`,
  files: { "ca.crt": `ca/${server}` },
}));

/** The accounts of NATS, and the passwords of MongoDB's users. */
export const SERVER_SECRETS: readonly [SecretPlan, SecretPlan] = [
  { namespace: NATS.namespace, name: NATS.accountsSecret, files: { "accounts.conf": "nats/accounts.conf" } },
  {
    namespace: MONGODB_NAMESPACE,
    name: "mongodb-users",
    files: {
      ...Object.fromEntries(SERVICE_NAMES.map((name) => [name, `${name}/mongodb-password`])),
      exporter: "mongodb/exporter-password",
    },
  },
];

const NATS_USER_SECRETS: readonly SecretPlan[] = [
  // Hashes, from which the accounts are recreated.
  { namespace: NATS.namespace, name: "nats-users", files: filesIn("nats/users", NATS_USERS) },
  // Passwords for people and for storage; every process has its own password in its own Secret.
  { namespace: NATS.namespace, name: "nats-people", files: filesIn("nats/people", NATS_PEOPLE) },
];

const tlsSecret = (namespace: string, name: string, server: (typeof SERVERS)[number]): SecretPlan => ({
  namespace,
  name,
  isTls: true,
  files: { "tls.crt": `tls/${server}.crt`, "tls.key": `tls/${server}.key`, "ca.crt": `ca/${server}` },
});

/** For development; elsewhere cert-manager creates these Secrets. */
const TLS_SECRETS: readonly SecretPlan[] = [
  tlsSecret(NATS.namespace, NATS.tlsSecret, "nats"),
  tlsSecret(MONGODB_NAMESPACE, "mongodb-tls", "mongodb"),
  tlsSecret(MONGODB_NAMESPACE, "mongodb-tls-internal", "mongodb"),
  tlsSecret(STORAGE_NAMESPACE, "storage-tls", "storage"),
];

/** For the servers of deploy/k8s/overlays/dev. */
const DEVELOPMENT_SECRETS: readonly SecretPlan[] = [
  {
    namespace: MONGODB_NAMESPACE,
    name: "mongodb-server",
    files: {
      "server.pem": "tls/mongodb.pem",
      "ca.crt": "ca/mongodb",
      "key-file": "mongodb/key-file",
      password: "mongodb/administrator-password",
    },
  },
  {
    namespace: STORAGE_NAMESPACE,
    name: "storage-server",
    files: {
      "s3-access-key-id": "document/s3-access-key-id",
      "s3-secret-access-key": "document/s3-secret-access-key",
    },
  },
];

export const secretPlans = ({ withCertificates }: { withCertificates: boolean }): readonly SecretPlan[] => [
  ...PROCESS_SECRETS,
  ...SERVER_SECRETS,
  ...NATS_USER_SECRETS,
  ...(withCertificates ? [...CA_SECRETS, ...TLS_SECRETS, ...DEVELOPMENT_SECRETS] : []),
];
