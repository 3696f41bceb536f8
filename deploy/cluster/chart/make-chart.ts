/**
 * The Helm chart, made of the production overlay: it is rendered with a mark in place of every value of an installation, and
 * each mark becomes an expression. `deploy/run-node deploy/cluster/chart/write-chart.ts` writes it.
 */
import { stringify } from "yaml";
import { INSTALLATION, type Installation, PLACEHOLDER } from "../installation.rules.ts";
import { idOf, type KubeObject, type Loose } from "../kustomize/objects.ts";
import { FULL, PLAIN, productionWith } from "./variants.ts";

type Values = { [name: string]: Values | string | number | boolean };

/** Values that no other text contains; where a number is wanted, a number. */
const isCount = (key: string): boolean => key.startsWith("replicas.");
const markOf = (key: string, at: number): string =>
  isCount(key) ? String(9_100_000 + at) : `mark-${at}-value`;
const MARKS = INSTALLATION.map(({ key }, at) => ({ key, mark: markOf(key, at) }));
const marked: Installation = Object.fromEntries(MARKS.map(({ key, mark }) => [key, mark]));

const expression = (key: string): string =>
  `index .Values ${key
    .split(".")
    .map((part) => JSON.stringify(part))
    .join(" ")}`;

/** When an object is part of a release; everything else always is. */
const CONDITIONS: readonly { isMeant(object: KubeObject): boolean; value: string }[] = [
  { isMeant: ({ kind }) => kind === "ExternalSecret", value: ".Values.secrets.external" },
  {
    isMeant: ({ kind }) => kind === "PodMonitor" || kind === "PrometheusRule",
    value: ".Values.monitoring.enabled",
  },
  { isMeant: ({ metadata }) => metadata.name === "delivery", value: ".Values.keda.enabled" },
  { isMeant: ({ metadata }) => metadata.name === "document-to-storage", value: ".Values.storage.range" },
  { isMeant: ({ metadata }) => metadata.name === "allow-mongodb", value: ".Values.mongodb.range" },
];

export function chartFiles(installation: Installation, version: string): Record<string, string> {
  const [full, plain] = [productionWith(FULL, marked), productionWith(PLAIN, marked)];
  const values = defaultValues(installation, full);
  const only = (some: KubeObject[], others: KubeObject[]) =>
    some.filter((object) => !others.some((other) => JSON.stringify(other) === JSON.stringify(object)));
  const [onlyFull, onlyPlain] = [only(full, plain), only(plain, full)];
  const templates = [
    ...full.filter((object) => !onlyFull.includes(object)).map(template),
    ...onlyFull.map((object) => conditional(object, "if")),
    ...onlyPlain.map((object) => conditional(object, "if not")),
    template(hookSettings(full)),
  ];
  return {
    "Chart.yaml": stringify({
      apiVersion: "v2",
      name: "partner-onboarding",
      description: "Partner Business Onboarding (KYB), with its NATS servers",
      version,
      appVersion: version,
      kubeVersion: ">=1.30.0-0",
    }),
    "values.yaml": `${HEAD}\n${stringify(values)}`,
    "values.schema.json": `${JSON.stringify(schemaOf(values), null, 2)}\n`,
    "templates/objects.yaml": `${HEAD}\n${templates.join("---\n")}`,
  };
}

const HEAD = "# Made of deploy/k8s/overlays/production by deploy/cluster/chart/write-chart.ts.";

const conditional = (object: KubeObject, word: string): string => {
  const condition = CONDITIONS.find(({ isMeant }) => isMeant(object));
  if (!condition) throw new Error(`Nothing says when ${idOf(object)} is part of a release.`);
  return `{{- ${word} ${condition.value} }}\n${template(object)}{{- end }}\n`;
};

const HOOK = {
  "helm.sh/hook": "post-install,pre-upgrade",
  "helm.sh/hook-delete-policy": "before-hook-creation",
};
const SETTINGS = /^settings-[0-9a-z]{10}$/;
/** Named by its content, as kustomize does it, so that a changed setting makes new pods. */
const SETTINGS_NAME = "settings-{{ .Values | toJson | sha256sum | trunc 10 }}";

