/** Ways to break the manifests that a check must notice; the row's number, or its first word, names the check. */
import type { Loose } from "../../../deploy/cluster/kustomize/objects.ts";
import { container, get, type Mutation, pod, policy, remove, settings } from "./mutation.ts";

export const SURROUNDING_MUTATIONS: Mutation[] = [
  {
    row: "K18",
    what: "a default for one",
    change: (all) =>
      Object.assign(policy(all, "default-deny").podSelector, {
        matchLabels: { "app.kubernetes.io/name": "profile" },
      }),
  },
  {
    row: "K19",
    what: "the gateway reaches MongoDB",
    change: (all) => policy(all, "allow-mongodb").podSelector.matchExpressions[0].values.push("gateway"),
  },
  {
    row: "K19",
    what: "everybody reaches everything on a port",
    change: (all) => delete policy(all, "allow-nats").egress[0].to,
  },
  {
    row: "K19",
    what: "the sender may not send",
    change: (all) => remove(all, "NetworkPolicy", "delivery-to-receivers"),
  },
  {
    row: "K19",
    what: "another service reaches the internet",
    change: (all) => Object.assign(policy(all, "delivery-to-receivers"), { podSelector: {} }),
  },
  {
    row: "K20",
    what: "a private range not excepted",
    change: (all) => policy(all, "delivery-to-receivers").egress[0].to[0].ipBlock.except.splice(1, 1),
  },
  {
    row: "K20",
    what: "a range excepted that the code allows",
    change: (all) => policy(all, "delivery-to-receivers").egress[0].to[1].ipBlock.except.push("2620::/16"),
  },
  {
    row: "K21",
    what: "the sender beside another",
    change: (all) => pod(all, "delivery").containers.push(container(all)),
  },
  {
    row: "K22",
    what: "a service reached from outside",
    change: (all) => Object.assign(policy(all, "gateway-from-ingress"), { podSelector: {} }),
  },
  {
    row: "K22",
    what: "measurements for everybody",
    change: (all) => delete policy(all, "ops-from-monitoring").ingress[0].from,
  },
  {
    row: "K23",
    what: "a secret in the environment",
    change: (all) =>
      container(all).env.push({
        name: "PBO_IDENTITY_KEYS",
        valueFrom: { secretKeyRef: { name: "profile", key: "identity-keys" } },
      }),
  },
  {
    row: "K23",
    what: "a secret in the manifest",
    change: (all) => container(all).env.push({ name: "PBO_NATS_PASSWORD", value: "hunter2" }),
  },
  {
    row: "K23",
    what: "a secret in the ConfigMap",
    change: (all) => Object.assign(settings(all), { PBO_MONGODB_URI: "mongodb://u:p@h" }),
  },
  {
    row: "K23",
    what: "a Secret object",
    change: (all) => all.push({ apiVersion: "v1", kind: "Secret", metadata: { name: "x" }, data: {} }),
  },
  {
    row: "K23",
    what: "a secret for all eyes",
    change: (all) =>
      Object.assign(pod(all).volumes.find(({ name }: Loose) => name === "secrets").secret, {
        defaultMode: 0o444,
      }),
  },
  {
    row: "K23",
    what: "a file that nothing provides",
    change: (all) => get(all, "ExternalSecret", "profile").spec.data.pop(),
  },
  {
    row: "K24",
    what: "a ConfigMap by a fixed name",
    change: (all) => Object.assign(container(all).envFrom[0].configMapRef, { name: "settings" }),
  },
  {
    row: "K41",
    what: "another's keys in the environment",
    change: (all) =>
      container(all, "gateway").env.push({
        name: "PBO_TOKEN_KEYS_FILE",
        value: "/etc/pbo/secrets/token-keys",
      }),
  },
  {
    row: "K41",
    what: "another's keys among the mounted files",
    change: (all) =>
      get(all, "ExternalSecret", "document").spec.data.push({
        secretKey: "identity-keys",
        remoteRef: { key: "partner-onboarding/identity-keys" },
      }),
  },
  {
    row: "K41",
    what: "the entry of one set behind the name of another",
    change: (all) =>
      Object.assign(
        get(all, "ExternalSecret", "delivery").spec.data.find(
          ({ secretKey }: Loose) => secretKey === "webhook-keys",
        ).remoteRef,
        { key: "partner-onboarding/identity-keys" },
      ),
  },
  {
    row: "K42",
    what: "a CA that every pod waits for",
    change: (all) =>
      delete pod(all).volumes.find(({ name }: Loose) => name === "ca").projected.sources[0].secret.optional,
  },
  {
    row: "K28",
    what: "a database not migrated",
    change: (all) => get(all, "Job", "migrate").spec.template.spec.containers.pop(),
  },
  {
    row: "K41",
    what: "a migration that is given more than its database",
    change: (all) => {
      for (const { secret } of get(all, "Job", "migrate").spec.template.spec.volumes) delete secret?.items;
    },
  },
  {
    row: "K28",
    what: "a job for ever",
    change: (all) => delete get(all, "Job", "migrate").spec.ttlSecondsAfterFinished,
  },
  {
    row: "K29",
    what: "a port that is not scraped",
    change: (all) =>
      Object.assign(get(all, "PodMonitor", "partner-onboarding").spec.podMetricsEndpoints[0], {
        port: "metrics",
      }),
  },
  {
    row: "K32",
    what: "a label missing",
    change: (all) =>
      delete get(all, "Deployment", "profile").spec.template.metadata.labels["app.kubernetes.io/part-of"],
  },
  { row: "K33", what: "no priority", change: (all) => delete pod(all, "gateway").priorityClassName },
  { row: "K34", what: "the host's network", change: (all) => Object.assign(pod(all), { hostNetwork: true }) },
  {
    row: "K34",
    what: "the host's files",
    change: (all) => pod(all).volumes.push({ name: "docker", hostPath: { path: "/var/run/docker.sock" } }),
  },
  {
    row: "K34",
    what: "a privileged container",
    change: (all) => Object.assign(container(all).securityContext, { privileged: true }),
  },
  {
    row: "K35",
    what: "a role",
    change: (all) =>
      all.push({ apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: { name: "x" } }),
  },
  {
    row: "K36",
    what: "a load balancer",
    change: (all) => Object.assign(get(all, "Service", "gateway").spec, { type: "LoadBalancer" }),
  },
  {
    row: "K43",
    what: "the state of the inside for everybody",
    change: (all) =>
      Object.assign(get(all, "Ingress", "gateway").spec.rules[0].http.paths[0], { pathType: "Prefix" }),
  },
  {
    row: "K43",
    what: "a route that nobody reaches",
    change: (all) => get(all, "Ingress", "gateway").spec.rules[0].http.paths.splice(1, 1),
  },
  {
    row: "K19",
    what: "storage in a namespace that is not the installation's",
    change: (all) =>
      Object.assign(policy(all, "document-to-storage").egress[0], {
        to: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "elsewhere" } } }],
      }),
  },
  {
    row: "Settings",
    what: "a misspelt setting",
    change: (all) => Object.assign(settings(all), { PBO_LOG_LEVLE: "info" }),
  },
  {
    row: "Settings",
    what: "a local exception",
    change: (all) => Object.assign(settings(all), { PBO_WEBHOOK_ALLOW_LOOPBACK: "true" }),
  },
  { row: "Settings", what: "a required setting missing", change: (all) => delete settings(all).PBO_NATS_URL },
  { row: "Volumes", what: "a mount without a volume", change: (all) => pod(all).volumes.shift() },
  {
    row: "Selectors",
    what: "pods of two Deployments",
    change: (all) =>
      Object.assign(get(all, "Deployment", "profile").spec.selector, {
        matchLabels: { "app.kubernetes.io/part-of": "partner-onboarding" },
      }),
  },
  {
    row: "Ports",
    what: "a Service without pods",
    change: (all) =>
      Object.assign(get(all, "Service", "gateway").spec.selector, { "app.kubernetes.io/name": "api" }),
  },
  {
    row: "Ports",
    what: "an Ingress to nowhere",
    change: (all) =>
      Object.assign(get(all, "Ingress", "gateway").spec.rules[0].http.paths[0].backend.service, {
        name: "api",
      }),
  },
  {
    row: "Ports",
    what: "a host without a certificate",
    change: (all) =>
      Object.assign(get(all, "Ingress", "gateway").spec.rules[0], { host: "other.example.com" }),
  },
];
