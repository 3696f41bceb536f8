/** Operator commands that make secrets. They need no server and change none. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Authority } from "../../lib/certificates.ts";
import { accountsConfig } from "../../nats/permissions.ts";
import { type Command, type CommandInput, textOf } from "../command.ts";
import { namespaceOf, namespaceOption } from "../namespace-option.ts";
import { newPassword, newSecrets } from "../secrets/new-secrets.ts";
import { secretYaml, writeEntries } from "../secrets/secret-output.ts";
import { SERVER_SECRETS, secretPlans } from "../secrets/secret-plan.ts";
import { UsageError } from "../usage-error.ts";

export const secretsCommands: readonly Command[] = [
  {
    name: "secrets new",
    summary: "Make every secret of a new installation, as Kubernetes Secrets on standard output",
    reads: true,
    columns: [],
    options: {
      "to-directory": {
        type: "string",
        value: "new dir",
        help: "write a file for each entry of an external store instead",
      },
      certificates: {
        type: "boolean",
        help: "for development: also a CA, certificates and what the servers of the overlay dev need",
      },
      ...namespaceOption,
    },
    example: "secrets new --to-directory secrets",
    run: newInstallation,
  },
  {
    name: "secrets password",
    summary: "Make one password",
    reads: true,
    columns: [],
    options: {},
    example: "secrets password",
    run: async () => newPassword(),
  },
  {
    name: "secrets nats-accounts",
    summary: "Make NATS' accounts anew from a directory of secrets, as a Kubernetes Secret",
    reads: true,
    columns: [],
    options: {
      directory: {
        type: "string",
        required: true,
        value: "dir",
        help: "what `secrets new` wrote; nats/users has a hash or a password for each user",
      },
      plain: { type: "boolean", help: "accounts.conf itself, for a store" },
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
  const [plan] = SERVER_SECRETS.filter(({ files }) => "accounts.conf" in files);
  if (!plan) throw new Error("No Secret holds the accounts.");
  return secretYaml(plan, new Map([["nats/accounts.conf", accounts]]));
}
