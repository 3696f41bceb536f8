/** The syntax tree of a source file, with the text and the name of each place. */
import { parseSync } from "@swc/core";

export type Span = { start: number; end: number };
export type Node = { type: string; span: Span; value?: unknown } & Record<string, unknown>;
export type TextOf = (span: Span) => string;

const PARSER = { syntax: "typescript", target: "es2024" } as const;

/** Positions are bytes and do not begin at the file. A first statement of ours has the position of the file. */
export function parse(source: string): { statements: Node[]; base: number } {
  const { body } = parseSync(`;${source}`, PARSER) as unknown as { body: Node[] };
  return { statements: body.slice(1), base: (body[0]?.span.start ?? 0) + 1 };
}

export function parses(source: string): boolean {
  try {
    return Boolean(parseSync(source, PARSER));
  } catch {
    return false;
  }
}

export const childrenOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([key, value]) =>
    key === "span" || key === "typeAnnotation" || key === "returnType" ? [] : nodesIn(value),
  );

/** Entries of lists may be wrapped, as arguments are; those have no type of their own. */
function nodesIn(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== "object" || value === null) return [];
  return "type" in value ? [value as Node] : Object.values(value).flatMap(nodesIn);
}

const NAMED_BY: Readonly<Record<string, string>> = {
  FunctionDeclaration: "identifier",
  ClassDeclaration: "identifier",
  VariableDeclarator: "id",
  ClassMethod: "key",
  ClassProperty: "key",
  PrivateMethod: "key",
  PrivateProperty: "key",
  MethodProperty: "key",
};

/** The name that a node gives to the places inside it: of a function, a method or a constant. */
export function nameOf(node: Node): string[] {
  const isField = node.type === "KeyValueProperty" && /Function/.test((node.value as Node).type);
  const named = node[isField ? "key" : (NAMED_BY[node.type] ?? "")] as Node | undefined;
  return named && typeof named.value === "string" ? [named.value] : [];
}

/** A text with spaces is for people: its words are no guarantee. */
export const isForPeople = ({ type, value, quasis }: Node): boolean =>
  type === "StringLiteral"
    ? String(value).includes(" ")
    : type === "TemplateLiteral" && (quasis as { raw: string }[]).some(({ raw }) => raw.includes(" "));
