/** Finds the row of an address, with its parameters and query, or refuses the address. */
import { parse } from "node:querystring";
import { AppError } from "../shared/errors.ts";
import type { Row } from "./route.ts";

type Address = Pick<Row, "method" | "path" | "envelope">;
type Params = Record<string, string>;
type Query = Record<string, unknown>;
/** Parts of an address beyond its row. */
export type Found = { params: Params; query: Query };

export type Router<R> = {
  /** Throws Route.NotFound or Request.MethodNotAllowed. */
  find(method: string, target: string): { row: R; found: Found };
  /** Envelope of an address without a row: that of the rows with the same beginning. */
  envelopeNear(target: string): Row["envelope"];
};

const NOTHING_FOUND: Found = { params: {}, query: {} };

export function createRouter<R extends Address>(rows: readonly R[]): Router<R> {
  const isExact = ({ path }: R) => !/[:*]/.test(path);
  const exact = new Map(rows.filter(isExact).map((row) => [`${row.method} ${row.path}`, row]));
  const patterns = rows
    .toSorted((a, b) => parameterCount(a) - parameterCount(b))
    .map((row) => ({ row, pattern: patternOf(row.path) }));
  const byMethod = Map.groupBy(patterns, ({ row }) => row.method as string);
  const envelopes = envelopesByPrefix(rows);

  function* matches(candidates: typeof patterns, path: string): Generator<{ row: R; params: Params }> {
    for (const { row, pattern } of candidates) {
      const match = pattern.exec(path);
      if (match) yield { row, params: decoded(match.groups ?? {}) };
    }
  }

  return {
    find(method, target) {
      const row = exact.get(`${method} ${target}`);
      if (row) return { row, found: NOTHING_FOUND };
      const [path, query] = split(target);
      const [match] = matches(byMethod.get(method) ?? [], path);
      if (match) return { row: match.row, found: { params: match.params, query: readQuery(query) } };
      throw refusal(new Set([...matches(patterns, path)].map((other) => other.row.method)));
    },
    envelopeNear(target) {
      let prefix = "";
      let envelope: Row["envelope"] = "partner";
      for (const segment of split(target)[0].split("/").slice(1)) {
        prefix += `/${segment}`;
        const shared = envelopes.get(prefix);
        if (!shared) break;
        envelope = shared;
      }
      return envelope;
    },
  };
}

/** A name comes before a parameter: /cases/counts is no /cases/:customerId. */
const parameterCount = ({ path }: Address): number => path.split(":").length;

const patternOf = (path: string): RegExp => {
  const pattern = path
    .replaceAll(".", "\\.")
    .replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")
    .replace(/\*(\w+)/, "(?<$1>.+)");
  return new RegExp(`^${pattern}/?$`, "i");
};

/** Path and query; a slash at the end of the path does not count. */
function split(target: string): [path: string, query: string] {
  const at = target.indexOf("?", 1);
  const path = at === -1 ? target : target.slice(0, at);
  return [
    path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path,
    at === -1 ? "" : target.slice(at + 1),
  ];
}

function decoded(groups: Params): Params {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch (cause) {
    throw new AppError("Route.NotFound", "The address holds a malformed escape.", { cause });
  }
}

/** A parameter given twice or with brackets is a list, which no action takes for a text. */
function readQuery(text: string): Query {
  const query: Query = Object.create(null);
  for (const [name, value] of Object.entries(parse(text))) {
    const [plain = ""] = name.split("[", 1);
    if (name !== "")
      query[plain] = name === plain && !(plain in query) ? value : [query[plain] ?? [], value].flat();
  }
  return query;
}

function envelopesByPrefix(rows: readonly Address[]): Map<string, Row["envelope"]> {
  const envelopes = new Map<string, Row["envelope"]>();
  for (const { path, envelope } of rows) {
    const segments = path.split("/");
    for (let length = 2; length <= segments.length; length += 1) {
      const prefix = segments.slice(0, length).join("/");
      envelopes.set(prefix, (envelopes.get(prefix) ?? envelope) === envelope ? envelope : "partner");
    }
  }
  return envelopes;
}

function refusal(methods: ReadonlySet<string>): AppError {
  if (methods.size === 0)
    return new AppError("Route.NotFound", "There is nothing at this address. See /docs for the API.");
  const allow = [...methods, ...(methods.has("GET") ? ["HEAD"] : [])].join(", ");
  return new AppError("Request.MethodNotAllowed", `This address takes ${allow}.`, {
    headers: { Allow: allow },
  });
}
