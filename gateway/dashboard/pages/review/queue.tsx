/** The analysts' queue: cases by stage, their age and their claims. */
import { useState } from "preact/hooks";
import type { CaseCounts, CaseSummary, NamedCase } from "../../../../shared/contract/answers/case.ts";
import { api } from "../../core/api.ts";
import { useCountries, useCountryName } from "../../core/countries.ts";
import { asDistance, asNumber } from "../../core/format.ts";
import { useAction, useList, useRead } from "../../core/read.ts";
import { href, navigate, useFilters } from "../../core/router.ts";
import { type Tone, verificationWords } from "../../core/words.ts";
import { Badge, State, Time } from "../../ui/bits.tsx";
import { Button } from "../../ui/field.tsx";
import { FilterChips, FilterForm, List } from "../../ui/list.tsx";
import { Empty, Failure, Notice, Page } from "../../ui/page.tsx";
import type { Column } from "../../ui/table.tsx";

const QUEUED = { key: "", label: "Queued", counted: "Queued", query: { reviewStage: "Queued" } } as const;
const TABS = [
  QUEUED,
  { key: "mine", label: "Mine", counted: "mine", query: { mine: "true" } },
  {
    key: "awaiting",
    label: "Awaiting partner",
    counted: "AwaitingPartner",
    query: { reviewStage: "AwaitingPartner" },
  },
  { key: "closed", label: "Closed", counted: "Closed", query: { reviewStage: "Closed" } },
] as const;
/** Only reached from a search that found nothing in the tab that was chosen. */
const EVERYWHERE = { key: "all", label: "All cases", query: {} } as const;
type Tab = (typeof TABS)[number] | typeof EVERYWHERE;

const tabOf = (key: string): Tab => [...TABS, EVERYWHERE].find((tab) => tab.key === key) ?? QUEUED;

export function QueuePage() {
  const filters = useFilters();
  const tab = tabOf(filters.get("tab"));
  const query = { ...tab.query, ...filters.of(["search", "country", "page", "cursor"]) };
  const cases = useList(JSON.stringify(query), api.cases(query), 15_000);
  const counts = useRead("counts", api.countCases, 15_000);
  const countries = useCountries();
  const [isEmpty, setEmpty] = useState(false);
  const takeNext = useAction(async () => {
    const next = await api.claimNext();
    if (next) navigate(href(`/cases/${next.customerId}`));
    else setEmpty(true);
  });
  const claim = useAction(async (customerId: string) => {
    try {
      await api.claim(customerId)();
    } catch (failure) {
      // A refusal means that the case is not as listed.
      await cases.reload();
      throw failure;
    }
    navigate(href(`/cases/${customerId}`));
  });
  const action: Column<NamedCase> = {
    label: "Action",
    cell: ({ customerId, companyName, claimedBy, reviewStage }) =>
      claimedBy || reviewStage !== "Queued" ? (
        <span class="soft">–</span>
      ) : (
        <Button
          onClick={() => void claim.run(customerId)}
          isBusy={claim.isBusy}
          label={`Claim ${companyName}`}
        >
          Claim
        </Button>
      ),
  };
  return (
    <Page
      title="Queue"
      intro="Cases by stage, oldest first."
      actions={
        <Button kind="primary" onClick={() => void takeNext.run()} isBusy={takeNext.isBusy}>
          Claim next case
        </Button>
      }
    >
      <div class="stack">
        <FilterChips
          label="Stage"
          name="tab"
          options={(tab === EVERYWHERE ? [...TABS, EVERYWHERE] : TABS).map(({ key, label }) => [key, label])}
          counts={counts.value && countsOf(counts.value)}
        />
        <FilterForm
          fields={[
            {
              label: "Search",
              name: "search",
              hint: "First letters of the company name, a reference, or a customer id.",
            },
            { label: "Country", name: "country", options: [["", "All countries"], ...countries] },
          ]}
        />
      </div>
      {isEmpty && <Notice tone="info">No unclaimed cases.</Notice>}
      <Failure failure={takeNext.failure ?? claim.failure} />
      <List
        read={cases}
        caption="Cases"
        keyOf={({ customerId }) => customerId}
        empty={<NothingFound tab={tab} />}
        columns={[...COLUMNS, action]}
      />
    </Page>
  );
}

/** Why the list is empty, and where else the search finds something. */
function NothingFound({ tab }: { tab: Tab }) {
  const filters = useFilters();
  const { search, country } = filters.of(["search", "country"]);
  const nameOf = useCountryName();
  const others = useRead(search ? JSON.stringify([tab.key, search, country]) : null, () =>
    Promise.all(
      TABS.filter(({ key }) => key !== tab.key).map(async ({ key, label, query }) => {
        const { total } = await api.cases({ ...query, search, country, page: "1", pageSize: "1" })();
        return { key, label, total: total ?? 0 };
      }),
    ),
  );
  if (!search && !country)
    return <Empty title={`No cases in ${tab.label}`}>New cases appear here without a reload.</Empty>;
  const wanted = [search && `“${search}”`, country && nameOf(country)].filter(Boolean).join(" in ");
  const found = (others.value ?? []).filter(({ total }) => total > 0);
  return (
    <Empty title={`No case matches ${wanted} in ${tab.label}`}>
      <p class="row">
        {found.map(({ key, label, total }) => (
          <a key={key} href={filters.href({ tab: key })}>
            {asNumber(total)} in {label}
          </a>
        ))}
        {tab !== EVERYWHERE && <a href={filters.href({ tab: EVERYWHERE.key })}>Search all cases</a>}
        <a href={filters.href({ search: undefined, country: undefined })}>Clear the search</a>
      </p>
    </Empty>
  );
}

/** No number is counted further than the service says. */
const countsOf = (counts: CaseCounts): Record<string, string> =>
  Object.fromEntries(
    TABS.map(({ key, counted }) => {
      const number = counts[counted];
      return [key, number >= counts.countedUpTo ? `${asNumber(number)}+` : asNumber(number)];
    }),
  );

const COLUMNS: readonly Column<NamedCase>[] = [
  {
    label: "Company",
    cell: ({ customerId, companyName, partnerCustomerId, partnerName }) => (
      <>
        <a class="row-link" href={href(`/cases/${customerId}`)}>
          {companyName}
        </a>
        <div class="soft small">{[partnerName, partnerCustomerId].filter(Boolean).join(" · ")}</div>
      </>
    ),
  },
  {
    label: "Status",
    cell: ({ verificationStatus }) => <State of={verificationWords(verificationStatus)} />,
  },
  { label: "Country", cell: (row) => row.incorporationCountryIso3Code },
  { label: "Submitted", cell: (row) => <Age row={row} /> },
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
        <span class="soft">–</span>
      ),
  },
];

const HOUR_MS = 3_600_000;

/** Colour and words: late is after a day, very late after three. */
function Age({ row: { submittedAt, reviewStage } }: { row: CaseSummary }) {
  const hours = (Date.now() - Date.parse(submittedAt)) / HOUR_MS;
  const tone: Tone | undefined = hours > 72 ? "bad" : hours > 24 ? "warn" : undefined;
  if (reviewStage === "Closed") return <Time at={submittedAt} />;
  return (
    <time dateTime={submittedAt} title={submittedAt}>
      {asDistance(submittedAt)} {tone && <Badge tone={tone}>{hours > 72 ? "very late" : "late"}</Badge>}
    </time>
  );
}
