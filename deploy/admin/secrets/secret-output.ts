/** Secrets as Kubernetes takes them, or as a folder with a file for each entry of a store. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UsageError } from "../usage-error.ts";
import type { Entries } from "./new-secrets.ts";
import type { SecretPlan } from "./secret-plan.ts";

/** A text in double quotes is the same in JSON and in YAML. */
export const secretYaml = ({ namespace, name, isTls, files }: SecretPlan, entries: Entries): string =>
  [
    "---",
    "apiVersion: v1",
    "kind: Secret",
    `metadata: { name: ${name}, namespace: ${namespace}, labels: { app.kubernetes.io/part-of: partner-onboarding } }`,
    `type: ${isTls ? "kubernetes.io/tls" : "Opaque"}`,
    "stringData:",
    ...Object.entries(files).map(([file, entry]) => `  ${file}: ${JSON.stringify(entries.get(entry))}`),
  ].join("\n");

/** All of it or nothing: a folder with half of the secrets would be taken for the whole. */
export function writeEntries(directory: string, entries: Entries): void {
  const target = resolve(directory);
  if (existsSync(target)) throw new UsageError(`${directory} exists. Secrets are never written over others.`);
  mkdirSync(dirname(target), { recursive: true });
  const unfinished = mkdtempSync(join(dirname(target), `.${basename(target)}-`));
  for (const [entry, value] of entries) {
    const file = join(unfinished, entry);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, value, { mode: 0o600, flush: true });
  }
  renameSync(unfinished, target);
}
