/** K12, K13, K15–K17: how many there are, and what may take one away. */
import type { KubeObject, Loose } from "../../../deploy/cluster/kustomize/objects.ts";
import { STREAMS_ACCOUNT } from "../../../deploy/nats/permissions.ts";
import { CONSUMERS, STREAMS } from "../../../shared/jetstream/streams.ts";
import { type Check, named, ofKind, perKind, podsOf, selects } from "./check.ts";

const perDeployment = perKind("Deployment");
const perScaledObject = perKind("ScaledObject");

const LEAST_REPLICAS: Record<string, number> = { delivery: 3 };

const scalersOf = (objects: readonly KubeObject[], name: string): KubeObject[] =>
  ["HorizontalPodAutoscaler", "ScaledObject"]
    .flatMap((kind) => ofKind(objects, kind))
    .filter(({ spec }) => spec.scaleTargetRef?.name === name);

const replicas = perDeployment(
  "K12 at least two replicas, replaced without a gap",
  ({ metadata, spec }, objects) => {
    const least = LEAST_REPLICAS[metadata.name] ?? 2;
    const scale: Loose = scalersOf(objects, metadata.name)[0]?.spec ?? {};
    const min = scale.minReplicas ?? scale.minReplicaCount;
    const max = scale.maxReplicas ?? scale.maxReplicaCount;
    const { maxUnavailable, maxSurge } = spec.strategy?.rollingUpdate ?? {};
    return [
      !(min >= least) && `fewer than ${least} replicas`,
      !(max > min) && "cannot grow",
      (maxUnavailable !== 0 || maxSurge !== 1) &&
        "a rollout takes a replica away before its successor is ready",
    ];
  },
);

const disruptions = perDeployment(
  "K13 a disruption budget that allows one disruption",
  ({ metadata, spec }, objects) => {
    const budgets = ofKind(objects, "PodDisruptionBudget").filter((budget) =>
      selects(budget.spec.selector, spec.template.metadata.labels),
    );
    const [budget] = budgets;
    return [
      budgets.length !== 1 && `${budgets.length} disruption budgets select its pods`,
      budget?.metadata.name !== metadata.name && "its budget is another's",
      budget?.spec.unhealthyPodEvictionPolicy !== "AlwaysAllow" && "a pod that is not healthy blocks a drain",
      budget?.spec.maxUnavailable !== 1 && "the budget does not allow exactly one disruption",
    ];
  },
);

const autoscaling = perDeployment(
  "K15 autoscaled, slowly down, and nothing else sets the number",
  ({ metadata, spec }, objects) => {
    const scalers = scalersOf(objects, metadata.name);
    const behavior =
      scalers[0]?.spec.behavior ?? scalers[0]?.spec.advanced?.horizontalPodAutoscalerConfig?.behavior;
    return [
      spec.replicas !== undefined && "has a fixed number of replicas",
      scalers.length !== 1 && `is scaled by ${scalers.length}`,
      !(behavior?.scaleDown?.stabilizationWindowSeconds >= 300) && "scales down at once",
    ];
  },
);

const eventLag = perScaledObject(
  "K16 delivery grows with the events that wait, by the names the code uses",
  ({ spec }) => {
    const trigger = spec.triggers.find(({ type }: Loose) => type === "nats-jetstream")?.metadata;
    return [
      !trigger && "does not look at JetStream",
      trigger?.account !== STREAMS_ACCOUNT && `account ${trigger?.account}`,
      trigger?.stream !== STREAMS.EVENTS.name && `stream ${trigger?.stream}`,
      trigger?.consumer !== CONSUMERS.deliveryRecord.name && `consumer ${trigger?.consumer}`,
      !(spec.minReplicaCount >= 2) && "may shrink below two",
    ];
  },
);

const dueAttempts = perScaledObject("K17 delivery grows with the attempts that are due", ({ spec }) => {
  const query = spec.triggers.find(({ type }: Loose) => type === "prometheus")?.metadata.query ?? "";
  return [
    !query.includes("pbo_delivery_due") && "does not look at the attempts that are due",
    JSON.stringify(spec).includes("ack_pending") && "looks at what a slow receiver holds",
  ];
});

const selectors = perDeployment(
  "Selectors: each Deployment selects its own pods and no other's",
  (deployment, objects) => {
    const selected = podsOf(objects).filter(({ labels }) => selects(deployment.spec.selector, labels));
    return [
      (selected.length !== 1 || selected[0]?.owner !== deployment) &&
        `selects ${selected.map(({ name }) => name).join(", ") || "nothing"}`,
      Object.keys(deployment.spec.selector.matchLabels).join() !== "app.kubernetes.io/name" &&
        "selects by a label that may change",
    ];
  },
);

const ownSender: Check = {
  row: "K21 webhooks leave from a Deployment and an account of their own",
  problems: (objects) => {
    const pods = podsOf(objects).filter(({ owner }) => owner.kind === "Deployment");
    const senders = pods.filter(({ spec }) =>
      spec.containers.some(({ args }: Loose) => args?.includes("services/delivery")),
    );
    const [sender] = senders;
    return [
      ...(senders.length === 1 && sender?.spec.containers.length === 1
        ? []
        : ["delivery does not run by itself"]),
      ...(named(objects, "ServiceAccount", sender?.spec.serviceAccountName) &&
      pods.filter(({ spec }) => spec.serviceAccountName === sender?.spec.serviceAccountName).length === 1
        ? []
        : ["delivery shares its account"]),
    ];
  },
};

export const scalingChecks: Check[] = [
  replicas,
  disruptions,
  autoscaling,
  selectors,
  ownSender,
  eventLag,
  dueAttempts,
];
