/** Lists: columns as data, real links in the rows, one card a row on a narrow screen. */
import type { ComponentChildren } from "preact";

type Column<Row> = {
  label: string;
  cell: (row: Row) => ComponentChildren;
  isNumber?: boolean;
};

type TableProps<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  isCurrent?: (row: Row) => boolean;
};

export function Table<Row>({ caption, columns, rows, keyOf, isCurrent }: TableProps<Row>) {
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

type PagerProps = {
  page: number;
  pageSize: number;
  total: number;
  hrefOf: (page: string) => string;
};

export function Pager({ page, pageSize, total, hrefOf }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (pages === 1) return null;
  return (
    <nav class="row" aria-label="Pages">
      {page > 1 && (
        <a class="button" href={hrefOf(String(page - 1))} rel="prev">
          Previous
        </a>
      )}
      <span class="soft">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <a class="button" href={hrefOf(String(page + 1))} rel="next">
          Next
        </a>
      )}
    </nav>
  );
}

/** Facts with their names. */
export function Facts({ items }: { items: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {items.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value ?? <span class="soft">not given</span>}</dd>
        </>
      ))}
    </dl>
  );
}
