/** K12, K13, K15–K17: how many there are, and what may take one away. */

import type { KubeObject, Loose } from "../../../deploy/cluster/kustomize/objects.ts";
import { STREAMS_ACCOUNT } from "../../../deploy/nats/permissions.ts";
import { CONSUMERS, STREAMS } from "../../../shared/jetstream/streams.ts";
import { type Check, each, named, ofKind, podsOf, selects } from "./check.ts";

const deployments = (objects: readonly KubeObject[]): KubeObject[] => ofKind(objects, "Deployment");
const byName = ({ kind, metadata }: KubeObject): string => `${kind}/${metadata.name}`;

const LEAST_REPLICAS: Record<string, number> = { delivery: 3 };

function scaleOf(
  objects: readonly KubeObject[],
  name: string,
): { min: number; max: number; of: KubeObject } | null {
  const hpa = ofKind(objects, "HorizontalPodAutoscaler").find(
    ({ spec }) => spec.scaleTargetRef?.name === name,
  );
  if (hpa) return { min: hpa.spec.minReplicas, max: hpa.spec.maxReplicas, of: hpa };
  const keda = ofKind(objects, "ScaledObject").find(({ spec }) => spec.scaleTargetRef?.name === name);
  return keda ? { min: keda.spec.minReplicaCount, max: keda.spec.maxReplicaCount, of: keda } : null;
}

const replicas: Check = {
  row: "K12 at least two replicas, replaced without a gap",
  problems: (objects) =>
    each(deployments(objects), byName, ({ metadata, spec }) => {
      const least = LEAST_REPLICAS[metadata.name] ?? 2;
      const scale = scaleOf(objects, metadata.name);
      const { maxUnavailable, maxSurge } = spec.strategy?.rollingUpdate ?? {};
      return [
        !(scale && scale.min >= least) && `fewer than ${least} replicas`,
        !(scale && scale.max > scale.min) && "cannot grow",
        (maxUnavailable !== 0 || maxSurge !== 1) &&
          "a rollout takes a replica away before its successor is ready",
      ];
    }),
};

const disruptions: Check = {
  row: "K13 a disruption budget that allows one disruption",
  problems: (objects) =>
    each(deployments(objects), byName, ({ metadata, spec }) => {
      const budgets = ofKind(objects, "PodDisruptionBudget").filter((budget) =>
        selects(budget.spec.selector, spec.template.metadata.labels),
      );
      const [budget] = budgets;
      return [
        budgets.length !== 1 && `${budgets.length} disruption budgets select its pods`,
        budget?.metadata.name !== metadata.name && "its budget is another's",
        budget?.spec.unhealthyPodEvictionPolicy !== "AlwaysAllow" &&
          "a pod that is not healthy blocks a drain",
        budget?.spec.maxUnavailable !== 1 && "the budget does not allow exactly one disruption",
      ];
    }),
};

const autoscaling: Check = {
  row: "K15 autoscaled, slowly down, and nothing else sets the number",
  problems: (objects) =>
    each(deployments(objects), byName, ({ metadata, spec }) => {
      const scalers = [
        ...ofKind(objects, "HorizontalPodAutoscaler"),
        ...ofKind(objects, "ScaledObject"),
      ].filter((scaler) => scaler.spec.scaleTargetRef?.name === metadata.name);
      const behavior =
        scalers[0]?.spec.behavior ?? scalers[0]?.spec.advanced?.horizontalPodAutoscalerConfig?.behavior;
      return [
        spec.replicas !== undefined && "has a fixed number of replicas",
        scalers.length !== 1 && `is scaled by ${scalers.length}`,
        !(behavior?.scaleDown?.stabilizationWindowSeconds >= 300) && "scales down at once",
      ];
    }),
};

const eventLag: Check = {
  row: "K16 delivery grows with the events that wait, by the names the code uses",
  problems: (objects) =>
    each(ofKind(objects, "ScaledObject"), byName, ({ spec }) => {
      const trigger = spec.triggers.find(({ type }: Loose) => type === "nats-jetstream")?.metadata;
      return [
        !trigger && "does not look at JetStream",
        trigger?.account !== STREAMS_ACCOUNT && `account ${trigger?.account}`,
        trigger?.stream !== STREAMS.EVENTS.name && `stream ${trigger?.stream}`,
        trigger?.consumer !== CONSUMERS.deliveryRecord.name && `consumer ${trigger?.consumer}`,
        !(spec.minReplicaCount >= 2) && "may shrink below two",
      ];
    }),
};

const dueAttempts: Check = {
  row: "K17 delivery grows with the attempts that are due",
  problems: (objects) =>
    each(ofKind(objects, "ScaledObject"), byName, ({ spec }) => {
      const query: string =
        spec.triggers.find(({ type }: Loose) => type === "prometheus")?.metadata.query ?? "";
      return [
        !query.includes("pbo_delivery_due") && "does not look at the attempts that are due",
        JSON.stringify(spec).includes("ack_pending") && "looks at what a slow receiver holds",
      ];
    }),
};

const selectors: Check = {
  row: "Selectors: each Deployment selects its own pods and no other's",
  problems: (objects) =>
    each(deployments(objects), byName, (deployment) => {
      const selected = podsOf(objects).filter(({ labels }) => selects(deployment.spec.selector, labels));
      return [
        (selected.length !== 1 || selected[0]?.owner !== deployment) &&
          `selects ${selected.map(({ name }) => name).join(", ") || "nothing"}`,
        Object.keys(deployment.spec.selector.matchLabels).join() !== "app.kubernetes.io/name" &&
          "selects by a label that may change",
      ];
    }),
};

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

export const scalingChecks: Check[] = [replicas, disruptions, autoscaling, selectors, ownSender];
/** For overlays with the KEDA component. */
export const kedaChecks: Check[] = [eventLag, dueAttempts];
