/** The Secrets and their entries, and K42: a missing CA keeps no pod from starting. */
import { CA_SECRETS, PROCESS_SECRETS } from "../../../deploy/admin/secrets/secret-plan.ts";
import type { KubeObject, Loose } from "../../../deploy/cluster/kustomize/objects.ts";
import { ofKind, perPod } from "./check.ts";

export type MountedSecret = { name: string; items?: { key: string; path: string }[]; optional?: boolean };

export type SecretFile = { file: string; entry: string };

/** By name: from the store where the overlay has one, else from the operator's own command; CAs also from cert-manager. */
export function secretsMade(objects: readonly KubeObject[]): Map<string, SecretFile[]> {
  const stored = ofKind(objects, "ExternalSecret");
  const plans = stored.length > 0 ? CA_SECRETS : [...PROCESS_SECRETS, ...CA_SECRETS];
  return new Map([
    ...plans.map(({ name, files }): [string, SecretFile[]] => [name, Object.entries(files).map(plannedFile)]),
    ...stored.map(({ spec }): [string, SecretFile[]] => [spec.target?.name, spec.data.map(storedFile)]),
  ]);
}

const STORE = "partner-onboarding";
const storedFile = ({ secretKey, remoteRef }: Loose): SecretFile => ({
  file: secretKey,
  entry: remoteRef.key,
});
const plannedFile = ([file, entry]: [string, string]): SecretFile => ({ file, entry: `${STORE}/${entry}` });

export const secretsIn = ({ secret, projected }: Loose): MountedSecret[] => [
  ...(secret ? [{ ...secret, name: secret.secretName }] : []),
  ...(projected?.sources ?? []).flatMap((source: Loose) => (source.secret ? [source.secret] : [])),
];

export const authoritiesOptional = perPod("K42 a CA that is missing keeps no pod from starting", ({ spec }) =>
  (spec.volumes ?? [])
    .flatMap(secretsIn)
    .filter(({ name }: MountedSecret) => name.startsWith("ca-") || name.includes("authorities"))
    .map(({ name, optional }: MountedSecret) => !optional && `waits for ${name}`),
);
