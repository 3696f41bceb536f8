/** K1, K2: every object is one the API server knows, with no field it would drop in silence. */
import { idOf, type KubeObject, type Loose } from "../../../deploy/cluster/kustomize/objects.ts";
import type { Check } from "./check.ts";

/** Throws one error that names everything that is wrong. */
type Model = { prototype: { validate(this: unknown): void } };

const MODELS: Record<string, () => Promise<object>> = {
  "v1 Namespace": () => import("kubernetes-models/v1/Namespace"),
  "v1 Service": () => import("kubernetes-models/v1/Service"),
  "v1 ServiceAccount": () => import("kubernetes-models/v1/ServiceAccount"),
  "v1 Secret": () => import("kubernetes-models/v1/Secret"),
  "v1 ConfigMap": () => import("kubernetes-models/v1/ConfigMap"),
  "apps/v1 Deployment": () => import("kubernetes-models/apps/v1/Deployment"),
  "apps/v1 StatefulSet": () => import("kubernetes-models/apps/v1/StatefulSet"),
  "batch/v1 Job": () => import("kubernetes-models/batch/v1/Job"),
  "policy/v1 PodDisruptionBudget": () => import("kubernetes-models/policy/v1/PodDisruptionBudget"),
  "autoscaling/v2 HorizontalPodAutoscaler": () =>
    import("kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler"),
  "networking.k8s.io/v1 Ingress": () => import("kubernetes-models/networking.k8s.io/v1/Ingress"),
  "networking.k8s.io/v1 NetworkPolicy": () => import("kubernetes-models/networking.k8s.io/v1/NetworkPolicy"),
  "scheduling.k8s.io/v1 PriorityClass": () => import("kubernetes-models/scheduling.k8s.io/v1/PriorityClass"),
  "external-secrets.io/v1 ExternalSecret": () =>
    import("@kubernetes-models/external-secrets/external-secrets.io/v1/ExternalSecret"),
  "keda.sh/v1alpha1 ScaledObject": () => import("@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject"),
  "monitoring.coreos.com/v1 PodMonitor": () =>
    import("@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor"),
  "monitoring.coreos.com/v1 PrometheusRule": () =>
    import("@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule"),
};

const models = new Map<string, Model>();
for (const [id, load] of Object.entries(MODELS)) {
  const kind = id.split(" ")[1] ?? "";
  models.set(id, (await load())[kind as never] as Model);
}

export const schemaValid: Check = {
  row: "K2 schema valid, no unknown field",
  problems: (objects) => objects.flatMap(schemaProblems),
};

function schemaProblems(object: KubeObject): string[] {
  const model = models.get(`${object.apiVersion} ${object.kind}`);
  if (!model) return [`${idOf(object)}: no schema for ${object.apiVersion}`];
  const unread: string[] = [];
  const watched = watchReads(object, "", unread);
  try {
    model.prototype.validate.call(watched.value);
  } catch (error) {
    return [`${idOf(object)}: ${(error as Error).message}`];
  }
  watched.finish();
  return unread.map((path) => `${idOf(object)}: ${path} is not a field`);
}

/**
 * The validators are compiled and say nothing of unknown fields, but they read every field they know. A field that was
 * not read while a sibling was asked for is unknown; an object of which no field was asked for is free-form.
 */
function watchReads(value: Loose, path: string, unread: string[]): { value: Loose; finish(): void } {
  if (typeof value !== "object" || value === null) return { value, finish: () => undefined };
  const children = new Map<string, ReturnType<typeof watchReads>>();
  const asked = new Set<string>();
  let listed = Array.isArray(value);
  for (const [key, child] of Object.entries(value))
    children.set(key, watchReads(child, `${path}/${key}`, unread));
  const proxy = new Proxy(value, {
    get(target, key) {
      if (typeof key !== "string") return Reflect.get(target, key);
      asked.add(key);
      return children.has(key) ? children.get(key)?.value : Reflect.get(target, key);
    },
    ownKeys(target) {
      listed = true;
      return Reflect.ownKeys(target);
    },
  });
  return {
    value: proxy,
    finish() {
      const structured = asked.size > 0 && !listed;
      if (structured) for (const key of children.keys()) if (!asked.has(key)) unread.push(`${path}/${key}`);
      for (const child of children.values()) child.finish();
    },
  };
}
