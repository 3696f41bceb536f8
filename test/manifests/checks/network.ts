/** K18–K20, K22: the policies allow exactly the edges of the architecture. */
import { IPV4_REFUSED, IPV6_ALLOWED, IPV6_REFUSED } from "../../../shared/webhook/public-address.ts";
import type { KubeObject, Loose } from "../kustomize/objects.ts";
import { type Check, containersOf, each, ofKind, type Pod, podsOf, selects } from "./check.ts";

const DNS = ["kube-system/k8s-app=kube-dns UDP/53", "kube-system/k8s-app=kube-dns TCP/53"];
const NATS = "nats/app.kubernetes.io/name=nats TCP/4222";
const MONGODB =
  "mongodb/app.kubernetes.io/instance=partner-onboarding,app.kubernetes.io/component=mongod TCP/27017";
const STORAGE = "storage/app=minio TCP/9000";
const PUBLIC = ["0.0.0.0/0", "2000::/3"].flatMap((peer) => [`${peer} TCP/443`, `${peer} TCP/1024-65535`]);
const SCANNER = "clamav/app.kubernetes.io/name=clamav TCP/3310";

/** The picture of ARCHITECTURE.md as a table: who opens connections to what. */
const EGRESS: Record<string, string[]> = {
  gateway: [...DNS, NATS],
  "auth-token": [...DNS, NATS, MONGODB],
  profile: [...DNS, NATS, MONGODB],
  document: [...DNS, NATS, MONGODB, STORAGE, SCANNER],
  "webhook-registry": [...DNS, NATS, MONGODB],
  delivery: [...DNS, NATS, MONGODB, ...PUBLIC],
  migrate: [...DNS, NATS, MONGODB],
};
const OPS = "monitoring TCP/ops";
const INGRESS: Record<string, string[]> = { gateway: ["ingress TCP/http", OPS] };

const policiesFor = (
  objects: readonly KubeObject[],
  { labels }: Pod,
  type: "Ingress" | "Egress",
): KubeObject[] =>
  ofKind(objects, "NetworkPolicy").filter(
    ({ spec }) => spec.policyTypes?.includes(type) && selects(spec.podSelector ?? {}, labels),
  );

const defaultDeny: Check = {
  row: "K18 nothing is allowed that is not named",
  problems: (objects) =>
    each(
      podsOf(objects),
      ({ name }) => name,
      (pod) =>
        (["Ingress", "Egress"] as const).map((type) => {
          const deny = policiesFor(objects, pod, type).some(
            ({ spec }) => !spec[type.toLowerCase()] && Object.keys(spec.podSelector).length === 0,
          );
          return !deny && `${type} is not denied by default`;
        }),
    ),
};

const egress: Check = {
  row: "K19 each process reaches what the architecture says and nothing else",
  problems: (objects) =>
    each(
      podsOf(objects),
      ({ name }) => name,
      (pod) => difference(edges(objects, pod, "Egress"), EGRESS[pod.owner.metadata.name] ?? []),
    ),
};

const ingress: Check = {
  row: "K22 only the gateway is reached from outside, and measurements only by monitoring",
  problems: (objects) =>
    each(
      podsOf(objects),
      ({ name }) => name,
      (pod) => difference(edges(objects, pod, "Ingress"), INGRESS[pod.owner.metadata.name] ?? [OPS]),
    ),
};

const difference = (found: string[], wanted: string[]): string[] => [
  ...found.filter((edge) => !wanted.includes(edge)).map((edge) => `may use ${edge}`),
  ...wanted.filter((edge) => !found.includes(edge)).map((edge) => `may not use ${edge}`),
];

function edges(objects: readonly KubeObject[], pod: Pod, type: "Ingress" | "Egress"): string[] {
  const [rules, peers] = type === "Egress" ? ["egress", "to"] : ["ingress", "from"];
  return policiesFor(objects, pod, type)
    .flatMap(({ spec }) => spec[rules] ?? [])
    .flatMap((rule: Loose) =>
      (rule[peers]?.length > 0 ? rule[peers].map(peerName) : ["anyone"]).flatMap((peer: string) =>
        (rule.ports ?? [{ protocol: "any" }]).map(
          ({ protocol = "TCP", port = "any", endPort }: Loose) =>
            `${peer} ${protocol}/${[port, endPort ?? []].flat().join("-")}`,
        ),
      ),
    );
}

