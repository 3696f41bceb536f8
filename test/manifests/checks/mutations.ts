/** Ways to break the manifests that a check must notice: by the row's number, or its first word. */
import type { KubeObject, Loose } from "../../../deploy/cluster/kustomize/objects.ts";
import { named } from "./check.ts";

type Change = (objects: KubeObject[]) => unknown;

const get = (objects: KubeObject[], kind: string, name: string): KubeObject => {
  const object = named(objects, kind, name);
  if (!object) throw new Error(`no ${kind}/${name}`);
  return object;
};
const pod = (objects: KubeObject[], name = "profile"): Loose =>
  get(objects, "Deployment", name).spec.template.spec;
const container = (objects: KubeObject[], name = "profile"): Loose => pod(objects, name).containers[0];
const policy = (objects: KubeObject[], name: string): Loose => get(objects, "NetworkPolicy", name).spec;
const settings = (objects: KubeObject[]): Loose =>
  objects.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name.startsWith("settings"))?.data;
const heapOf = (objects: KubeObject[], value: string): unknown =>
  Object.assign(
    container(objects).env.find(({ name }: Loose) => name === "NODE_OPTIONS"),
    { value },
  );
const remove = (objects: KubeObject[], kind: string, name: string): unknown =>
  objects.splice(objects.indexOf(get(objects, kind, name)), 1);

