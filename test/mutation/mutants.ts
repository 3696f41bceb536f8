/** Makes small mistakes in a source file, one at a time, at positions found by a parser. */
import { parseSync } from "@swc/core";

export type Mutant = {
  line: number;
  /** The first changed line before and after. */
  text: string;
  source: string;
};

type Span = { start: number; end: number };
type Node = { type: string; span: Span; value?: unknown } & Record<string, unknown>;
type Edit = Span & { to: string };

const PARSER = { syntax: "typescript", target: "es2024" } as const;

const eachWay = (...pairs: [string, string][]) =>
  new Map(pairs.flatMap(([a, b]) => [[a, b] as const, [b, a]]));
const OPERATORS = eachWay(["===", "!=="], ["<", "<="], [">", ">="], ["+", "-"], ["*", "/"], ["&&", "||"]);
OPERATORS.set("??", "&&");
const NAMES = eachWay(
  ["min", "max"],
  ["some", "every"],
  ["$lt", "$lte"],
  ["$gt", "$gte"],
  ["$in", "$nin"],
  ["$ne", "$eq"],
);

/** Next to ?? these operators need parentheses. Every other edit can be parsed. */
const MAY_NOT_MIX = /^(&&|\|\|)$/;
/** Logs and metrics are no guarantee. */
const IS_REPORT = /^(\w+\.)?(logger|metrics)\./;
const TYPED_EXPRESSION = /^Ts(As|NonNull|Satisfies)Expression$|^TsConstAssertion$/;
const NOT_MUTATED = /^(Ts|ImportDeclaration|ExportNamed|ExportAll)/;

export function mutantsOf(source: string): Mutant[] {
  // Positions are bytes and do not begin at the file; a first statement of ours says where it begins.
  const bytes = Buffer.from(source);
  const tree = parseSync(`;${source}`, PARSER) as unknown as { body: Node[] };
  const base = (tree.body[0]?.span.start ?? 0) + 1;
  const textOf = ({ start, end }: Span) => bytes.toString("utf8", start - base, end - base);

  function editsWithin(node: Node): Edit[] {
    if (NOT_MUTATED.test(node.type) && !TYPED_EXPRESSION.test(node.type)) return [];
    if (node.type === "KeyValueProperty" && textOf((node.key as Node).span) === "projection") return [];
    if (node.type === "ExpressionStatement" && IS_REPORT.test(textOf(node.span))) return [];
    return [...editsOf(node), ...childrenOf(node).flatMap(editsWithin)];
  }

  function editsOf(node: Node): Edit[] {
    const { span, value } = node;
    const of = (key: string) => node[key] as Node;
    switch (node.type) {
      case "BinaryExpression":
        return operatorEdits(String(node.operator), of("left"), of("right"));
      case "BooleanLiteral":
        return [{ ...span, to: String(!value) }];
      case "NumericLiteral":
        return [{ ...span, to: String(Number(value) + 1) }];
      case "StringLiteral":
        return isForPeople(node) ? [] : [{ ...span, to: value === "" ? '"x"' : '""' }];
      case "UnaryExpression":
        return node.operator === "!" ? [{ ...span, to: textOf(of("argument").span) }] : [];
      case "IfStatement":
        return [{ ...of("test").span, to: "false" }];
      case "ConditionalExpression":
        return [{ ...of("test").span, to: `!(${textOf(of("test").span)})` }];
      case "ExpressionStatement":
        return statementEdits(span, of("expression"));
      case "MemberExpression":
        return renamed(of("property"));
      case "ObjectExpression":
        return (node.properties as Node[]).flatMap((property) => propertyEdits(property, span));
      default:
        return [];
    }
  }

  function operatorEdits(operator: string, left: Node, right: Node): Edit[] {
    const to = OPERATORS.get(operator);
    const isText = [left, right].some(({ type }) => type === "StringLiteral" || type === "TemplateLiteral");
    if (!to || (operator === "+" && isText)) return [];
    const { end } = left.span;
    const [space = ""] = textOf({ start: end, end: right.span.start }).split(operator, 1);
    const start = end + Buffer.byteLength(space);
    return [{ start, end: start + operator.length, to }];
  }

  /** A call left out, or not waited for. */
  function statementEdits(span: Span, expression: Node): Edit[] {
    if (expression.type !== "AwaitExpression" && expression.type !== "CallExpression") return [];
    const { span: called } = (expression.argument ?? expression) as Node;
    const unawaited = { ...expression.span, to: `void ${textOf(called)}` };
    return [{ ...span, to: ";" }, ...(expression.type === "AwaitExpression" ? [unawaited] : [])];
  }

  /** A field left out, or another operator of a query. */
  function propertyEdits(property: Node, object: Span): Edit[] {
    if (property.type !== "KeyValueProperty" && property.type !== "Identifier") return [];
    const isShort = property.type === "Identifier";
    const key = (isShort ? property : property.key) as Node;
    const field = isShort ? property : (property.value as Node);
    if (isForPeople(field) || textOf(key.span) === "projection") return [];
    const { end } = field.span;
    const comma = /^\s*,/.exec(textOf({ start: end, end: object.end }))?.[0].length ?? 0;
    return [{ start: key.span.start, end: end + comma, to: "" }, ...(isShort ? [] : renamed(key))];
  }

  const edits = tree.body.slice(1).flatMap(editsWithin);
  const apply = ({ start, end, to }: Edit): Mutant => {
    const before = textOf({ start: base, end: start });
    const changed = `${before}${to}${textOf({ start: end, end: base + bytes.length })}`;
    const line = before.split("\n").length;
    const lineOf = (text: string) => text.split("\n")[line - 1]?.trim() ?? "";
    return { line, text: `${lineOf(source)} → ${lineOf(changed)}`, source: changed };
  };
  return edits
    .map((edit) => ({ edit, mutant: apply(edit) }))
    .filter(({ edit, mutant }) => !MAY_NOT_MIX.test(edit.to) || parses(mutant.source))
    .map(({ mutant }) => mutant);
}

/** A text with spaces is for people: its words are no guarantee. */
const isForPeople = ({ type, value }: Node) => type === "StringLiteral" && String(value).includes(" ");

const childrenOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([key, value]) =>
    key === "span" || key === "typeAnnotation" || key === "returnType" ? [] : nodesIn(value),
  );

/** Entries of lists may be wrapped, as arguments are; those have no type of their own. */
function nodesIn(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== "object" || value === null) return [];
  return "type" in value ? [value as Node] : Object.values(value).flatMap(nodesIn);
}

function renamed({ type, span, value }: Node): Edit[] {
  const to = type === "Identifier" ? NAMES.get(String(value)) : undefined;
  return to ? [{ ...span, to }] : [];
}

function parses(source: string): boolean {
  try {
    return Boolean(parseSync(source, PARSER));
  } catch {
    return false;
  }
}
