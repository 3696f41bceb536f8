/** A list of which one page is shown: its filters and its place are in the address. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { asNumber } from "../core/format.ts";
import type { Read } from "../core/read.ts";
import { isNewVisit, useFilters } from "../core/router.ts";
import { Loaded } from "./page.tsx";
import { Table, type TableProps } from "./table.tsx";

type Listed<Row> = {
  items: readonly Row[];
  page?: number | null;
  pageSize?: number;
  total?: number | null;
  nextCursor?: string | null;
};

type ListProps<Row> = Omit<TableProps<Row>, "rows"> & {
  read: Read<Listed<Row>>;
  /** Text of an empty list, with the next step. */
  empty: ComponentChildren;
};

export function List<Row>({ read, empty, ...table }: ListProps<Row>) {
  const top = usePageTop();
  return (
    <div class="stack list" ref={top} tabIndex={-1}>
      <Loaded read={read} lines={8}>
        {(listed) => (
          <>
            {listed.items.length === 0 ? empty : <Table {...table} rows={listed.items} />}
            <Pager {...listed} />
          </>
        )}
      </Loaded>
    </div>
  );
}

/** Another page of the list is read from its top, where the focus is as well. */
function usePageTop() {
  const top = useRef<HTMLDivElement>(null);
  const filters = useFilters();
  const place = `${filters.get("page")} ${filters.get("cursor")}`;
  const shown = useRef(place);
  useEffect(() => {
    if (shown.current === place) return;
    shown.current = place;
    if (!isNewVisit()) return;
    top.current?.focus({ preventScroll: true });
    top.current?.scrollIntoView();
  }, [place]);
  return top;
}

/** By number where pages are counted, otherwise by cursor: forward, and back to the beginning. */
function Pager({ page, pageSize = 1, total, nextCursor }: Listed<unknown>) {
  const filters = useFilters();
  const pages = page && total ? Math.ceil(total / pageSize) : 1;
  const number = page ?? 1;
  const back = page
    ? number > 1 && { label: "Previous page", href: filters.href({ page: String(number - 1) }) }
    : filters.get("cursor") && { label: "First page", href: filters.href({ cursor: undefined }) };
  const next = page
    ? number < pages && filters.href({ page: String(number + 1) })
    : nextCursor && filters.href({ cursor: nextCursor });
  if (!back && !next) return null;
  return (
    <nav class="row" aria-label="Pages">
      {back && (
        <a class="button" href={back.href}>
          {back.label}
        </a>
      )}
      {page && (
        <span class="soft">
          Page {asNumber(number)} of {asNumber(pages)}
        </span>
      )}
      {next && (
        <a class="button" href={next} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
}

type ChipsProps = {
  label: string;
  /** Name of the filter. */
  name: string;
  options: readonly (readonly [value: string, label: string])[];
  counts?: Readonly<Record<string, string | undefined>> | null;
};

/** A filter as links. */
export function FilterChips({ label, name, options, counts }: ChipsProps) {
  const filters = useFilters();
  const current = filters.get(name);
  return (
    <nav class="chips" aria-label={label}>
      {options.map(([value, text]) => (
        <a
          key={value}
          href={filters.href({ [name]: value })}
          aria-current={value === current ? "true" : undefined}
        >
          {text}
          {counts?.[value] !== undefined && <span class="soft">{counts[value]}</span>}
        </a>
      ))}
    </nav>
  );
}
