/** Values of the official nats Helm chart (2.x), for those who prefer it to deploy/k8s/nats: the same servers. */
import { NATS } from "./server-config.ts";

const RESTRICTED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
};
const tls = {
  enabled: true,
  secretName: NATS.tlsSecret,
  merge: { timeout: NATS.tlsTimeoutSeconds },
};

export const chartValues = () => ({
  // Without it routes have no CA to check each other by.
  tlsCA: { enabled: true, secretName: NATS.tlsSecret },
  config: {
    cluster: {
      enabled: true,
      replicas: NATS.servers,
      routeURLs: { useFQDN: true },
      tls,
    },
    jetstream: {
      enabled: true,
      memoryStore: { enabled: false },
      fileStore: {
        enabled: true,
        // As text: of a large number helm makes 4.3e+10.
        maxSize: `${NATS.maxFileStoreGib}Gi`,
        pvc: { enabled: true, size: NATS.storage.size },
      },
      merge: { sync_interval: NATS.syncInterval },
    },
    nats: { tls },
    monitor: { enabled: true },
    merge: {
      max_payload: NATS.maxPayload,
      // NATS reads an include relative to its own file.
      $include: `../${NATS.accountsDir.replace("/etc/", "")}/accounts.conf`,
    },
  },
  container: {
    // Four fifths of the memory limit: the collector works harder before the kernel ends the process.
    env: { GOMEMLIMIT: "1638MiB" },
    merge: {
      resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { memory: "2Gi" } },
      securityContext: RESTRICTED,
    },
    // The chart gives the reloader every mount of this container: a second one there would be the same path twice.
    patch: [
      {
        op: "add",
        path: "/volumeMounts/-",
        value: { name: "accounts", mountPath: NATS.accountsDir, readOnly: true },
      },
    ],
  },
  reloader: { merge: { securityContext: RESTRICTED } },
  promExporter: {
    enabled: true,
    podMonitor: { enabled: true },
    merge: { securityContext: RESTRICTED },
  },
  podTemplate: {
    topologySpreadConstraints: {
      "topology.kubernetes.io/zone": { maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" },
      "kubernetes.io/hostname": { maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" },
    },
    merge: {
      spec: {
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 65532,
          runAsGroup: 65532,
          fsGroup: 65532,
          seccompProfile: { type: "RuntimeDefault" },
        },
      },
    },
    patch: [
      {
        op: "add",
        path: "/spec/volumes/-",
        // 256 is octal 0400.
        value: { name: "accounts", secret: { secretName: NATS.accountsSecret, defaultMode: 256 } },
      },
    ],
  },
  podDisruptionBudget: { enabled: true },
  natsBox: { enabled: false },
});
