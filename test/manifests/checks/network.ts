/** K18–K20, K22: the policies allow exactly the edges of the architecture. */
import type { Installation } from "../../../deploy/cluster/installation.rules.ts";
import type { KubeObject, Loose } from "../../../deploy/cluster/kustomize/objects.ts";
import { IPV4_REFUSED, IPV6_ALLOWED, IPV6_REFUSED } from "../../../shared/webhook/public-address.ts";
import {
  type Check,
  containersOf,
  named,
  ofKind,
  type Pod,
  perKind,
  perPod,
  perProcess,
  podsOf,
  selects,
} from "./check.ts";

/** The cluster's name server, and the cache that a node may have of its own. */
const DNS = ["kube-system/k8s-app=kube-dns", "169.254.20.10/32"].flatMap((peer) => [
  `${peer} UDP/53`,
  `${peer} TCP/53`,
]);
const NATS = "nats/app.kubernetes.io/name=nats TCP/4222";
const PUBLIC = ["0.0.0.0/0", "2000::/3"].flatMap((peer) => [`${peer} TCP/443`, `${peer} TCP/1024-65535`]);
const MONGOD = "app.kubernetes.io/instance=partner-onboarding,app.kubernetes.io/component=mongod";

/** The picture of ARCHITECTURE.md as a table: who opens connections to what. */
function egressOf(given: Installation): Record<string, string[]> {
  const mongodb = `${given["mongodb.range"] ?? `${given["mongodb.namespace"]}/${MONGOD}`} TCP/27017`;
  const storage = given["storage.range"]
    ? `${given["storage.range"]} TCP/443`
    : `${given["storage.namespace"]} TCP/8333`;
  const scanner = `${given["scanner.namespace"]}/app.kubernetes.io/name=clamav TCP/3310`;
  return {
    gateway: [...DNS, NATS],
    "auth-token": [...DNS, NATS, mongodb],
    profile: [...DNS, NATS, mongodb],
    document: [...DNS, NATS, mongodb, storage, scanner],
    "webhook-registry": [...DNS, NATS, mongodb],
    delivery: [...DNS, NATS, mongodb, ...PUBLIC],
    migrate: [...DNS, NATS, mongodb],
  };
}

function ingressOf(given: Installation, name: string): string[] {
  const ops = `${given["monitoring.namespace"]} TCP/ops`;
  return name === "gateway" ? [`${given["ingress.namespace"]} TCP/http`, ops] : [ops];
}

const policiesFor = (
  objects: readonly KubeObject[],
  { labels }: Pod,
  type: "Ingress" | "Egress",
): KubeObject[] =>
  ofKind(objects, "NetworkPolicy").filter(
    ({ spec }) => spec.policyTypes?.includes(type) && selects(spec.podSelector ?? {}, labels),
  );

const defaultDeny = perPod("K18 nothing is allowed that is not named", (pod, objects) =>
  (["Ingress", "Egress"] as const).map((type) => {
    const deny = policiesFor(objects, pod, type).some(
      ({ spec }) => !spec[type.toLowerCase()] && Object.keys(spec.podSelector).length === 0,
    );
    return !deny && `${type} is not denied by default`;
  }),
);

const egress = perPod(
  "K19 each process reaches what the architecture says and nothing else",
  (pod, objects, installation) =>
    difference(edges(objects, pod, "Egress"), egressOf(installation)[pod.owner.metadata.name] ?? []),
);

const ingress = perPod(
  "K22 only the gateway is reached from outside, and measurements only by monitoring",
  (pod, objects, installation) =>
    difference(edges(objects, pod, "Ingress"), ingressOf(installation, pod.owner.metadata.name)),
);

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
    const senders = podsOf(objects).filter(({ owner }) => owner.metadata.name === "delivery");
    const blocks = senders
      .flatMap((pod) => policiesFor(objects, pod, "Egress"))
      .flatMap(({ spec }) => spec.egress ?? [])
      .filter(({ ports = [] }: Loose) => ports.some(({ port }: Loose) => port === 443))
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

const PORTS = "Ports: a Service, an Ingress, a monitor and a policy name ports that exist";
const portChecks: Check[] = [
  perKind("Service")(PORTS, ({ spec }, objects) => {
    const pods = podsOf(objects).filter(({ labels }) => selects({ matchLabels: spec.selector }, labels));
    return [
      pods.length !== 1 && `selects ${pods.length} kinds of pods`,
      ...spec.ports.map(({ targetPort }: Loose) => isMissing(pods, targetPort)),
    ];
  }),
  perKind("Ingress")(PORTS, ({ spec }, objects) =>
    spec.rules.flatMap(({ host, http }: Loose) => [
      !spec.tls?.some(({ hosts }: Loose) => hosts.includes(host)) && `${host} has no certificate`,
      ...http.paths.map(({ backend: { service } }: Loose) => {
        const target = named(objects, "Service", service.name);
        const ports: Loose[] = target?.spec.ports ?? [];
        return !ports.some(({ name }) => name === service.port.name) && `no service ${service.name}`;
      }),
    ]),
  ),
  perKind("NetworkPolicy")(PORTS, ({ spec }, objects) => {
    const pods = podsOf(objects).filter(({ labels }) => selects(spec.podSelector, labels));
    const wanted: Loose[] = (spec.ingress ?? []).flatMap((rule: Loose) => rule.ports ?? []);
    return [pods.length === 0 && "selects no pod", ...wanted.map(({ port }) => isMissing(pods, port))];
  }),
];
const ports: Check = {
  row: PORTS,
  problems: (...given) => portChecks.flatMap((check) => check.problems(...given)),
};

const isMissing = (pods: readonly Pod[], port: string) =>
  !pods.some((pod) => portNames(pod).has(port)) && `no port ${port}`;

const portNames = (pod: Pod): Set<string> =>
  new Set(containersOf(pod).flatMap((container) => (container.ports ?? []).map(({ name }: Loose) => name)));

const monitored = perProcess("K29 every long-running pod is scraped on a port it has", (pod, objects) => [
  !ofKind(objects, "PodMonitor").some(
    ({ spec }) =>
      selects(spec.selector, pod.labels) &&
      spec.podMetricsEndpoints.some(
        ({ port, path }: Loose) => portNames(pod).has(port) && path === "/metrics",
      ),
  ) && "is not scraped",
]);

export const networkChecks: Check[] = [defaultDeny, egress, ingress, publicOnly, ports, monitored];
