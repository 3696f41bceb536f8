/** Creates every secret of a new installation, by the names of the entries in the store. */
import { randomBytes } from "node:crypto";
import type { Authority } from "../../lib/certificates.ts";
import { newGatewayKeys } from "../../lib/gateway-keys.ts";
import { hashedPasswords } from "../../nats/password-hashes.ts";
import { accountsConfig, NATS_PEOPLE, NATS_USERS, streamsUser } from "../../nats/permissions.ts";
import { SERVERS, secretPlans } from "./secret-plan.ts";
import { ORGANIZATIONS, SERVER_NAMES, THIS_MACHINE } from "./server-names.ts";

export type Entries = ReadonlyMap<string, string>;

type Options = {
  /** PBO_NAMESPACE of the installation, which is part of NATS subjects. */
  namespace: string;
  /** Signs the servers' certificates; null if another tool creates them. */
  authority: Authority | null;
};

/** Hexadecimal needs no quotes in an address, a shell or a configuration file. */
export const newPassword = (): string => randomBytes(32).toString("hex");

const newFieldKey = (): string => `k1:${randomBytes(32).toString("base64")}`;

export async function newSecrets({ namespace, authority }: Options): Promise<Entries> {
  const users = new Map(NATS_USERS.map((user) => [user, newPassword()]));
  const hashes = await hashedPasswords(users);
  const certificates = authority ? await newCertificates(authority) : new Map<string, string>();
  const made = new Map([
    ...sharedKeys(),
    ...[...hashes].map(([user, hash]): [string, string] => [`nats/users/${user}`, hash]),
    ...NATS_PEOPLE.map((user): [string, string] => [`nats/people/${user}`, users.get(user) ?? ""]),
    ["nats/accounts.conf", await accountsConfig(hashes, namespace)],
    ...certificates,
  ]);
  const wanted = secretPlans({ withCertificates: authority !== null }).flatMap(({ files }) =>
    Object.values(files),
  );
  return new Map(wanted.map((entry) => [entry, made.get(entry) ?? ownSecret(entry, users)]));
}

function sharedKeys(): [string, string][] {
  const { privateKey, publicKey } = newGatewayKeys();
  return [
    ["gateway-private-key", privateKey],
    ["gateway-public-keys", publicKey],
    ["identity-keys", newFieldKey()],
    ["token-keys", newFieldKey()],
    ["webhook-keys", newFieldKey()],
  ];
}

/** Secrets of a single process. */
const OWN_SECRETS: Record<string, (process: string, users: Entries) => string | undefined> = {
  "nats-user": (process) => process,
  "nats-password": (process, users) => users.get(process),
  "nats-streams-user": (process) => streamsUser(process),
  "nats-streams-password": (process, users) => users.get(streamsUser(process)),
  "mongodb-user": (process) => process,
  "mongodb-password": newPassword,
  "storage-notice-secret": newPassword,
  "key-file": newPassword,
  "administrator-password": newPassword,
  "exporter-password": newPassword,
  // As long as those of AWS.
  "s3-access-key-id": () => randomBytes(10).toString("hex").toUpperCase(),
  "s3-secret-access-key": () => randomBytes(20).toString("hex"),
};

function ownSecret(entry: string, users: Entries): string {
  const [process = "", file = ""] = entry.split("/");
  const secret = OWN_SECRETS[file]?.(process, users);
  if (!secret) throw new Error(`The secret ${entry} has no source.`);
  return secret;
}

async function newCertificates({ caPem, issue }: Authority): Promise<Map<string, string>> {
  const entries = new Map<string, string>();
  for (const server of SERVERS) {
    const { cert, key } = await issue({
      ...THIS_MACHINE,
      names: [...SERVER_NAMES[server], ...THIS_MACHINE.names],
      organization: ORGANIZATIONS[server],
    });
    entries.set(`ca/${server}`, caPem).set(`tls/${server}.crt`, cert).set(`tls/${server}.key`, key);
  }
  // MongoDB reads both from one file.
  entries.set("tls/mongodb.pem", `${entries.get("tls/mongodb.crt")}${entries.get("tls/mongodb.key")}`);
  return entries;
}
