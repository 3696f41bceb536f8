/** The kinds of small mistakes. Each operator finds its own at a node of the tree. */
import { isForPeople, type Node, type Span, type TextOf } from "./tree.ts";

export type Edit = Span & { to: string };
type Find = (node: Node, textOf: TextOf) => Edit[];

const eachWay = (...pairs: [string, string][]) =>
  new Map(pairs.flatMap(([a, b]) => [[a, b] as const, [b, a]]));
const SIGNS = eachWay(["===", "!=="], ["<", "<="], [">", ">="], ["+", "-"], ["*", "/"], ["&&", "||"]);
SIGNS.set("??", "&&");
const NAMES = eachWay(
  ["min", "max"],
  ["some", "every"],
  ["$lt", "$lte"],
  ["$gt", "$gte"],
  ["$in", "$nin"],
  ["$ne", "$eq"],
  ["$set", "$setOnInsert"],
);
for (const update of ["$inc", "$max", "$min", "$push", "$addToSet"]) NAMES.set(update, "$set");
const DROPPED_CALLS = new Set(["filter", "sort", "toSorted", "reverse", "toReversed"]);
/** A bound or a time: one more is within every tolerance, none is a mistake. */
const LARGE = 1_000;

const at = (node: Node, key: string) => node[key] as Node;
const listAt = (node: Node, key: string) => (node[key] ?? []) as Node[];
const isCall = ({ type }: Node) => type === "CallExpression" || type === "NewExpression";
/** Entries of a list are wrapped; an empty place is null. */
type Entry = { spread: Span | null; expression: Node } | null;