/** The migration comes before an upgrade, when the new settings are not there yet: it has a copy of its own. */
function hookSettings(objects: readonly KubeObject[]): KubeObject {
  const settings = objects.find(({ kind, metadata }) => kind === "ConfigMap" && SETTINGS.test(metadata.name));
  if (!settings) throw new Error("There are no settings.");
  const annotations = { ...HOOK, "helm.sh/hook-weight": "-1" };
  return { ...settings, metadata: { ...settings.metadata, name: "settings-migrate", annotations } };
}

function template(object: KubeObject): string {
  const copy: Loose = structuredClone(object);
  const isMigration = copy.kind === "Job";
  if (isMigration) copy.metadata.annotations = HOOK;
  if (copy.kind === "Deployment") takeSizesFromValues(copy);
  // Words of Prometheus that helm must not read.
  const text = stringify(copy, {
    defaultStringType: "QUOTE_DOUBLE",
    defaultKeyType: "PLAIN",
    lineWidth: 0,
    aliasDuplicateObjects: false,
  })
    .replaceAll("{{", '{{ "{{" }}')
    .replaceAll('"kustomize"', '"{{ .Release.Service }}"')
    .replaceAll(/"settings-[0-9a-z]{10}"/g, isMigration ? '"settings-migrate"' : `"${SETTINGS_NAME}"`)
    .replaceAll(/"resources of ([a-z-]+)"/g, '{{ toJson (index .Values.sizes "$1" "resources") }}')
    .replaceAll(/heap of ([a-z-]+)/g, '{{ index .Values.sizes "$1" "heapMiB" }}');
  return MARKS.reduce((all, { key, mark }) => all.replaceAll(mark, `{{ ${expression(key)} }}`), text);
}

/** Node's heap and the memory of the container belong together. */
function takeSizesFromValues({ metadata, spec }: Loose): void {
  const [container] = spec.template.spec.containers;
  container.resources = `resources of ${metadata.name}`;
  const options = container.env.find(({ name }: Loose) => name === "NODE_OPTIONS");
  options.value = options.value.replace(/\d+$/, `heap of ${metadata.name}`);
}

function defaultValues(installation: Installation, objects: readonly KubeObject[]): Values {
  const values = nested(installation);
  const sizes: Loose = {};
  for (const { kind, metadata, spec } of objects) {
    if (kind !== "Deployment") continue;
    const [{ resources, env }] = spec.template.spec.containers;
    const { value } = env.find(({ name }: Loose) => name === "NODE_OPTIONS");
    sizes[metadata.name] = { heapMiB: Number(/\d+$/.exec(value)?.[0]), resources };
  }
  const group = (name: string, more: Values): Values => ({
    [name]: { ...(values[name] as Values), ...more },
  });
  return {
    ...values,
    ...group("secrets", { external: true }),
    ...group("keda", { enabled: true }),
    ...group("monitoring", { enabled: true }),
    ...group("storage", { range: installation["storage.range"] ?? "" }),
    ...group("mongodb", { range: installation["mongodb.range"] ?? "" }),
    sizes,
  };
}

/** As helm has them: the parts of a name between its dots are levels. */
export function nested(installation: Installation): Values {
  const values: Values = {};
  for (const [key, value] of Object.entries(installation)) {
    const parts = key.split(".");
    const last = parts.pop() ?? "";
    let at = values;
    for (const part of parts) {
      at[part] ??= {};
      at = at[part] as Values;
    }
    at[last] = isCount(key) ? Number(value) : value;
  }
  return values;
}

/** The rules of an installation's values, in the words that helm checks. */
function schemaOf(values: Values): object {
  const rowOf = (key: string) => INSTALLATION.find((row) => row.key === key);
  const describe = (value: Values[string], key: string): object => {
    const row = rowOf(key);
    if (key.startsWith("sizes.")) return { type: "object" };
    if (typeof value === "object")
      return {
        type: "object",
        additionalProperties: false,
        properties: Object.fromEntries(
          Object.entries(value).map(([name, child]) => [
            name,
            describe(child, key ? `${key}.${name}` : name),
          ]),
        ),
      };
    if (!row) return { type: typeof value };
    if (typeof value === "number") return { type: "integer", minimum: 1, description: row.meaning };
    const pattern = row.optional ? `^$|${row.pattern.source}` : row.pattern.source;
    return { type: "string", description: row.meaning, pattern, not: { pattern: PLACEHOLDER.source } };
  };
  return { $schema: "http://json-schema.org/draft-07/schema#", ...describe(values, "") };
}
