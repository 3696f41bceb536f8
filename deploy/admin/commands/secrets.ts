/** Operator commands that create secrets. They need no server and change none. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Authority } from "../../lib/certificates.ts";
import { accountsConfig } from "../../nats/permissions.ts";
import {
  type Command,
  type CommandInput,
  flag,
  namespaceOf,
  namespaceOption,
  optional,
  required,
  textOf,
  UsageError,
} from "../command.ts";
import { type Entries, newPassword, newSecrets } from "../secrets/new-secrets.ts";
import { SERVER_SECRETS, type SecretPlan, secretPlans } from "../secrets/secret-plan.ts";

export const secretsCommands: readonly Command[] = [
  {
    name: "secrets new",
    summary: "Create every secret of a new installation, as Kubernetes Secrets on standard output",
    anonymous: true,
    options: {
      "to-directory": optional("new dir", "write a file for each entry of an external store instead"),
      certificates: flag(
        "for development: also a CA, certificates and secrets of the servers in overlay dev",
      ),
      ...namespaceOption,
    },
    example: "secrets new --to-directory secrets",
    run: newInstallation,
  },
  {
    name: "secrets password",
    summary: "Create one password",
    anonymous: true,
    options: {},
    example: "secrets password",
    run: async () => newPassword(),
  },
  {
    name: "secrets nats-accounts",
    summary: "Recreate NATS' accounts from a directory of secrets, as a Kubernetes Secret",
    anonymous: true,
    options: {
      directory: required(
        "dir",
        "output of `secrets new`; nats/users has a hash or a password for each user",
      ),
      plain: flag("accounts.conf itself, for a store"),
      ...namespaceOption,
    },
    example: "secrets nats-accounts --directory secrets | kubectl apply -f -",
    run: natsAccounts,
  },
];

async function newInstallation(input: CommandInput): Promise<string> {
  const withCertificates = input.options.certificates === true;
  const directory = textOf(input, "to-directory");
  const entries = await newSecrets({
    namespace: namespaceOf(input),
    authority: withCertificates ? await newAuthority() : null,
  });
  if (directory) {
    writeEntries(directory, entries);
    return `${entries.size} entries are in ${directory}. Keep a copy of the three *-keys files in a second place.`;
  }
  return secretPlans({ withCertificates })
    .map((plan) => secretYaml(plan, entries))
    .join("\n");
}

/** The image has no certificate library, which nothing else needs. */
async function newAuthority(): Promise<Authority> {
  const library = await import("../../lib/certificates.ts").catch(() => {
    throw new UsageError("--certificates works in a checkout of the project after npm ci, not in the image.");
  });
  return library.newAuthority("Partner onboarding");
}

async function natsAccounts(input: CommandInput): Promise<string> {
  const folder = join(textOf(input, "directory"), "nats", "users");
  const passwords = new Map(
    readdirSync(folder).map((user) => [user, readFileSync(join(folder, user), "utf8").trim()] as const),
  );
  const accounts = await accountsConfig(passwords, namespaceOf(input));
  if (input.options.plain) return accounts.trimEnd();
  return secretYaml(SERVER_SECRETS[0], new Map([["nats/accounts.conf", accounts]]));
}

/** A text in double quotes is the same in JSON and in YAML. */
const secretYaml = ({ namespace, name, isTls, files }: SecretPlan, entries: Entries): string =>
  [
    "---",
    "apiVersion: v1",
    "kind: Secret",
    `metadata: { name: ${name}, namespace: ${namespace}, labels: { app.kubernetes.io/part-of: partner-onboarding } }`,
    `type: ${isTls ? "kubernetes.io/tls" : "Opaque"}`,
    "stringData:",
    ...Object.entries(files).map(([file, entry]) => `  ${file}: ${JSON.stringify(entries.get(entry))}`),
  ].join("\n");

/** All entries or none: a folder with half of the secrets would look complete. */
function writeEntries(directory: string, entries: Entries): void {
  const target = resolve(directory);
  if (existsSync(target)) throw new UsageError(`${directory} exists. Secrets are never overwritten.`);
  mkdirSync(dirname(target), { recursive: true });
  const unfinished = mkdtempSync(join(dirname(target), `.${basename(target)}-`));
  for (const [entry, value] of entries) {
    const file = join(unfinished, entry);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, value, { mode: 0o600, flush: true });
  }
  renameSync(unfinished, target);
}