export const OPERATORS: Readonly<Record<string, Find>> = {
  sign(node, textOf) {
    if (node.type !== "BinaryExpression") return [];
    const [operator, left, right] = [String(node.operator), at(node, "left"), at(node, "right")];
    const to = SIGNS.get(operator);
    const isText = [left, right].some(({ type }) => type === "StringLiteral" || type === "TemplateLiteral");
    if (!to || (operator === "+" && isText)) return [];
    const { end } = left.span;
    const [space = ""] = textOf({ start: end, end: right.span.start }).split(operator, 1);
    const start = end + Buffer.byteLength(space);
    return [{ start, end: start + operator.length, to }];
  },

  literal: ({ type, span, value }) => {
    if (type === "BooleanLiteral") return [{ ...span, to: String(!value) }];
    if (type === "NumericLiteral")
      return [{ ...span, to: String(Number(value) >= LARGE ? 0 : Number(value) + 1) }];
    const isCode = type === "StringLiteral" && !String(value).includes(" ");
    return isCode ? [{ ...span, to: value === "" ? '"x"' : '""' }] : [];
  },

  condition(node, textOf) {
    if (node.type === "IfStatement") return [{ ...at(node, "test").span, to: "false" }];
    if (node.type === "ConditionalExpression")
      return [{ ...at(node, "test").span, to: `!(${textOf(at(node, "test").span)})` }];
    const isNot = node.type === "UnaryExpression" && node.operator === "!";
    return isNot ? [{ ...node.span, to: textOf(at(node, "argument").span) }] : [];
  },

  "call left out": ({ type, span, expression }) =>
    type === "ExpressionStatement" && /^(Await|Call)Expression$/.test((expression as Node).type)
      ? [{ ...span, to: ";" }]
      : [],

  "await left out": ({ type, expression }, textOf) => {
    const awaited = expression as Node;
    return type === "ExpressionStatement" && awaited.type === "AwaitExpression"
      ? [{ ...awaited.span, to: `void ${textOf(at(awaited, "argument").span)}` }]
      : [];
  },

  "jump left out": ({ type, span }) =>
    type === "ReturnStatement" || type === "ContinueStatement" ? [{ ...span, to: ";" }] : [],

  /** Another method, or another operator of a query or an update. */
  name(node) {
    const named = node.type === "MemberExpression" ? at(node, "property") : at(node, "key");
    const isName = node.type === "MemberExpression" || node.type === "KeyValueProperty";
    const to = isName && named.type === "Identifier" ? NAMES.get(String(named.value)) : undefined;
    return to ? [{ ...named.span, to }] : [];
  },

  /** The same in a shorthand. */
  "short name": (node) =>
    shorthands(node).flatMap(({ span, value }) => {
      const to = NAMES.get(String(value));
      return to ? [{ ...span, to: `${to}: ${value}` }] : [];
    }),

  field(node, textOf) {
    if (node.type !== "ObjectExpression") return [];
    const fields = listAt(node, "properties").filter(({ type }) => type === "KeyValueProperty");
    return [...fields, ...shorthands(node)]
      .filter((field) => field.type === "Identifier" || !isForPeople(field.value as Node))
      .filter(
        ({ type, span, key }) => textOf(type === "Identifier" ? span : (key as Node).span) !== "projection",
      )
      .map((field) => leftOut(spanOf(field), node, textOf))
      .toSorted((a, b) => a.start - b.start);
  },

  spread(node, textOf) {
    const spreads = listAt(node, "properties").filter(({ type }) => type === "SpreadElement");
    const ofObject = spreads.map((each) => ({
      start: (each.spread as Span).start,
      end: at(each, "arguments").span.end,
    }));
    const key = isCall(node) ? "arguments" : "elements";
    const ofList = (listAt(node, key) as unknown as Entry[]).flatMap((entry) =>
      entry?.spread ? [{ start: entry.spread.start, end: entry.expression.span.end }] : [],
    );
    return [...ofObject, ...ofList].map((span) => leftOut(span, node, textOf));
  },

  /** The first two exchanged, and the last left out. The compiler refuses a call without its only argument. */
  arguments(node, textOf) {
    const given = isCall(node) ? (listAt(node, "arguments") as unknown as NonNullable<Entry>[]) : [];
    const [first, second] = given.map(({ expression }) => expression.span);
    if (!first || !second || given.some(({ spread }) => spread)) return [];
    if (/^Math\.(min|max)\(/.test(textOf(node.span))) return [];
    const between = textOf({ start: first.end, end: second.start });
    const to = `${textOf(second)}${between}${textOf(first)}`;
    const [before, last] = given.slice(-2).map(({ expression }) => expression) as [Node, Node];
    const shorter = { start: before.span.end, end: last.span.end, to: "" };
    return [{ start: first.start, end: second.end, to }, ...(isForPeople(last) ? [] : [shorter])];
  },

  "regular expression": ({ type, span, pattern, flags }) =>
    type === "RegExpLiteral"
      ? patternsNear(String(pattern)).map((near) => ({ ...span, to: `/${near || "(?:)"}/${flags}` }))
      : [],

  "call of a list left out": (node, textOf) => {
    const callee = node.type === "CallExpression" ? at(node, "callee") : node;
    const isDropped =
      callee !== node &&
      callee.type === "MemberExpression" &&
      DROPPED_CALLS.has(String(at(callee, "property").value));
    return isDropped ? [{ ...node.span, to: textOf(at(callee, "object").span) }] : [];
  },
};

const shorthands = (node: Node): Node[] =>
  node.type === "ObjectExpression"
    ? listAt(node, "properties").filter(({ type }) => type === "Identifier")
    : [];

/** A field has no span of its own. */
const spanOf = (field: Node): Span =>
  field.type === "Identifier"
    ? field.span
    : { start: at(field, "key").span.start, end: (field.value as Node).span.end };

/** Without the comma behind it. */
function leftOut({ start, end }: Span, list: Node, textOf: TextOf): Edit {
  const comma = /^\s*,/.exec(textOf({ start: end, end: list.span.end }))?.[0].length ?? 0;
  return { start, end: end + comma, to: "" };
}

/** An anchor left out, + as *, a class of characters turned round. */
function patternsNear(pattern: string): string[] {
  const near: string[] = [];
  let isInClass = false;
  for (let i = 0; i < pattern.length; i += 1) {
    const char = pattern[i];
    const replaced = (to: string, length = 1) =>
      near.push(pattern.slice(0, i) + to + pattern.slice(i + length));
    if (char === "\\") i += 1;
    else if (isInClass) isInClass = char !== "]";
    else if (char === "^" || char === "$") replaced("");
    else if (char === "+") replaced("*");
    else if (char === "[") {
      isInClass = true;
      if (pattern[i + 1] === "^") replaced("[", 2);
      else replaced("[^");
    }
  }
  return near;
}
