/** Ways to break the manifests that a check must notice; the row's number, or its first word, names the check. */
import type { Loose } from "../../../deploy/cluster/kustomize/objects.ts";
import { container, get, type Mutation, pod, remove, settings, variable } from "./mutation.ts";

export const WORKLOAD_MUTATIONS: Mutation[] = [
  {
    row: "K1",
    what: "an object twice",
    change: (all) => all.push(structuredClone(get(all, "Service", "gateway"))),
  },
  { row: "K1", what: "a service left out", change: (all) => remove(all, "Deployment", "document") },
  {
    row: "K1",
    what: "another namespace",
    change: (all) => Object.assign(get(all, "Deployment", "profile").metadata, { namespace: "default" }),
  },
  {
    row: "K2",
    what: "a misspelt field",
    change: (all) => Object.assign(container(all), { readinesProbe: {} }),
  },
  {
    row: "K2",
    what: "an unknown field of a custom resource",
    change: (all) => Object.assign(get(all, "ExternalSecret", "profile").spec, { refreshIntervall: "1h" }),
  },
  {
    row: "K2",
    what: "a wrong type",
    change: (all) => Object.assign(pod(all), { terminationGracePeriodSeconds: "60" }),
  },
  {
    row: "K2",
    what: "a required field missing",
    change: (all) => delete get(all, "Deployment", "profile").spec.selector,
  },
  {
    row: "K3",
    what: "a baseline namespace",
    change: (all) =>
      Object.assign(get(all, "Namespace", "partner-onboarding").metadata.labels ?? {}, {
        "pod-security.kubernetes.io/enforce": "baseline",
      }),
  },
  { row: "K4", what: "root", change: (all) => Object.assign(pod(all).securityContext, { runAsUser: 0 }) },
  { row: "K4", what: "no seccomp profile", change: (all) => delete pod(all).securityContext.seccompProfile },
  {
    row: "K5",
    what: "a writable root",
    change: (all) => delete container(all).securityContext.readOnlyRootFilesystem,
  },
  {
    row: "K5",
    what: "a capability",
    change: (all) => Object.assign(container(all).securityContext.capabilities, { add: ["NET_RAW"] }),
  },
  {
    row: "K5",
    what: "an endless /tmp",
    change: (all) => delete pod(all).volumes.find(({ name }: Loose) => name === "tmp").emptyDir.sizeLimit,
  },
  {
    row: "K6",
    what: "a mounted token",
    change: (all) => Object.assign(pod(all), { automountServiceAccountToken: true }),
  },
  {
    row: "K6",
    what: "another's account",
    change: (all) => Object.assign(pod(all), { serviceAccountName: "delivery" }),
  },
  {
    row: "K7",
    what: "latest",
    change: (all) => Object.assign(container(all), { image: "registry.example.com/app:latest" }),
  },
  {
    row: "K7",
    what: "a shell",
    change: (all) => Object.assign(container(all), { command: ["sh", "-c", "npm start"] }),
  },
  {
    row: "K8",
    what: "a heap above the limit",
    change: (all) => heapOf(all, "--max-semi-space-size=16 --max-old-space-size=1024"),
  },
  {
    row: "K8",
    what: "a young generation as large as it likes",
    change: (all) => heapOf(all, "--max-old-space-size=576"),
  },
  {
    row: "K8",
    what: "a young generation above the limit",
    change: (all) => heapOf(all, "--max-semi-space-size=64 --max-old-space-size=576"),
  },
  { row: "K8", what: "no memory limit", change: (all) => delete container(all).resources.limits },
  {
    row: "K9",
    what: "readiness that asks for life",
    change: (all) => Object.assign(container(all).readinessProbe.httpGet, { path: "/healthz" }),
  },
  {
    row: "K9",
    what: "a port that is not there",
    change: (all) => Object.assign(container(all).livenessProbe.httpGet, { port: "metrics" }),
  },
  {
    row: "K10",
    what: "a short grace period",
    change: (all) => Object.assign(pod(all), { terminationGracePeriodSeconds: 30 }),
  },
  {
    row: "K10",
    what: "a longer drain",
    change: (all) => Object.assign(settings(all), { PBO_STOP_DEADLINE_MS: "60000" }),
  },
  { row: "K10", what: "no preStop", change: (all) => delete container(all).lifecycle },
  {
    row: "K12",
    what: "one replica",
    change: (all) => Object.assign(get(all, "HorizontalPodAutoscaler", "profile").spec, { minReplicas: 1 }),
  },
  {
    row: "K12",
    what: "a gap during a rollout",
    change: (all) =>
      Object.assign(get(all, "Deployment", "profile").spec.strategy.rollingUpdate, { maxUnavailable: 1 }),
  },
  {
    row: "K13",
    what: "a budget for nobody",
    change: (all) =>
      Object.assign(get(all, "PodDisruptionBudget", "profile").spec.selector.matchLabels, {
        "app.kubernetes.io/name": "profiles",
      }),
  },
  {
    row: "K13",
    what: "no disruption allowed",
    change: (all) => Object.assign(get(all, "PodDisruptionBudget", "profile").spec, { maxUnavailable: 0 }),
  },
  { row: "K14", what: "no spread over zones", change: (all) => pod(all).topologySpreadConstraints.shift() },
  {
    row: "K15",
    what: "fixed replicas",
    change: (all) => Object.assign(get(all, "Deployment", "profile").spec, { replicas: 2 }),
  },
  {
    row: "K15",
    what: "two scalers",
    change: (all) =>
      all.push({
        ...structuredClone(get(all, "HorizontalPodAutoscaler", "profile")),
        spec: { scaleTargetRef: { name: "delivery" } },
      }),
  },
  {
    row: "K15",
    what: "a quick way down",
    change: (all) => delete get(all, "HorizontalPodAutoscaler", "profile").spec.behavior,
  },
  {
    row: "K16",
    what: "another consumer",
    change: (all) =>
      Object.assign(get(all, "ScaledObject", "delivery").spec.triggers[0].metadata, { consumer: "delivery" }),
  },
  {
    row: "K17",
    what: "scaled by ack_pending",
    change: (all) =>
      Object.assign(get(all, "ScaledObject", "delivery").spec.triggers[1].metadata, {
        query: "jetstream_consumer_num_ack_pending",
      }),
  },
  { row: "K18", what: "no default", change: (all) => remove(all, "NetworkPolicy", "default-deny") },
];

const heapOf = (all: Parameters<typeof variable>[0], value: string): unknown =>
  Object.assign(variable(all, "NODE_OPTIONS"), { value });
