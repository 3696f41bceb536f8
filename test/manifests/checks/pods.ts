/** K4–K10, K14, K33, K34: what every pod and container has, and has not. */
import type { Loose } from "../../../deploy/cluster/kustomize/objects.ts";
import { type Check, containersOf, named, perContainer, perPod, perProcess } from "./check.ts";
import { configOf } from "./settings.ts";

const LOWEST_UID = 10_000;

const podSecurity = perPod("K4 pods run as nobody, with the runtime's seccomp profile", ({ spec }) => {
  const context = spec.securityContext ?? {};
  return [
    context.runAsNonRoot !== true && "runAsNonRoot is not true",
    !(context.runAsUser > LOWEST_UID) && "runAsUser is not above 10000",
    !(context.runAsGroup > LOWEST_UID) && "runAsGroup is not above 10000",
    !(context.fsGroup > LOWEST_UID) && "fsGroup is not above 10000",
    context.seccompProfile?.type !== "RuntimeDefault" && "seccompProfile is not RuntimeDefault",
  ];
});

const containerSecurity = perContainer(
  "K5 containers gain nothing and write only to /tmp",
  (container, { spec }) => {
    const context = container.securityContext ?? {};
    const tmp = container.volumeMounts?.find(({ mountPath }: Loose) => mountPath === "/tmp");
    const volume = spec.volumes?.find(({ name }: Loose) => name === tmp?.name);
    return [
      context.allowPrivilegeEscalation !== false && "allowPrivilegeEscalation is not false",
      context.readOnlyRootFilesystem !== true && "the root file system can be written",
      JSON.stringify(context.capabilities?.drop) !== '["ALL"]' && "capabilities are not all dropped",
      context.capabilities?.add && "capabilities are added",
      !volume?.emptyDir?.sizeLimit && "/tmp is not an emptyDir with a sizeLimit",
    ];
  },
);

const serviceAccounts = perPod("K6 an own service account without a token", ({ spec, owner }, objects) => {
  const account = named(objects, "ServiceAccount", spec.serviceAccountName);
  return [
    spec.serviceAccountName !== owner.metadata.name && "has no service account of its own",
    !account && "its service account does not exist",
    account?.automountServiceAccountToken !== false && "its service account mounts a token",
    spec.automountServiceAccountToken !== false && "mounts a token",
    spec.enableServiceLinks !== false && "gets an environment of service links",
  ];
});

/** The one program of the image besides the processes: the operator's command line, to migrate and for nothing else. */
const isMigration = (command: string[]): boolean =>
  /^node deploy\/admin\/main\.ts migrate --part [a-z-]+$/.test(command.join(" "));

const images = perContainer(
  "K7 images are named by tag or digest, started directly",
  ({ image = "", command }) => {
    const tag = /:([\w.-]+)$/.exec(image.split("@")[0])?.[1];
    return [
      !image.includes("@sha256:") && !tag && "the image has neither tag nor digest",
      tag === "latest" && "the image is latest",
      command && !isMigration(command) && "the command of the image is replaced",
    ];
  },
);

export const imagesByDigest = perContainer("K7 production names images by digest", ({ image }) => [
  !/^[\w.\-/]+@sha256:[0-9a-f]{64}$/.test(image) && `${image} is not named by digest`,
]);

const HEAP_SHARE = { least: 0.7, most: 0.8 };
/** With the young generation, which is two semi-spaces and not part of what --max-old-space-size bounds. */
const MOST_HEAP = 0.9;

const resources = perContainer(
  "K8 requests and limits; the heap is three quarters of the memory",
  (container) => {
    const { requests = {}, limits = {} } = container.resources ?? {};
    const options = container.env?.find(({ name }: Loose) => name === "NODE_OPTIONS")?.value ?? "";
    const heap = Number(/--max-old-space-size=(\d+)/.exec(options)?.[1]);
    const semiSpace = Number(/--max-semi-space-size=(\d+)/.exec(options)?.[1]);
    const share = heap / mebibytes(limits.memory);
    return [
      !requests.cpu && "requests no cpu",
      !requests.memory && "requests no memory",
      !limits.memory && "has no memory limit",
      mebibytes(requests.memory) > mebibytes(limits.memory) && "requests more memory than its limit",
      !(share >= HEAP_SHARE.least && share <= HEAP_SHARE.most) &&
        `the heap is ${heap} MiB of ${limits.memory}`,
      !((heap + 2 * semiSpace) / mebibytes(limits.memory) <= MOST_HEAP) &&
        `old and young generation have ${heap} MiB and twice ${semiSpace} of ${limits.memory}`,
    ];
  },
);

