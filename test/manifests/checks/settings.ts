/** K23, K24: settings from a ConfigMap, secrets from files, and each process accepts what it is given. */
import { randomBytes } from "node:crypto";
import type { KubeObject, Loose } from "../../../deploy/cluster/kustomize/objects.ts";
import { newGatewayKeys } from "../../../deploy/lib/gateway-keys.ts";
import {
  type Config,
  ConfigError,
  loadConfig,
  type ProcessName,
  SETTINGS,
  type Setting,
} from "../../../shared/config/config.ts";
import { type Check, containersOf, named, ofKind, type Pod, perContainer, perPod } from "./check.ts";
import { secretsIn, secretsMade } from "./secrets.ts";

const ROWS: Setting<unknown>[] = Object.values(SETTINGS);
const rowOf = (env: string): Setting<unknown> | undefined => ROWS.find((row) => row.env === env);
/** The row whose value the variable names a file of. */
const secretFileRow = (env: string): Setting<unknown> | undefined =>
  rowOf(env) ? undefined : ROWS.find((row) => row.secret && `${row.env}_FILE` === env);

const gatewayKeys = newGatewayKeys();

const SAMPLES: Record<string, string> = {
  PBO_NATS_USER: "sample",
  PBO_NATS_PASSWORD: "sample",
  PBO_NATS_STREAMS_USER: "sample",
  PBO_NATS_STREAMS_PASSWORD: "sample",
  PBO_MONGODB_USER: "sample",
  PBO_MONGODB_PASSWORD: "sample",
  PBO_IDENTITY_KEYS: `k1:${randomBytes(32).toString("base64")}`,
  PBO_TOKEN_KEYS: `k1:${randomBytes(32).toString("base64")}`,
  PBO_WEBHOOK_KEYS: `k1:${randomBytes(32).toString("base64")}`,
  PBO_GATEWAY_PRIVATE_KEY: gatewayKeys.privateKey,
  PBO_GATEWAY_PUBLIC_KEYS: gatewayKeys.publicKey,
  PBO_STORAGE_NOTICE_SECRET: randomBytes(32).toString("hex"),
  PBO_S3_ACCESS_KEY_ID: "sample",
  PBO_S3_SECRET_ACCESS_KEY: "sample",
};

/** The environment of a container as the kubelet makes it: env wins over envFrom. */
function environmentOf(objects: readonly KubeObject[], container: Loose): Record<string, string> {
  const env: Record<string, string> = {};
  for (const { configMapRef } of container.envFrom ?? [])
    Object.assign(env, named(objects, "ConfigMap", configMapRef?.name)?.data);
  for (const { name, value } of container.env ?? []) if (value !== undefined) env[name] = value;
  return env;
}

export function configOf(
  objects: readonly KubeObject[],
  container: Loose,
): { config?: Config; problems: readonly string[] } {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(environmentOf(objects, container))) {
    const row = secretFileRow(name);
    env[row ? row.env : name] = row ? (SAMPLES[row.env] ?? "") : value;
  }
  const process = container.command?.includes("migrate")
    ? "migration"
    : (String(container.args?.at(-1)).split("/").at(-1) as ProcessName);
  try {
    return { config: loadConfig(process, env), problems: [] };
  } catch (error) {
    if (error instanceof ConfigError) return { problems: error.problems };
    throw error;
  }
}

const acceptedSettings = perContainer(
  "Settings: each process accepts its environment",
  (container, _pod, objects) => [...configOf(objects, container).problems],
);

const secretsOfPods = perPod(
  "K23 secrets are files that somebody makes, readable by the process only",
  (pod, objects) => [
    ...containersOf(pod).flatMap((container) => containerSecrets(objects, pod, container)),
    ...(pod.spec.volumes ?? []).map(
      (volume: Loose) =>
        secretsIn(volume).length > 0 &&
        (volume.secret ?? volume.projected).defaultMode !== 0o400 &&
        `the secrets in ${volume.name} have mode ${(volume.secret ?? volume.projected).defaultMode}`,
    ),
  ],
);
const secretsAsFiles: Check = {
  row: secretsOfPods.row,
  problems: (objects, installation) => [
    ...ofKind(objects, "Secret").map(({ metadata }) => `Secret/${metadata.name} is in the manifests`),
    ...ofKind(objects, "ConfigMap").flatMap(({ data = {} }) =>
      Object.keys(data)
        .filter((name) => rowOf(name)?.secret)
        .map((name) => `${name} is in a ConfigMap`),
    ),
    ...secretsOfPods.problems(objects, installation),
  ],
};

function containerSecrets(
  objects: readonly KubeObject[],
  pod: Pod,
  container: Loose,
): (string | false | undefined)[] {
  const variables: Loose[] = container.env ?? [];
  const files = Object.entries(environmentOf(objects, container)).filter(([, value]) =>
    value.startsWith("/etc/pbo/"),
  );
  return [
    ...variables.map(
      ({ name, valueFrom }) => valueFrom?.secretKeyRef && `${name} is a secret in the environment`,
    ),
    ...variables.map(
      ({ name, value }) => value && rowOf(name)?.secret && `${name} is a secret in the manifest`,
    ),
    ...(container.envFrom ?? []).map(
      ({ secretRef }: Loose) => secretRef && "takes its environment from a secret",
    ),
    ...files.map(
      ([name, path]) => !isProvided(objects, pod, container, path) && `${name}: nothing provides ${path}`,
    ),
  ];
}

/** The file is in a mounted secret that has it. */
function isProvided(objects: readonly KubeObject[], pod: Pod, container: Loose, path: string): boolean {
  const mount = container.volumeMounts?.find(({ mountPath }: Loose) => path.startsWith(`${mountPath}/`));
  const volume = pod.spec.volumes?.find(({ name }: Loose) => name === mount?.name);
  const file = path.slice((mount?.mountPath.length ?? 0) + 1);
  const made = secretsMade(objects);
  return secretsIn(volume ?? {}).some(({ name, items }) => {
    const key = items ? items.find((item) => item.path === file)?.key : file;
    return made.get(name)?.some((one) => one.file === key);
  });
}

const settingsByContent = perContainer("K24 a changed setting makes new pods", (container, _pod, objects) =>
  (container.envFrom ?? []).flatMap(({ configMapRef }: Loose) => [
    configMapRef &&
      !/-[0-9a-z]{10}$/.test(configMapRef.name) &&
      `${configMapRef.name} is not named by its content`,
    configMapRef && !named(objects, "ConfigMap", configMapRef.name) && `${configMapRef.name} does not exist`,
  ]),
);

const volumesExist = perPod(
  "Volumes: every mount has its volume, every volume its source",
  (pod, objects) => {
    const volumes: Loose[] = pod.spec.volumes ?? [];
    const secrets = secretsMade(objects);
    const mounted = containersOf(pod).flatMap(({ volumeMounts = [] }) =>
      volumeMounts.map(({ name }: Loose) => name),
    );
    return [
      ...mounted.map(
        (name) => !volumes.some((volume) => volume.name === name) && `volume ${name} does not exist`,
      ),
      ...volumes.map(({ name }) => !mounted.includes(name) && `volume ${name} is not mounted`),
      ...volumes.flatMap(secretsIn).map(({ name }) => !secrets.has(name) && `nothing makes secret ${name}`),
    ];
  },
);

export const settingsChecks: Check[] = [acceptedSettings, secretsAsFiles, settingsByContent, volumesExist];
