/** The analysts' queue: what waits, since when, and who has it. */
import type { CaseSummary, ReviewStage } from "../../../../shared/action-types/customer.ts";
import { api } from "../../core/api.ts";
import { asDistance } from "../../core/format.ts";
import { useAction, useRead } from "../../core/read.ts";
import { href, navigate, useFilters } from "../../core/router.ts";
import { VERIFICATION_STATUS } from "../../core/words.ts";
import { Badge, State, Time } from "../../ui/bits.tsx";
import { Button } from "../../ui/field.tsx";
import { FilterChips, List } from "../../ui/list.tsx";
import { Empty, Failure, Page, type Tone } from "../../ui/page.tsx";

type Tab = { key: string; label: string; query: { reviewStage?: ReviewStage; mine?: string } };
const TABS: readonly Tab[] = [
  { key: "", label: "Queued", query: { reviewStage: "Queued" } },
  { key: "mine", label: "Mine", query: { mine: "true" } },
  { key: "awaiting", label: "Awaiting partner", query: { reviewStage: "AwaitingPartner" } },
  { key: "closed", label: "Closed", query: { reviewStage: "Closed" } },
];

export function QueuePage() {
  const filters = useFilters();
  const tab = TABS.find(({ key }) => key === filters.get("tab")) ?? TABS[0];
  const query = { ...tab?.query, page: filters.get("page") };
  const cases = useRead(JSON.stringify(query), (background) => api.cases(query)({ background }), 15_000);
  const claim = useAction(async (customerId: string) => {
    await api.claim(customerId)();
    navigate(href(`/cases/${customerId}`));
  });
  return (
    <Page title="Queue" intro="Customers that wait for a review, the oldest first.">
      <FilterChips label="Stage" name="tab" options={TABS.map(({ key, label }) => [key, label])} />
      <Failure failure={claim.failure} />
      <List
        read={cases}
        caption="Cases"
        keyOf={({ customerId }) => customerId}
        empty={
          <Empty title="Nothing here">
            <p>{tab?.key === "" ? "The queue is empty. Well done." : "No case is in this list."}</p>
          </Empty>
        }
        columns={[
          ...COLUMNS,
          {
            label: "Step",
            cell: (row) => (
              <Step row={row} isBusy={claim.isBusy} onClaim={() => void claim.run(row.customerId)} />
            ),
          },
        ]}
      />
    </Page>
  );
}

const COLUMNS = [
  {
    label: "Company",
    cell: ({ customerId, companyName, partnerCustomerId }: CaseSummary) => (
      <>
        <a class="row-link" href={href(`/cases/${customerId}`)}>
          {companyName}
        </a>
        <div class="soft small">{partnerCustomerId}</div>
      </>
    ),
  },
  {
    label: "Status",
    cell: ({ verificationStatus }: CaseSummary) => <State of={VERIFICATION_STATUS[verificationStatus]} />,
  },
  { label: "Waiting", cell: (row: CaseSummary) => <Age row={row} /> },
  {
    label: "Claimed by",
    cell: ({ claimedBy, claimedUntil }: CaseSummary) =>
      claimedBy ? (
        <>
          {claimedBy}
          <div class="soft small">
            until <Time at={claimedUntil} />
          </div>
        </>
      ) : (
        <span class="soft">nobody</span>
      ),
  },
];

function Step({ row, isBusy, onClaim }: { row: CaseSummary; isBusy: boolean; onClaim: () => void }) {
  if (row.claimedBy || row.reviewStage !== "Queued") return <span class="soft">–</span>;
  return (
    <Button onClick={onClaim} isBusy={isBusy} label={`Claim ${row.companyName}`}>
      Claim
    </Button>
  );
}

const HOUR_MS = 3_600_000;

/** Colour and words: late is after a day, very late after three. */
function Age({ row: { submittedAt, reviewStage } }: { row: CaseSummary }) {
  const hours = (Date.now() - Date.parse(submittedAt)) / HOUR_MS;
  const tone: Tone | undefined = hours > 72 ? "bad" : hours > 24 ? "warn" : undefined;
  if (reviewStage === "Closed") return <Time at={submittedAt} />;
  return (
    <time dateTime={submittedAt} title={submittedAt}>
      {tone ? <Badge tone={tone}>{hours > 72 ? "very late" : "late"}</Badge> : null} {asDistance(submittedAt)}
    </time>
  );
}
