/** Token requests that were refused, each with what to do about it. */
import { api } from "../core/api.ts";
import { asWords } from "../core/format.ts";
import { useRead } from "../core/read.ts";
import { refusalWords } from "../core/words.ts";
import { Time } from "../ui/bits.tsx";
import { Loaded } from "../ui/page.tsx";
import { Table } from "../ui/table.tsx";

type Props = { credentialId: string; limit?: number };

export function RefusedTokens({ credentialId, limit = 50 }: Props) {
  const failures = useRead(credentialId, () => api.tokenFailures(credentialId)());
  return (
    <Loaded read={failures} lines={2}>
      {({ items }) =>
        items.length === 0 ? (
          <p class="soft">None. Every token request was granted.</p>
        ) : (
          <Table
            caption="Refused token requests"
            rows={items.slice(0, limit)}
            keyOf={({ requestId }) => requestId}
            columns={[
              { label: "When", cell: ({ at }) => <Time at={at} distance /> },
              {
                label: "Why",
                cell: ({ reason, message }) => (
                  <>
                    <strong>{asWords(reason)}</strong>
                    <div class="soft small">{message}</div>
                  </>
                ),
              },
              { label: "What helps", cell: ({ reason }) => refusalWords(reason) },
            ]}
          />
        )
      }
    </Loaded>
  );
}
