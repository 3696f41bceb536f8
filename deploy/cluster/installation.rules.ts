/** The values in which one installation differs from another: of an overlay's installation.yaml, and of the Helm chart. */
import { SERVICE_NAMES } from "../../shared/config/config.ts";

type Row = {
  /** As in installation.yaml; in the chart the parts between the dots are levels. */
  key: string;
  meaning: string;
  pattern: RegExp;
  /** Only some overlays need it. */
  optional?: true;
};

export type Installation = Readonly<Record<string, string>>;

const NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;
const HOST = /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/;
const HTTPS = /^https:\/\/[a-z0-9.-]+(:\d+)?(\/\S*)?$/;
const RANGE = /^[0-9a-f.:]+\/\d+$/;
const RANGES = /^[0-9a-f.:]+\/\d+(,[0-9a-f.:]+\/\d+)*$/;
const COUNT = /^[1-9]\d*$/;

const PROCESSES = ["gateway", ...SERVICE_NAMES] as const;

export const INSTALLATION: readonly Row[] = [
  {
    key: "image",
    meaning: "the image of all processes, by its digest",
    pattern: /^[\w.\-/:]+@sha256:[0-9a-f]{64}$/,
  },
  { key: "hosts.api", meaning: "host of the API and the dashboard", pattern: HOST },
  { key: "hosts.uploads", meaning: "host of storage, as in upload links", pattern: HOST },
  { key: "ingress.class", meaning: "IngressClass", pattern: NAME },
  { key: "ingress.namespace", meaning: "where the ingress controller runs", pattern: NAME },
  { key: "ingress.issuer", meaning: "ClusterIssuer of the certificates that the world sees", pattern: NAME },
  {
    key: "ingress.addresses",
    meaning: "of the ingress controller's pods (PBO_TRUSTED_PROXIES)",
    pattern: RANGES,
  },
  { key: "monitoring.namespace", meaning: "where Prometheus runs", pattern: NAME },
  {
    key: "monitoring.release",
    meaning: "label release, by which Prometheus finds monitors and rules",
    pattern: NAME,
  },
  { key: "monitoring.runbook", meaning: "address at which you serve the runbook", pattern: HTTPS },
  { key: "keda.namespace", meaning: "where KEDA runs", pattern: NAME },
  { key: "keda.prometheus", meaning: "Prometheus, as KEDA reaches it", pattern: /^https?:\/\/\S+$/ },
  { key: "secrets.store", meaning: "ClusterSecretStore of External Secrets", pattern: NAME },
  { key: "nats.storageClass", meaning: "StorageClass of JetStream's volumes", pattern: NAME },
  { key: "mongodb.namespace", meaning: "where MongoDB runs", pattern: NAME },
  {
    key: "mongodb.range",
    meaning: "addresses of a MongoDB outside the cluster",
    pattern: RANGE,
    optional: true,
  },
  {
    key: "mongodb.hosts",
    meaning: "members or routers (PBO_MONGODB_HOSTS)",
    pattern: /^[\w.-]+:\d+(,[\w.-]+:\d+)*$/,
  },
  { key: "mongodb.replicaSet", meaning: "name of the set; empty behind routers", pattern: /^[\w-]*$/ },
  { key: "storage.endpoint", meaning: "S3 API, as the document service reaches it", pattern: HTTPS },
  {
    key: "storage.pathStyle",
    meaning: "true or false: whether the bucket is in the path",
    pattern: /^(true|false)$/,
  },
  { key: "storage.bucket", meaning: "bucket of the documents", pattern: NAME },
  { key: "storage.region", meaning: "region of the bucket", pattern: NAME },
  {
    key: "storage.range",
    meaning: "addresses of a storage outside the cluster",
    pattern: RANGE,
    optional: true,
  },
  {
    key: "storage.namespace",
    meaning: "where storage runs, or the bridge that notifies NATS",
    pattern: NAME,
  },
  { key: "scanner.address", meaning: "clamd, host:port, or none", pattern: /^(none|[\w.-]+:\d+)$/ },
  { key: "scanner.namespace", meaning: "where clamd runs", pattern: NAME },
  ...PROCESSES.flatMap((name): Row[] => [
    { key: `replicas.${name}.min`, meaning: `fewest pods of ${name}`, pattern: COUNT },
    { key: `replicas.${name}.max`, meaning: `most pods of ${name}`, pattern: COUNT },
  ]),
];

/** Reserved names, and a digest that no image has. */
export const PLACEHOLDER = /\bexample\.(com|net|org)\b|sha256:0{64}/;

/** Everything that is wrong at once. */
export function installationProblems(given: Installation): string[] {
  const known = new Set(INSTALLATION.map(({ key }) => key));
  return [
    ...Object.keys(given)
      .filter((key) => !known.has(key))
      .map((key) => `${key} is not a value of an installation`),
    ...INSTALLATION.flatMap(({ key, meaning, pattern, optional }) => {
      const value = given[key];
      if (value === undefined) return optional ? [] : [`${key} is missing: ${meaning}`];
      if (PLACEHOLDER.test(value)) return [`${key} is a placeholder: ${meaning}`];
      return pattern.test(value) ? [] : [`${key} is not ${meaning}: ${value}`];
    }),
    ...PROCESSES.filter(
      (name) => Number(given[`replicas.${name}.max`]) < Number(given[`replicas.${name}.min`]),
    ).map((name) => `replicas.${name}: more at least than at most`),
  ];
}
