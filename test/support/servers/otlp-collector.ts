/** An OpenTelemetry collector that keeps spans in memory. */
import { createServer } from "node:http";
import { listen } from "./listen.ts";

export type CollectedSpan = {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: number;
  startMs: number;
  endMs: number;
  attributes: Record<string, string | number | boolean>;
  error: string | null;
  links: string[];
};

type Value = { stringValue?: string; intValue?: string; doubleValue?: number; boolValue?: boolean };
type Attribute = { key: string; value: Value };
type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status?: { code: number; message?: string };
  links?: { traceId: string }[];
};
type OtlpBody = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
};

export async function startOtlpCollector() {
  const spans: CollectedSpan[] = [];
  const paths: string[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      paths.push(`${request.method} ${request.url} ${request.headers["content-type"]}`);
      if (status === 200) spans.push(...read(JSON.parse(Buffer.concat(chunks).toString("utf8"))));
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  const { port, close } = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    paths,
    answer(code: number) {
      status = code;
    },
    close,
  };
}

const read = ({ resourceSpans }: OtlpBody): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(plain(resource.attributes)["service.name"]);
    return scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        service,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? null,
        name: span.name,
        kind: span.kind,
        startMs: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
        endMs: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
        attributes: plain(span.attributes),
        error: span.status?.code === 2 ? (span.status.message ?? "") : null,
        links: (span.links ?? []).map(({ traceId }) => traceId),
      })),
    );
  });

const plain = (attributes: Attribute[]): Record<string, string | number | boolean> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));

const plainValue = ({ stringValue, intValue, doubleValue, boolValue }: Value) =>
  stringValue ?? boolValue ?? doubleValue ?? Number(intValue);
