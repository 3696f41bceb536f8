/** Rows and facts: columns as data, real links in the rows, one card a row on a narrow screen. */
import { type ComponentChildren, Fragment } from "preact";

export type Column<Row> = {
  label: string;
  cell: (row: Row) => ComponentChildren;
  isNumber?: boolean;
};

export type TableProps<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  isCurrent?: (row: Row) => boolean;
  /** In place of a table without rows. */
  empty?: ComponentChildren;
};

export function Table<Row>({ caption, columns, rows, keyOf, isCurrent, empty }: TableProps<Row>) {
  if (empty && rows.length === 0) return typeof empty === "string" ? <p class="soft">{empty}</p> : empty;
  return (
    <div class="table-frame">
      <table class="stacks">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ label, isNumber }) => (
              <th key={label} scope="col" class={isNumber ? "number" : ""}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} aria-current={isCurrent?.(row) ? "true" : undefined}>
              {columns.map(({ label, cell, isNumber }) => (
                <td key={label} data-label={label} class={isNumber ? "number" : ""}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Facts with their names. */
export function Facts({ items }: { items: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {items.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value ?? <span class="soft">not given</span>}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