function peerName({ ipBlock, namespaceSelector, podSelector }: Loose): string {
  if (ipBlock) return ipBlock.cidr;
  const space = namespaceSelector
    ? labelText(namespaceSelector).replace("kubernetes.io/metadata.name=", "")
    : "own";
  return podSelector ? `${space}/${labelText(podSelector)}` : space;
}

const labelText = ({ matchLabels = {}, ...rest }: Loose): string =>
  Object.entries(matchLabels)
    .map(([key, value]) => `${key}=${value}`)
    .concat(Object.keys(rest).length > 0 ? [JSON.stringify(rest)] : [])
    .join(",") || "all";

const publicOnly: Check = {
  row: "K20 the addresses webhooks may go to equal the code's",
  problems: (objects) => {
    const blocks = ofKind(objects, "NetworkPolicy")
      .flatMap(({ spec }) => spec.egress ?? [])
      .flatMap(({ to = [] }: Loose) => to)
      .flatMap(({ ipBlock }: Loose) => (ipBlock ? [ipBlock] : []));
    const wanted = [
      { cidr: "0.0.0.0/0", except: IPV4_REFUSED.map(({ cidr }) => cidr) },
      { cidr: IPV6_ALLOWED.cidr, except: IPV6_REFUSED.map(({ cidr }) => cidr) },
    ];
    return difference(blocks.map(blockText), wanted.map(blockText));
  },
};

const blockText = ({ cidr, except = [] }: Loose): string => `${cidr} except ${[...except].sort().join(" ")}`;

const ports: Check = {
  row: "Ports: a Service, an Ingress, a monitor and a policy name ports that exist",
  problems: (objects) => [
    ...each(
      ofKind(objects, "Service"),
      ({ metadata }) => `Service/${metadata.name}`,
      ({ spec }) => {
        const pods = podsOf(objects).filter(({ labels }) => selects({ matchLabels: spec.selector }, labels));
        return [
          pods.length !== 1 && `selects ${pods.length} kinds of pods`,
          ...spec.ports.map(
            ({ targetPort }: Loose) =>
              !pods.some((pod) => portNames(pod).has(targetPort)) && `no port ${targetPort}`,
          ),
        ];
      },
    ),
    ...each(
      ofKind(objects, "Ingress"),
      ({ metadata }) => `Ingress/${metadata.name}`,
      ({ spec }) =>
        spec.rules.flatMap(({ host, http }: Loose) => [
          !spec.tls?.some(({ hosts }: Loose) => hosts.includes(host)) && `${host} has no certificate`,
          ...http.paths.map(({ backend: { service } }: Loose) => {
            const target = ofKind(objects, "Service").find(({ metadata }) => metadata.name === service.name);
            return (
              !target?.spec.ports.some(({ name }: Loose) => name === service.port.name) &&
              `no service ${service.name}`
            );
          }),
        ]),
    ),
    ...each(
      ofKind(objects, "NetworkPolicy"),
      ({ metadata }) => `NetworkPolicy/${metadata.name}`,
      ({ spec }) => {
        const pods = podsOf(objects).filter(({ labels }) => selects(spec.podSelector, labels));
        const wanted = (spec.ingress ?? [])
          .flatMap((rule: Loose) => rule.ports ?? [])
          .map(({ port }: Loose) => port);
        return [
          pods.length === 0 && "selects no pod",
          ...wanted.map((port: string) => !pods.some((pod) => portNames(pod).has(port)) && `no port ${port}`),
        ];
      },
    ),
  ],
};

const portNames = (pod: Pod): Set<string> =>
  new Set(containersOf(pod).flatMap((container) => (container.ports ?? []).map(({ name }: Loose) => name)));

const monitored: Check = {
  row: "K29 every long-running pod is scraped on a port it has",
  problems: (objects) => {
    const monitors = ofKind(objects, "PodMonitor");
    return each(
      podsOf(objects).filter(({ owner }) => owner.kind === "Deployment"),
      ({ name }) => name,
      (pod) => [
        !monitors.some(
          ({ spec }) =>
            selects(spec.selector, pod.labels) &&
            spec.podMetricsEndpoints.some(
              ({ port, path }: Loose) => portNames(pod).has(port) && path === "/metrics",
            ),
        ) && "is not scraped",
      ],
    );
  },
};

export const networkChecks: Check[] = [defaultDeny, egress, ingress, publicOnly, ports, monitored];