export const MUTATIONS: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  K1: {
    "an object twice": (all) => all.push(structuredClone(get(all, "Service", "gateway"))),
    "a service left out": (all) => remove(all, "Deployment", "document"),
    "another namespace": (all) =>
      Object.assign(get(all, "Deployment", "profile").metadata, { namespace: "default" }),
  },
  K2: {
    "a misspelt field": (all) => Object.assign(container(all), { readinesProbe: {} }),
    "an unknown field of a custom resource": (all) =>
      Object.assign(get(all, "ExternalSecret", "profile").spec, { refreshIntervall: "1h" }),
    "a wrong type": (all) => Object.assign(pod(all), { terminationGracePeriodSeconds: "60" }),
    "a required field missing": (all) => delete get(all, "Deployment", "profile").spec.selector,
  },
  K3: {
    "a baseline namespace": (all) =>
      Object.assign(get(all, "Namespace", "partner-onboarding").metadata.labels ?? {}, {
        "pod-security.kubernetes.io/enforce": "baseline",
      }),
  },
  K4: {
    root: (all) => Object.assign(pod(all).securityContext, { runAsUser: 0 }),
    "no seccomp profile": (all) => delete pod(all).securityContext.seccompProfile,
  },
  K5: {
    "a writable root": (all) => delete container(all).securityContext.readOnlyRootFilesystem,
    "a capability": (all) => Object.assign(container(all).securityContext.capabilities, { add: ["NET_RAW"] }),
    "an endless /tmp": (all) =>
      delete pod(all).volumes.find(({ name }: Loose) => name === "tmp").emptyDir.sizeLimit,
  },
  K6: {
    "a mounted token": (all) => Object.assign(pod(all), { automountServiceAccountToken: true }),
    "another's account": (all) => Object.assign(pod(all), { serviceAccountName: "delivery" }),
  },
  K7: {
    latest: (all) => Object.assign(container(all), { image: "registry.example.com/app:latest" }),
    "a shell": (all) => Object.assign(container(all), { command: ["sh", "-c", "npm start"] }),
  },
  K8: {
    "a heap above the limit": (all) => heapOf(all, "--max-semi-space-size=16 --max-old-space-size=1024"),
    "a young generation as large as it likes": (all) => heapOf(all, "--max-old-space-size=576"),
    "a young generation above the limit": (all) =>
      heapOf(all, "--max-semi-space-size=64 --max-old-space-size=576"),
    "no memory limit": (all) => delete container(all).resources.limits,
  },
  K9: {
    "readiness that asks for life": (all) =>
      Object.assign(container(all).readinessProbe.httpGet, { path: "/healthz" }),
    "a port that is not there": (all) =>
      Object.assign(container(all).livenessProbe.httpGet, { port: "metrics" }),
  },
  K10: {
    "a short grace period": (all) => Object.assign(pod(all), { terminationGracePeriodSeconds: 30 }),
    "a longer drain": (all) => Object.assign(settings(all), { PBO_STOP_DEADLINE_MS: "60000" }),
    "no preStop": (all) => delete container(all).lifecycle,
  },
  K12: {
    "one replica": (all) =>
      Object.assign(get(all, "HorizontalPodAutoscaler", "profile").spec, { minReplicas: 1 }),
    "a gap during a rollout": (all) =>
      Object.assign(get(all, "Deployment", "profile").spec.strategy.rollingUpdate, { maxUnavailable: 1 }),
  },
  K13: {
    "a budget for nobody": (all) =>
      Object.assign(get(all, "PodDisruptionBudget", "profile").spec.selector.matchLabels, {
        "app.kubernetes.io/name": "profiles",
      }),
    "no disruption allowed": (all) =>
      Object.assign(get(all, "PodDisruptionBudget", "profile").spec, { maxUnavailable: 0 }),
  },
  K14: {
    "no spread over zones": (all) => pod(all).topologySpreadConstraints.shift(),
  },
  K15: {
    "fixed replicas": (all) => Object.assign(get(all, "Deployment", "profile").spec, { replicas: 2 }),
    "two scalers": (all) =>
      all.push({
        ...structuredClone(get(all, "HorizontalPodAutoscaler", "profile")),
        spec: { scaleTargetRef: { name: "delivery" } },
      }),
    "a quick way down": (all) => delete get(all, "HorizontalPodAutoscaler", "profile").spec.behavior,
  },
  K16: {
    "another consumer": (all) =>
      Object.assign(get(all, "ScaledObject", "delivery").spec.triggers[0].metadata, { consumer: "delivery" }),
  },
  K17: {
    "scaled by ack_pending": (all) =>
      Object.assign(get(all, "ScaledObject", "delivery").spec.triggers[1].metadata, {
        query: "jetstream_consumer_num_ack_pending",
      }),
  },
  K18: {
    "no default": (all) => remove(all, "NetworkPolicy", "default-deny"),
    "a default for one": (all) =>
      Object.assign(policy(all, "default-deny").podSelector, {
        matchLabels: { "app.kubernetes.io/name": "profile" },
      }),
  },
  K19: {
    "the gateway reaches MongoDB": (all) =>
      policy(all, "allow-mongodb").podSelector.matchExpressions[0].values.push("gateway"),
    "everybody reaches everything on a port": (all) => delete policy(all, "allow-nats").egress[0].to,
    "the sender may not send": (all) => remove(all, "NetworkPolicy", "delivery-to-receivers"),
    "another service reaches the internet": (all) =>
      Object.assign(policy(all, "delivery-to-receivers"), { podSelector: {} }),
    "storage in a namespace that is not the installation's": (all) =>
      Object.assign(policy(all, "document-to-storage").egress[0], {
        to: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "elsewhere" } } }],
      }),
  },
  K20: {
    "a private range not excepted": (all) =>
      policy(all, "delivery-to-receivers").egress[0].to[0].ipBlock.except.splice(1, 1),
    "a range excepted that the code allows": (all) =>
      policy(all, "delivery-to-receivers").egress[0].to[1].ipBlock.except.push("2620::/16"),
  },
  K21: {
    "the sender beside another": (all) => pod(all, "delivery").containers.push(container(all)),
  },
  K22: {
    "a service reached from outside": (all) =>
      Object.assign(policy(all, "gateway-from-ingress"), { podSelector: {} }),
    "measurements for everybody": (all) => delete policy(all, "ops-from-monitoring").ingress[0].from,
  },
  K23: {
    "a secret in the environment": (all) =>
      container(all).env.push({
        name: "PBO_IDENTITY_KEYS",
        valueFrom: { secretKeyRef: { name: "profile", key: "identity-keys" } },
      }),
    "a secret in the manifest": (all) =>
      container(all).env.push({ name: "PBO_NATS_PASSWORD", value: "hunter2" }),
    "a secret in the ConfigMap": (all) =>
      Object.assign(settings(all), { PBO_MONGODB_URI: "mongodb://u:p@h" }),
    "a Secret object": (all) =>
      all.push({ apiVersion: "v1", kind: "Secret", metadata: { name: "x" }, data: {} }),
    "a secret for all eyes": (all) =>
      Object.assign(pod(all).volumes.find(({ name }: Loose) => name === "secrets").secret, {
        defaultMode: 0o444,
      }),
    "a file that nothing provides": (all) => get(all, "ExternalSecret", "profile").spec.data.pop(),
  },
  K24: {
    "a ConfigMap by a fixed name": (all) =>
      Object.assign(container(all).envFrom[0].configMapRef, { name: "settings" }),
  },
  K28: {
    "a database not migrated": (all) => get(all, "Job", "migrate").spec.template.spec.containers.pop(),
    "a job for ever": (all) => delete get(all, "Job", "migrate").spec.ttlSecondsAfterFinished,
  },
  K29: {
    "a port that is not scraped": (all) =>
      Object.assign(get(all, "PodMonitor", "partner-onboarding").spec.podMetricsEndpoints[0], {
        port: "metrics",
      }),
  },
  K32: {
    "a label missing": (all) =>
      delete get(all, "Deployment", "profile").spec.template.metadata.labels["app.kubernetes.io/part-of"],
  },
  K33: {
    "no priority": (all) => delete pod(all, "gateway").priorityClassName,
  },
  K34: {
    "the host's network": (all) => Object.assign(pod(all), { hostNetwork: true }),
    "the host's files": (all) =>
      pod(all).volumes.push({ name: "docker", hostPath: { path: "/var/run/docker.sock" } }),
    "a privileged container": (all) => Object.assign(container(all).securityContext, { privileged: true }),
  },
  K35: {
    "a role": (all) =>
      all.push({ apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: { name: "x" } }),
  },
  K36: {
    "a load balancer": (all) => Object.assign(get(all, "Service", "gateway").spec, { type: "LoadBalancer" }),
  },
  K41: {
    "another's keys in the environment": (all) =>
      container(all, "gateway").env.push({
        name: "PBO_TOKEN_KEYS_FILE",
        value: "/etc/pbo/secrets/token-keys",
      }),
    "another's keys among the mounted files": (all) =>
      get(all, "ExternalSecret", "document").spec.data.push({
        secretKey: "identity-keys",
        remoteRef: { key: "partner-onboarding/identity-keys" },
      }),
    "the entry of one set behind the name of another": (all) =>
      Object.assign(
        get(all, "ExternalSecret", "delivery").spec.data.find(
          ({ secretKey }: Loose) => secretKey === "webhook-keys",
        ).remoteRef,
        { key: "partner-onboarding/identity-keys" },
      ),
    "a migration that is given more than its database": (all) => {
      for (const { secret } of get(all, "Job", "migrate").spec.template.spec.volumes) delete secret?.items;
    },
  },
  K42: {
    "a CA that every pod waits for": (all) =>
      delete pod(all).volumes.find(({ name }: Loose) => name === "ca").projected.sources[0].secret.optional,
  },
  K43: {
    "the state of the inside for everybody": (all) =>
      Object.assign(get(all, "Ingress", "gateway").spec.rules[0].http.paths[0], { pathType: "Prefix" }),
    "a route that nobody reaches": (all) =>
      get(all, "Ingress", "gateway").spec.rules[0].http.paths.splice(1, 1),
  },
  Settings: {
    "a misspelt setting": (all) => Object.assign(settings(all), { PBO_LOG_LEVLE: "info" }),
    "a local exception": (all) => Object.assign(settings(all), { PBO_WEBHOOK_ALLOW_LOOPBACK: "true" }),
    "a required setting missing": (all) => delete settings(all).PBO_NATS_URL,
  },
  Volumes: {
    "a mount without a volume": (all) => pod(all).volumes.shift(),
  },
  Selectors: {
    "pods of two Deployments": (all) =>
      Object.assign(get(all, "Deployment", "profile").spec.selector, {
        matchLabels: { "app.kubernetes.io/part-of": "partner-onboarding" },
      }),
  },
  Ports: {
    "a Service without pods": (all) =>
      Object.assign(get(all, "Service", "gateway").spec.selector, { "app.kubernetes.io/name": "api" }),
    "an Ingress to nowhere": (all) =>
      Object.assign(get(all, "Ingress", "gateway").spec.rules[0].http.paths[0].backend.service, {
        name: "api",
      }),
    "a host without a certificate": (all) =>
      Object.assign(get(all, "Ingress", "gateway").spec.rules[0], { host: "other.example.com" }),
  },
};
