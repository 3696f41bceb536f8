/** Changes of the organisation and their authors: URL, secret, credentials, team, replays. */
import type { AuditEntry } from "../../../shared/contract/answers/audit.ts";
import { api } from "../core/api.ts";
import { asWords } from "../core/format.ts";
import { useList } from "../core/read.ts";
import { useFilters } from "../core/router.ts";
import { Dotted, Time } from "../ui/bits.tsx";
import { List } from "../ui/list.tsx";
import { Empty, Page } from "../ui/page.tsx";

export function AuditPage() {
  const cursor = useFilters().get("cursor");
  const entries = useList(cursor, () => api.audit({ cursor })());
  return (
    <Page title="Audit trail" intro="Who changed what, newest first. Entries are only added.">
      <List
        read={entries}
        caption="Changes, newest first"
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={<Empty title="No changes yet" />}
      />
    </Page>
  );
}

const COLUMNS = [
  { label: "When", cell: ({ at }: AuditEntry) => <Time at={at} /> },
  {
    label: "Who",
    cell: ({ who }: AuditEntry) => (
      <Dotted
        text={who.email ?? (who.kind === who.id ? asWords(who.kind) : `${asWords(who.kind)} ${who.id}`)}
      />
    ),
  },
  { label: "What", cell: ({ action }: AuditEntry) => asWords(action) },
  { label: "Subject", cell: ({ subject }: AuditEntry) => <code class="small">{subject}</code> },
  {
    label: "Change",
    cell: ({ before, after, requestId }: AuditEntry) => (
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
