/**
 * Metrics in OpenMetrics' text format, which has what Prometheus' own lacks: an exemplar, the trace of one request that fell into
 * a bucket. The library writes either format but not both from one registry: it renames counters for good.
 */
type Sample = {
  value: number;
  labels: Readonly<Record<string, string | number | undefined>>;
  /** When it is not the metric's own name. */
  metricName?: string;
  exemplar?: Exemplar | null;
};
type Exemplar = { labelSet: Readonly<Record<string, string>>; value: number; timestamp: number };

type MetricFamily = { name: string; help: string; type: string; values: readonly Sample[] };

export const OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

export const openMetricsText = (families: readonly MetricFamily[]): string =>
  `${families.map(familyText).join("")}# EOF\n`;

function familyText({ name, help, type, values }: MetricFamily): string {
  const isCounter = type === "counter";
  const family = isCounter ? name.replace(/_total$/, "") : name;
  const own = isCounter ? `${family}_total` : name;
  const lines = values.map((sample) => `${sample.metricName ?? own}${sampleText(sample)}\n`);
  return `# HELP ${family} ${escaped(help)}\n# TYPE ${family} ${type}\n${lines.join("")}`;
}

const sampleText = ({ labels, value, exemplar }: Sample): string =>
  `${labelText(labels)} ${numberText(value)}${exemplar ? exemplarText(exemplar) : ""}`;

const exemplarText = ({ labelSet, value, timestamp }: Exemplar): string =>
  ` # ${labelText(labelSet)} ${numberText(value)} ${timestamp}`;

function labelText(labels: Sample["labels"]): string {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${name === "le" ? bound(value) : escaped(String(value))}"`,
  );
  return parts.length > 0 ? `{${parts.join(",")}}` : "";
}

/** The bound of a bucket is a float, also where it is whole. */
const bound = (value: unknown): string => (Number.isInteger(value) ? `${value}.0` : String(value));

const numberText = (value: number): string =>
  Number.isFinite(value) || Number.isNaN(value) ? String(value) : value > 0 ? "+Inf" : "-Inf";

const escaped = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
