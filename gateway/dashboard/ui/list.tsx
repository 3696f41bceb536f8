/** A list of which one page is shown: its filters and its place are in the address. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { asLocalField, asNumber, fromLocalField } from "../core/format.ts";
import type { Read } from "../core/read.ts";
import { isNewVisit, useFilters } from "../core/router.ts";
import { Button, type Options, onSubmit, SelectField, TextField, type Values } from "./field.tsx";
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
  empty: ComponentChildren;
};

export function List<Row>({ read, ...table }: ListProps<Row>) {
  const top = usePageTop();
  return (
    <div class="stack list" ref={top} tabIndex={-1}>
      <Loaded read={read} lines={8}>
        {(listed) => (
          <>
            <Table {...table} rows={listed.items} />
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
  name: string;
  options: Options;
  counts?: Readonly<Record<string, string>> | null;
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

type Filter = {
  label: string;
  name: string;
  hint?: string;
  options?: Options;
  /** Local in the field, UTC in the address. */
  isTime?: boolean;
};

/** Filters as a form; the fields follow the address, also on the way back. */
export function FilterForm({ fields }: { fields: readonly Filter[] }) {
  const filters = useFilters();
  const names = fields.map(({ name }) => name);
  const values = filters.of(names);
  const search = (given: Values) =>
    filters.set(
      Object.fromEntries(
        fields.map(({ name, isTime }) => [name, isTime ? fromLocalField(given[name]) : given[name]]),
      ),
    );
  return (
    <form key={JSON.stringify(values)} class="filters" onSubmit={onSubmit(search)}>
      {fields.map(({ isTime, options, ...field }) => {
        const value = values[field.name] ?? "";
        if (options) return <SelectField key={field.name} {...{ ...field, options, value }} />;
        return (
          <TextField
            key={field.name}
            {...field}
            type={isTime ? "datetime-local" : "search"}
            step="1"
            defaultValue={isTime ? asLocalField(value) : value}
          />
        );
      })}
      <div class="row">
        <Button submit>Search</Button>
        {Object.values(values).some(Boolean) && (
          <a href={filters.href(Object.fromEntries(names.map((name) => [name, undefined])))}>Clear</a>
        )}
      </div>
    </form>
  );
}
