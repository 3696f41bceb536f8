/** The analysts' queue: what waits, since when, and who has it. */
import type { CaseSummary, ReviewStage } from "../../../shared/action-types/customer.ts";
import { api } from "../core/api.ts";
import { asDistance } from "../core/format.ts";
import { useAction, useRead } from "../core/read.ts";
import { href, navigate, useFilters } from "../core/router.ts";
import { VERIFICATION_STATUS } from "../core/words.ts";
import { Badge, Chips, Time } from "../ui/bits.tsx";
import { Button } from "../ui/field.tsx";
import { Empty, Failure, Loaded, Page, type Tone } from "../ui/page.tsx";
import { Pager, Table } from "../ui/table.tsx";

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
      <Chips
        label="Stage"
        chips={TABS.map(({ key, label }) => ({
          label,
          href: filters.href({ tab: key }),
          isCurrent: key === tab?.key,
        }))}
      />
      <Failure failure={claim.failure} />
      <Loaded read={cases} lines={8}>
        {({ items, page, pageSize, total }) =>
          items.length === 0 ? (
            <Empty title="Nothing here">
              <p>{tab?.key === "" ? "The queue is empty. Well done." : "No case is in this list."}</p>
            </Empty>
          ) : (
            <>
              <Table
                caption="Cases"
                rows={items}
                keyOf={({ customerId }) => customerId}
                columns={[
                  {
                    label: "Company",
                    cell: ({ customerId, companyName, partnerCustomerId }) => (
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
                    cell: ({ verificationStatus: status }) => (
                      <Badge tone={VERIFICATION_STATUS[status].tone}>
                        {VERIFICATION_STATUS[status].label}
                      </Badge>
                    ),
                  },
                  { label: "Waiting", cell: (row) => <Age row={row} /> },
                  {
                    label: "Claimed by",
                    cell: ({ claimedBy, claimedUntil }) =>
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
                  {
                    label: "Step",
                    cell: (row) => (
                      <Step row={row} isBusy={claim.isBusy} onClaim={() => void claim.run(row.customerId)} />
                    ),
                  },
                ]}
              />
              <Pager
                page={page}
                pageSize={pageSize}
                total={total}
                hrefOf={(each) => filters.href({ page: each })}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

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