function mebibytes(quantity = ""): number {
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(amount) * (unit === "Gi" ? 1_024 : 1);
}

const probes = perProcess(
  "K9 started, alive and ready are asked for on the operations port",
  ({ spec: { containers } }) =>
    containers.flatMap((container: Loose) => {
      const ports = new Set((container.ports ?? []).map(({ name }: Loose) => name));
      const all = [container.startupProbe, container.livenessProbe, container.readinessProbe];
      const paths = all.map((probe) => probe?.httpGet?.path);
      return [
        paths.join(" ") !== "/healthz /healthz /readyz" && `asks ${paths.join(", ")}`,
        all.some((probe) => !ports.has(probe?.httpGet?.port)) &&
          "a probe's port is not a port of the container",
        container.readinessProbe?.timeoutSeconds < 2 &&
          "the readiness probe waits shorter than a check may take",
      ];
    }),
);

const RESERVE_SECONDS = 5;

const grace = perProcess(
  "K10 the grace period covers preStop, drain and the slowest attempt",
  ({ spec }, objects) => {
    const [container] = spec.containers;
    const { config } = configOf(objects, container);
    if (!config) return ["its settings are wrong"];
    const preStop = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
    const stop = (config.stopDelayMs + config.stopDeadlineMs + config.webhookTimeoutMs) / 1_000;
    const needed = preStop + stop + RESERVE_SECONDS;
    return [
      !(preStop >= 5 && preStop <= 10) && `preStop sleeps ${preStop} s`,
      config.stopDeadlineMs <= config.webhookTimeoutMs && "an attempt may outlast the drain",
      spec.terminationGracePeriodSeconds < needed &&
        `grace ${spec.terminationGracePeriodSeconds} s, needed ${needed} s`,
    ];
  },
);

const spread = perProcess("K14 replicas are spread over zones and nodes", ({ spec, labels }) =>
  ["topology.kubernetes.io/zone", "kubernetes.io/hostname"].flatMap((key) => {
    const constraint = spec.topologySpreadConstraints?.find(({ topologyKey }: Loose) => topologyKey === key);
    const name = constraint?.labelSelector?.matchLabels?.["app.kubernetes.io/name"];
    return [
      !constraint && `not spread over ${key}`,
      name !== labels["app.kubernetes.io/name"] && `the spread over ${key} counts other pods`,
      !constraint?.matchLabelKeys?.includes("pod-template-hash") &&
        `${key}: old and new pods are counted together`,
    ];
  }),
);

const priority = perProcess(
  "K33 the gateway stays longest, and the autoscaler may move every pod",
  ({ owner, spec }, objects) => [
    owner.metadata.name === "gateway" &&
      !named(objects, "PriorityClass", spec.priorityClassName) &&
      "has no priority class",
    owner.spec.template.metadata.annotations?.["cluster-autoscaler.kubernetes.io/safe-to-evict"] !== "true" &&
      "may not be moved",
  ],
);

const host = perPod("K34 nothing of the host", (pod) => {
  const { spec } = pod;
  return [
    ...["hostNetwork", "hostPID", "hostIPC"].map((field) => spec[field] && `uses ${field}`),
    ...(spec.volumes ?? []).map((volume: Loose) => volume.hostPath && `mounts ${volume.hostPath.path}`),
    ...containersOf(pod).flatMap((container) => [
      container.securityContext?.privileged && "is privileged",
      container.ports?.some(({ hostPort }: Loose) => hostPort) && "takes a port of the host",
    ]),
  ];
});

export const podChecks: Check[] = [
  podSecurity,
  containerSecurity,
  serviceAccounts,
  images,
  resources,
  probes,
  grace,
  spread,
  priority,
  host,
];
