/** K37: what may differ between two overlays; everything else was tried in staging before it reaches production. */
import { idOf, isFields, type Json, type KubeObject } from "../kustomize/objects.ts";

const MAY_DIFFER = [
  /^ConfigMap\/settings \/metadata\/name$/,
  /^ConfigMap\/settings \/data\/PBO_(BASE_URL|LOG_LEVEL|S3_BUCKET|S3_PUBLIC_ENDPOINT|TRUSTED_PROXIES)$/,
  /\/image$/,
  /\/envFrom\/\d+\/configMapRef\/name$/,
  /^Ingress\/gateway \/spec\/(rules\/0\/host|tls\/0\/hosts\/0)$/,
];

export function overlayDifferences(left: readonly KubeObject[], right: readonly KubeObject[]): string[] {
  const [a, b] = [byId(left), byId(right)];
  return [...new Set([...a.keys(), ...b.keys()])]
    .flatMap((id) =>
      differences(a.get(id) ?? null, b.get(id) ?? null, "").map((path) => `${id} ${path || "/"}`),
    )
    .filter((path) => !MAY_DIFFER.some((pattern) => pattern.test(path)));
}

/** Without the hash, which differs with the content. */
const byId = (objects: readonly KubeObject[]): Map<string, Json> =>
  new Map(
    objects.map((object) => [
      object.kind === "ConfigMap" ? idOf(object).replace(/-[0-9a-z]{10}$/, "") : idOf(object),
      object as unknown as Json,
    ]),
  );

function differences(left: Json, right: Json, path: string): string[] {
  const bothLists = Array.isArray(left) && Array.isArray(right);
  if (!bothLists && !(isFields(left) && isFields(right)))
    return JSON.stringify(left) === JSON.stringify(right) ? [] : [path];
  const [a, b] = [left as { [key: string]: Json }, right as { [key: string]: Json }];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
    differences(a[key] ?? null, b[key] ?? null, `${path}/${key}`),
  );
}
