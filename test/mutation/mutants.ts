/** Makes small mistakes in a source file, one at a time, at positions found by a parser. */
import { type Edit, OPERATORS } from "./operators.ts";
import { childrenOf, type Node, nameOf, parse, parses, type Span } from "./tree.ts";

export type Mutant = {
  operator: string;
  /** The function or constant around it; the file itself without one. */
  place: string;
  line: number;
  /** The first changed line before and after. */
  text: string;
  source: string;
};
type Found = Pick<Mutant, "operator" | "place"> & { edit: Edit };

/** Next to ?? these need parentheses. Every other mistake can be parsed: seen on all 14,949 of the targets. */
const MAY_NOT_MIX = /^(&&|\|\|)$/;
/** Logs and metrics are no guarantee. */
const IS_REPORT = /^(\w+\.)*(logger|metrics)\??\./;
/** An empty text that the compiler asks for, where a list or an object could have no value. */
const FALLBACK = /(\?\?|[\w\])] =) $/;
const IS_CALL = /^(ExpressionStatement|CallExpression)$/;
const TYPED_EXPRESSION = /^Ts(As|NonNull|Satisfies)Expression$|^TsConstAssertion$/;
const NOT_MUTATED = /^(Ts|ImportDeclaration|ExportNamed|ExportAll)/;

export function mutantsOf(source: string): Mutant[] {
  const bytes = Buffer.from(source);
  const { statements, base } = parse(source);
  const textOf = ({ start, end }: Span) => bytes.toString("utf8", start - base, end - base);

  const textBefore = ({ span }: Node) => textOf({ start: Math.max(base, span.start - 4), end: span.start });

  function foundWithin(node: Node, names: readonly string[]): Found[] {
    if (NOT_MUTATED.test(node.type) && !TYPED_EXPRESSION.test(node.type)) return [];
    if (node.type === "KeyValueProperty" && textOf((node.key as Node).span) === "projection") return [];
    if (IS_CALL.test(node.type) && IS_REPORT.test(textOf(node.span))) return [];
    const { consequent, alternate } = node as { consequent?: Node; alternate?: Node | null };
    if (node.type === "IfStatement" && consequent && !alternate && IS_REPORT.test(textOf(consequent.span)))
      return [];
    if (node.type === "StringLiteral" && node.value === "" && FALLBACK.test(textBefore(node))) return [];
    const inside = [...names, ...nameOf(node)];
    const place = inside.join(".");
    const own = Object.entries(OPERATORS).flatMap(([operator, find]) =>
      find(node, textOf).map((edit) => ({ operator, place, edit })),
    );
    return [...own, ...childrenOf(node).flatMap((child) => foundWithin(child, inside))];
  }

  const apply = ({ edit: { start, end, to }, ...found }: Found): Mutant => {
    const before = textOf({ start: base, end: start });
    const changed = `${before}${to}${textOf({ start: end, end: base + bytes.length })}`;
    const line = before.split("\n").length;
    const lineOf = (text: string) => text.split("\n")[line - 1]?.trim() ?? "";
    return { ...found, line, text: `${lineOf(source)} → ${lineOf(changed)}`, source: changed };
  };
  return statements
    .flatMap((statement) => foundWithin(statement, []))
    .map((found) => ({ found, mutant: apply(found) }))
    .filter(({ found, mutant }) => !MAY_NOT_MIX.test(found.edit.to) || parses(mutant.source))
    .map(({ mutant }) => mutant);
}
