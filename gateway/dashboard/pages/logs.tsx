/** The API calls of the partner's server, with the fields that were wrong; and the changes of the organisation. */
import type { AuditEntry } from "../../../shared/contract/answers/audit.ts";
import type { LoggedRequest } from "../../../shared/contract/answers/credential.ts";
import { api } from "../core/api.ts";
import { asDuration, asNumber, asWords } from "../core/format.ts";
import { useList } from "../core/read.ts";
import { useFilters } from "../core/router.ts";
import { Badge, Dotted, Time } from "../ui/bits.tsx";
import { FilterChips, List } from "../ui/list.tsx";
import { Empty, Notice, Page } from "../ui/page.tsx";
import type { Column } from "../ui/table.tsx";

export function RequestLogPage() {
  const query = useFilters().of(["failed", "cursor"]);
  const calls = useList(JSON.stringify(query), api.requestLog(query));
  const dropped = calls.value?.dropped ?? 0;
  return (
    <Page title="Requests" intro="API calls of your server in the last seven days. Bodies are not stored.">
      <FilterChips
        label="Result"
        name="failed"
        options={[
          ["", "All"],
          ["true", "Failed only"],
        ]}
      />
      {dropped > 0 && (
        <Notice tone="warn">
          {`${asNumber(dropped)} calls are missing from this list, because too many arrived at the same time.`}
        </Notice>
      )}
      <List
        read={calls}
        caption="Calls, newest first"
        keyOf={({ id }) => id}
        columns={CALL_COLUMNS}
        empty={
          <Empty title="No calls">
            <p>
              Calls of your server appear here. <a href="/docs">Read how to make the first call</a>.
            </p>
          </Empty>
        }
      />
    </Page>
  );
}

const CALL_COLUMNS: readonly Column<LoggedRequest>[] = [
  { label: "Time", cell: ({ at }) => <Time at={at} /> },
  {
    label: "Call",
    cell: ({ method, route }) => (
      <code>
        {method} <Dotted text={route} />
      </code>
    ),
  },
  {
    label: "Response",
    cell: ({ status, code, fields }) => (
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
  { label: "Duration", cell: ({ durationMs }) => asDuration(durationMs), isNumber: true },
  { label: "Request id", cell: ({ requestId }) => <code class="small">{requestId}</code> },
];

export function AuditPage() {
  const cursor = useFilters().get("cursor");
  const entries = useList(cursor, api.audit({ cursor }));
  return (
    <Page title="Audit log" intro="Every change to your settings, newest first. Entries cannot be changed.">
      <List
        read={entries}
        caption="Changes, newest first"
        keyOf={({ id }) => id}
        columns={CHANGE_COLUMNS}
        empty={
          <Empty title="No changes yet">Changes to your webhook, credentials and team appear here.</Empty>
        }
      />
    </Page>
  );
}

const CHANGE_COLUMNS: readonly Column<AuditEntry>[] = [
  { label: "Time", cell: ({ at }) => <Time at={at} /> },
  {
    label: "By",
    cell: ({ who: { email, kind, id } }) => (
      <Dotted text={email ?? (kind === id ? asWords(kind) : `${asWords(kind)} ${id}`)} />
    ),
  },
  { label: "Action", cell: ({ action }) => asWords(action) },
  { label: "Subject", cell: ({ subject }) => <code class="small">{subject}</code> },
  {
    label: "Change",
    cell: ({ before, after, requestId }) => (
      <details>
        <summary>Before and after</summary>
        <div class="stack-s">
          <pre class="small">{JSON.stringify({ before, after }, null, 2)}</pre>
          {requestId && (
            <span class="small">
              Request <code>{requestId}</code>
            </span>
          )}
        </div>
      </details>
    ),
  },
];
