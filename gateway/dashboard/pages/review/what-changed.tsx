/** Somebody changed the customer since the case was read: what, before it is decided. */
import type { CaseDetail } from "../../../../shared/contract/answers/case.ts";
import { api } from "../../core/api.ts";
import { type Difference, differences } from "../../core/differences.rules.ts";
import { useRead } from "../../core/read.ts";
import { Button } from "../../ui/field.tsx";
import { Loaded, Notice } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";

type Props = { seen: CaseDetail; onContinue: () => void };

export function WhatChanged({ seen, onContinue }: Props) {
  const now = useRead(seen.customerId, () => api.case(seen.customerId)());
  return (
    <Notice tone="warn">
      <p>The customer changed after you opened the case, so nothing was decided. The changes:</p>
      <Loaded read={now} lines={3}>
        {(found) => (
          <>
            <Changes changes={whatCounts(seen, found)} />
            <div>
              <Button onClick={onContinue}>Go on with version {found.profile.version}</Button>
            </div>
          </>
        )}
      </Loaded>
    </Notice>
  );
}

/** The trail and the remarks follow from the rest. */
const whatCounts = (before: CaseDetail, after: CaseDetail): Difference[] => {
  const part = ({ profile, claimedBy, verification: { changeRequests, decision } }: CaseDetail) => ({
    ...profile,
    claimedBy,
    changeRequests,
    decision,
  });
  return differences(part(before), part(after));
};

function Changes({ changes }: { changes: readonly Difference[] }) {
  if (changes.length === 0) return <p>No field on this page changed, only the version.</p>;
  return (
    <Table
      caption="What changed"
      rows={changes}
      keyOf={({ what, before }) => what + before}
      columns={[
        { label: "What", cell: ({ what }) => what },
        { label: "Before", cell: ({ before }) => before ?? "–" },
        { label: "Now", cell: ({ after }) => after ?? "–" },
      ]}
    />
  );
}
