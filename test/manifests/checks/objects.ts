/** K1, K3, K28, K32, K35, K36, K43: the objects around the pods. */
import { idOf, type Loose } from "../../../deploy/cluster/kustomize/objects.ts";
import { MIGRATION_PARTS } from "../../../deploy/lib/migrate.ts";
import { PAGES, ROUTES } from "../../../gateway/routes.ts";
import { SERVICE_NAMES } from "../../../shared/config/config.ts";
import { type Check, each, ofKind, podsOf } from "./check.ts";

const complete: Check = {
  row: "K1 every process is there, once, in the namespace",
  problems: (objects) => {
    const ids = objects.map((object) => `${object.apiVersion} ${idOf(object)}`);
    const spaces = new Set(objects.map(({ metadata }) => metadata.namespace).filter(Boolean));
    const missing = ["gateway", ...SERVICE_NAMES].filter(
      (name) => !ids.includes(`apps/v1 Deployment/${name}`),
    );
    return [
      ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is there twice`),
      ...missing.map((name) => `${name} is not deployed`),
      ...(spaces.size === 1 && ofKind(objects, "Namespace").every(({ metadata }) => spaces.has(metadata.name))
        ? []
        : [`namespaces ${[...spaces].join(", ")}`]),
    ];
  },
};

const podSecurityStandard: Check = {
  row: "K3 the namespace enforces the restricted standard",
  problems: (objects) => {
    const spaces = ofKind(objects, "Namespace");
    if (spaces.length !== 1) return [`${spaces.length} namespaces`];
    return ["enforce", "warn", "audit"]
      .filter((mode) => spaces[0]?.metadata.labels?.[`pod-security.kubernetes.io/${mode}`] !== "restricted")
      .map((mode) => `${mode} is not restricted`);
  },
};

const migrateJob: Check = {
  row: "K28 a job migrates the streams and the database of every service, and ends",
  problems: (objects) => {
    const job = ofKind(objects, "Job").find(({ metadata }) => metadata.name === "migrate");
    if (!job) return ["there is no job"];
    const { backoffLimit, ttlSecondsAfterFinished, activeDeadlineSeconds, template } = job.spec;
    const commands = template.spec.containers.map(({ command }: Loose) => command.join(" "));
    return [
      ...MIGRATION_PARTS.filter(
        (part) => !commands.includes(`node deploy/admin/main.ts migrate --part ${part}`),
      ).map((part) => `${part} is not migrated`),
      ...(backoffLimit > 0 ? [] : ["is not tried again"]),
      ...(ttlSecondsAfterFinished > 0 ? [] : ["stays for ever"]),
      ...(activeDeadlineSeconds > 0 ? [] : ["may hang for ever"]),
      ...ofKind(objects, "Deployment")
        .filter(({ metadata }) => metadata.labels?.["app.kubernetes.io/component"] !== "process")
        .map(({ metadata }) => `Deployment/${metadata.name} cannot be held back until the job is done`),
    ];
  },
};

const LABELS = ["name", "part-of", "managed-by"].map((label) => `app.kubernetes.io/${label}`);

const labels: Check = {
  row: "K32 the recommended labels",
  problems: (objects) =>
    [
      ...objects
        .filter(({ kind }) => kind !== "ConfigMap")
        .map((object) => ({ name: idOf(object), has: object.metadata.labels ?? {} })),
      ...podsOf(objects).map((pod) => ({ name: `pods of ${pod.name}`, has: pod.labels })),
    ].flatMap(({ name, has }) =>
      LABELS.filter((label) => !has[label]).map((label) => `${name}: no ${label}`),
    ),
};

const noRights: Check = {
  row: "K35 no rights in the cluster",
  problems: (objects) =>
    objects
      .filter(({ apiVersion }) => apiVersion.startsWith("rbac."))
      .map((object) => `${idOf(object)} gives rights that no process needs`),
};

const services: Check = {
  row: "K36 one Service, inside the cluster",
  problems: (objects) => {
    const found = ofKind(objects, "Service");
    return [
      ...(found.map(({ metadata }) => metadata.name).join() === "gateway"
        ? []
        : ["services other than the gateway's"]),
      ...each(found, idOf, ({ spec }) => [
        spec.type !== "ClusterIP" && `is a ${spec.type}`,
        spec.clusterIP === "None" && "is headless",
      ]),
    ];
  },
};

const INSIDE = ["/readyz"];

const publicPaths: Check = {
  row: "K43 the world reaches every route and page of the gateway, and nothing that tells of the inside",
  problems: (objects) => {
    const paths: Loose[] = ofKind(objects, "Ingress")
      .filter(({ metadata }) => metadata.name === "gateway")
      .flatMap(({ spec }) => spec.rules)
      .flatMap(({ http }: Loose) => http.paths);
    const isReached = (wanted: string) =>
      paths.some(({ path, pathType }) =>
        pathType === "Exact" ? wanted === path : `${wanted}/`.startsWith(path === "/" ? path : `${path}/`),
      );
    const wanted = [...ROUTES, ...PAGES].map(({ path }) => path).filter((path) => !INSIDE.includes(path));
    return [
      ...wanted.filter((path) => !isReached(path)).map((path) => `${path} is not reached`),
      ...INSIDE.filter(isReached).map((path) => `${path} is reached by the world`),
    ];
  },
};

export const objectChecks: Check[] = [
  complete,
  podSecurityStandard,
  migrateJob,
  labels,
  noRights,
  services,
  publicPaths,
];
