/** The calls of the partner's server in the last seven days: what each was answered, and which fields were wrong. */
import type { LoggedRequest } from "../../../shared/contract/answers/request-log.ts";
import { api } from "../core/api.ts";
import { asDuration, asNumber } from "../core/format.ts";
import { useList } from "../core/read.ts";
import { useFilters } from "../core/router.ts";
import { Badge, Dotted, Time } from "../ui/bits.tsx";
import { FilterChips, List } from "../ui/list.tsx";
import { Empty, Notice, Page } from "../ui/page.tsx";

export function RequestLogPage() {
  const filters = useFilters();
  const query = filters.of(["failed", "cursor"]);
  const calls = useList(JSON.stringify(query), () => api.requestLog(query)());
  const dropped = calls.value?.dropped ?? 0;
  return (
    <Page title="Requests" intro="The calls of your server in the last seven days. Bodies are never kept.">
      <FilterChips
        label="Which"
        name="failed"
        options={[
          ["", "All"],
          ["true", "Only refused or failed"],
        ]}
      />
      {dropped > 0 && (
        <Notice tone="warn">
          <p>{asNumber(dropped)} calls of these days are missing, because too many arrived at once.</p>
        </Notice>
      )}
      <List
        read={calls}
        caption="Calls, newest first"
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={
          <Empty title="No call">
            <p>
              What your server calls is listed here; <a href="/docs">the API documentation</a> shows how to
              begin.
            </p>
          </Empty>
        }
      />
    </Page>
  );
}

const COLUMNS = [
  { label: "When", cell: ({ at }: LoggedRequest) => <Time at={at} /> },
  {
    label: "Call",
    cell: ({ method, route }: LoggedRequest) => (
      <code>
        {method} <Dotted text={route} />
      </code>
    ),
  },
  {
    label: "Answer",
    cell: ({ status, code, fields }: LoggedRequest) => (
      <>
        <Badge tone={status < 400 ? "good" : status < 500 ? "warn" : "bad"}>{status}</Badge>
        {code && (
          <div class="soft small">
            <Dotted text={code} />
          </div>
        )}
        {fields.length > 0 && (
          <div class="small">
            <code>{fields.join(", ")}</code>
          </div>
        )}
      </>
    ),
  },
  { label: "Duration", cell: ({ durationMs }: LoggedRequest) => asDuration(durationMs), isNumber: true },
  { label: "Request", cell: ({ requestId }: LoggedRequest) => <code class="small">{requestId}</code> },
];
