/**
 * K41: a process holds the sets of field keys that it uses, each from the one entry of that set, and no other; the
 * gateway's private key likewise.
 */
import type { KubeObject, Loose } from "../../../deploy/cluster/kustomize/objects.ts";
import { type ProcessName, SETTINGS, type Setting } from "../../../shared/config/config.ts";
import { type Pod, perContainer } from "./check.ts";
import { type MountedSecret, type SecretFile, secretsIn, secretsMade } from "./secrets.ts";

const KEY_SETS: readonly Setting<unknown>[] = (Object.values(SETTINGS) as Setting<unknown>[]).filter(
  ({ ownersOnly }) => ownersOnly,
);

/** The variables by which a process is given its sets, as values or as files. */
export const keySetsOf = (process: ProcessName): string[] =>
  KEY_SETS.filter(({ usedBy }) => usedBy.includes(process)).map(({ env }) => env);

export const givenKeySets = (env: Readonly<Record<string, unknown>>): string[] =>
  KEY_SETS.filter((row) => row.env in env || `${row.env}_FILE` in env).map(({ env: name }) => name);

/** PBO_TOKEN_KEYS is the file token-keys, from the entry partner-onboarding/token-keys. */
const fileOf = (env: string): string => env.replace("PBO_", "").toLowerCase().replaceAll("_", "-");

export const keySetsApart = perContainer(
  "K41 field keys: each process has its own sets, from one entry a set",
  (container, pod, objects) => {
    const process = String(container.args?.at(-1)).split("/").at(-1) as ProcessName;
    const wanted = keySetsOf(process);
    const env = Object.fromEntries((container.env ?? []).map(({ name, value }: Loose) => [name, value]));
    const files = mountedFiles(objects, pod, container)
      .filter(({ entry }) => /keys|private-key/.test(entry) && !entry.endsWith("public-keys"))
      .map(({ file, entry }) => `${file} from ${entry}`);
    const expected = wanted.map((name) => `${fileOf(name)} from partner-onboarding/${fileOf(name)}`);
    return [...difference("is given", givenKeySets(env), wanted), ...difference("mounts", files, expected)];
  },
);

function mountedFiles(objects: readonly KubeObject[], pod: Pod, container: Loose): SecretFile[] {
  const mounted = (container.volumeMounts ?? []).map(({ name }: Loose) => name);
  const made = secretsMade(objects);
  return (pod.spec.volumes ?? [])
    .filter(({ name }: Loose) => mounted.includes(name))
    .flatMap(secretsIn)
    .flatMap(({ name, items }: MountedSecret) =>
      // A volume that names items holds these files only.
      (made.get(name) ?? []).filter(({ file }) => items?.some(({ key }) => key === file) ?? true),
    );
}

const difference = (what: string, given: readonly string[], wanted: readonly string[]): string[] => [
  ...given.filter((name) => !wanted.includes(name)).map((name) => `${what} ${name}`),
  ...wanted.filter((name) => !given.includes(name)).map((name) => `${what} no ${name}`),
];
