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

/** Further segments of an unknown address decide nothing. */
const MAX_SEGMENTS = 6;
const NOTHING_FOUND: Found = { params: {}, query: {} };

export function createRouter<R extends Address>(rows: readonly R[]): Router<R> {
  const isExact = ({ path }: R) => !/[:*]/.test(path);
  const exact = new Map(rows.filter(isExact).map((row) => [`${row.method} ${row.path}`, row]));
  const patterns = rows.toSorted((a, b) => parameterCount(a) - parameterCount(b)).map(patternOf);
  // The rest of a path may have any number of segments.
  const rest = patterns.filter(({ row }) => row.path.includes("*"));
  const bySize = Map.groupBy(patterns, ({ row }) => `${row.method} ${sizeOf(row.path)}`);

  return {
    find(method, target) {
      const row = exact.get(`${method} ${target}`);
      if (row) return { row, found: NOTHING_FOUND };
      const [path, query] = split(target);
      const match =
        firstMatch(bySize.get(`${method} ${sizeOf(path)}`), path) ??
        firstMatch(
          rest.filter((other) => other.row.method === method),
          path,
        );
      if (match) return { row: match.row, found: { params: match.params, query: readQuery(query) } };
      const others = patterns.filter((other) => firstMatch([other], path));
      throw refusal(new Set(others.map((other) => other.row.method)));
    },
    envelopeNear(target) {
      const segments = split(target)[0].split("/", MAX_SEGMENTS);
      for (let length = segments.length; length > 1; length -= 1) {
        const prefix = segments.slice(0, length).join("/");
        const near = rows.filter(({ path }) => path === prefix || path.startsWith(`${prefix}/`));
        const [envelope = "partner", ...others] = new Set(near.map((row) => row.envelope));
        if (near.length > 0) return others.length === 0 ? envelope : "partner";
      }
      return "partner";
    },
  };
}

/** Names match before parameters: /cases/counts is no /cases/:customerId. */
const parameterCount = ({ path }: Address): number => path.split(":").length;

type Pattern<R> = { row: R; regExp: RegExp; names: string[] };

function patternOf<R extends Address>(row: R): Pattern<R> {
  const names = [...row.path.matchAll(/[:*](\w+)/g)].map(([, name = ""]) => name);
  const text = row.path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "([^/]+)").replace(/\*\w+/, "(.+)");
  return { row, names, regExp: new RegExp(`^${text}$`, "i") };
}

function firstMatch<R>(
  patterns: readonly Pattern<R>[] = [],
  path: string,
): { row: R; params: Params } | null {
  for (const { row, regExp, names } of patterns) {
    const match = regExp.exec(path);
    if (match)
      return { row, params: Object.fromEntries(names.map((name, i) => [name, decoded(match[i + 1] ?? "")])) };
  }
  return null;
}

function sizeOf(path: string): number {
  let size = 0;
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) size += 1;
  return size;
}

/** Path and query; up to two slashes at the end of the path do not count. */
function split(target: string): [path: string, query: string] {
  const at = target.indexOf("?", 1);
  const path = at === -1 ? target : target.slice(0, at);
  const slashes = path.endsWith("//") ? 2 : path.endsWith("/") ? 1 : 0;
  return [path.slice(0, path.length - slashes) || "/", at === -1 ? "" : target.slice(at + 1)];
}

function decoded(text: string): string {
  try {
    return text.includes("%") ? decodeURIComponent(text) : text;
  } catch (cause) {
    throw new AppError("Route.NotFound", "The address has a malformed % escape.", { cause });
  }
}

/** A parameter given twice or with brackets is a list, which no action takes for a text. */
function readQuery(text: string): Query {
  const query: Query = Object.create(null);
  if (text === "") return query;
  for (const [name, value] of Object.entries(parse(text))) {
    const [plain = ""] = name.split("[", 1);
    if (name !== "")
      query[plain] = name === plain && !(plain in query) ? value : [query[plain] ?? [], value].flat();
  }
  return query;
}

function refusal(methods: ReadonlySet<string>): AppError {
  if (methods.size === 0)
    return new AppError("Route.NotFound", "This address does not exist. See /docs for the API.");
  const allow = [...methods, ...(methods.has("GET") ? ["HEAD"] : [])].join(", ");
  return new AppError("Request.MethodNotAllowed", `This address does not take this method. Use ${allow}.`, {
    headers: { Allow: allow },
  });
}
