/** Names the properties of a body that its schema does not know: they are ignored, and often a typing mistake. */
import type { ValidationSchema } from "fastest-validator";
import type { Violation } from "../errors.ts";
import { isRecord } from "../is-record.ts";
import { nearestName } from "./nearest-name.rules.ts";

type Shape = { props?: ReadonlyMap<string, Shape>; items?: Shape };
type Rule = { props?: Record<string, Rule>; items?: Rule };

/** A hostile body must not become a huge answer. */
const MAX_FOUND = 50;
const MAX_NAME = 100;

/** Properties that a read of the same thing shows: sent back they are ignored without a remark. */
export type Shown = { readonly [name: string]: true | Shown };

export function compileUnknown(schema: ValidationSchema, shown: Shown = {}): (body: unknown) => Violation[] {
  const shape = withShown(shapeOf({ props: schema as Record<string, Rule> }), shown);
  return (body) => {
    const found: Violation[] = [];
    if (hasUnknown(body, shape)) look(body, shape, "", found);
    return found;
  };
}

const shapeOf = ({ props, items }: Rule): Shape => ({
  ...(props ? { props: new Map(Object.entries(props).map(([name, rule]) => [name, shapeOf(rule)])) } : {}),
  ...(items ? { items: shapeOf(items) } : {}),
});

function withShown(shape: Shape, shown: Shown): Shape {
  if (shape.items) return { ...shape, items: withShown(shape.items, shown) };
  const props = new Map(shape.props);
  for (const [name, inner] of Object.entries(shown))
    props.set(name, inner === true ? {} : withShown(props.get(name) ?? {}, inner));
  return { ...shape, props };
}

/** Nearly every body is free of them, and names no path for it. */
function hasUnknown(value: unknown, { props, items }: Shape): boolean {
  if (items && Array.isArray(value)) return value.some((item) => hasUnknown(item, items));
  if (!props || !isRecord(value)) return false;
  for (const name in value) {
    const known = props.get(name);
    if (!known || ((known.props || known.items) && hasUnknown(value[name], known))) return true;
  }
  return false;
}

function look(value: unknown, { props, items }: Shape, path: string, found: Violation[]): void {
  if (items && Array.isArray(value))
    for (const [index, item] of value.entries()) look(item, items, `${path}[${index}]`, found);
  if (!props || !isRecord(value)) return;
  for (const name in value) {
    if (found.length >= MAX_FOUND) return;
    const known = props.get(name);
    const field = () => `${path}${path && "."}${name.slice(0, MAX_NAME)}`;
    if (!known) found.push({ field: field(), code: "Property.Unknown", message: textOf(name, props) });
    else if (known.props || known.items) look(value[name], known, field(), found);
  }
}

function textOf(name: string, props: ReadonlyMap<string, Shape>): string {
  const nearest = nearestName(name, props.keys());
  return `is not known here and is ignored${nearest ? `; did you mean ${nearest}?` : ""}`;
}
