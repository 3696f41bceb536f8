/** The analysts' queue: what waits, since when, and who has it. */
import { useState } from "preact/hooks";
import type { CaseCounts, CaseSummary, NamedCase } from "../../../../shared/contract/answers/case.ts";
import type { ReviewStage } from "../../../../shared/contract/vocabularies.ts";
import { api } from "../../core/api.ts";
import { useCountries, useCountryName } from "../../core/countries.ts";
import { asDistance, asNumber } from "../../core/format.ts";
import { useAction, useList, useRead } from "../../core/read.ts";
import { href, navigate, useFilters } from "../../core/router.ts";
import { type Tone, verificationWords } from "../../core/words.ts";
import { Badge, State, Time } from "../../ui/bits.tsx";
import { Button, onSubmit, SelectField, TextField } from "../../ui/field.tsx";
import { FilterChips, List } from "../../ui/list.tsx";
import { Empty, Failure, Notice, Page } from "../../ui/page.tsx";

type Tab = {
  key: string;
  label: string;
  query: { reviewStage?: ReviewStage; mine?: string };
  count: (counts: CaseCounts) => number;
};
const QUEUED: Tab = {
  key: "",
  label: "Queued",
  query: { reviewStage: "Queued" },
  count: ({ Queued }) => Queued,
};
const TABS: readonly Tab[] = [
  QUEUED,
  { key: "mine", label: "Mine", query: { mine: "true" }, count: ({ mine }) => mine },
  {
    key: "awaiting",
    label: "Awaiting partner",
    query: { reviewStage: "AwaitingPartner" },
    count: ({ AwaitingPartner }) => AwaitingPartner,
  },
  { key: "closed", label: "Closed", query: { reviewStage: "Closed" }, count: ({ Closed }) => Closed },
];

/** Only reached from a search that found nothing in the tab that was chosen. */
const EVERYWHERE: Tab = { key: "all", label: "All cases", query: {}, count: () => 0 };

const tabOf = (key: string): Tab => [...TABS, EVERYWHERE].find((tab) => tab.key === key) ?? QUEUED;

export function QueuePage() {
  const filters = useFilters();
  const tab = tabOf(filters.get("tab"));
  const query = { ...tab.query, ...filters.of(["search", "country", "page", "cursor"]) };
  const cases = useList(JSON.stringify(query), (background) => api.cases(query)({ background }), 15_000);
  const counts = useRead("counts", (background) => api.countCases({ background }), 15_000);
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
  return (
    <Page
      title="Queue"
      intro="Cases by stage, oldest first."
      actions={
        <Button kind="primary" onClick={() => void takeNext.run()} isBusy={takeNext.isBusy}>
          Take next
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
        <form
          key={query.search + query.country}
          class="filters"
          onSubmit={onSubmit((values) => filters.set(values))}
        >
          <TextField
            label="Search"
            name="search"
            type="search"
            hint="The beginning of a name, a reference or a customer id."
            defaultValue={query.search}
          />
          <Country value={query.country} />
          <div>
            <Button submit>Search</Button>
          </div>
        </form>
      </div>
      {isEmpty && (
        <Notice tone="info">
          <p>No unclaimed cases.</p>
        </Notice>
      )}
      <Failure failure={takeNext.failure ?? claim.failure} />
      <List
        read={cases}
        caption="Cases"
        keyOf={({ customerId }) => customerId}
        empty={<NothingFound tab={tab} />}
        columns={[
          ...COLUMNS,
          {
            label: "Action",
            cell: (row) => (
              <Step row={row} isBusy={claim.isBusy} onClaim={() => void claim.run(row.customerId)} />
            ),
          },
        ]}
      />
    </Page>
  );
}

/** Why the list is empty, and where else the search finds something. */
function NothingFound({ tab }: { tab: Tab }) {
  const filters = useFilters();
  const { search, country } = filters.of(["search", "country"]);
  const isNarrowed = Boolean(search || country);
  const nameOf = useCountryName();
  const others = useRead(search ? JSON.stringify([tab.key, search, country]) : null, () =>
    Promise.all(
      TABS.filter(({ key }) => key !== tab.key).map(async ({ key, label, query }) => {
        const { total } = await api.cases({ ...query, search, country, page: "1", pageSize: "1" })();
        return { key, label, total: total ?? 0 };
      }),
    ),
  );
  if (!isNarrowed)
    return (
      <Empty title="No cases here">
        <p>{tab.key === "" ? "The queue is empty. Well done." : `No case is in ${tab.label}.`}</p>
      </Empty>
    );
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
        {tab !== EVERYWHERE && <a href={filters.href({ tab: EVERYWHERE.key })}>Search everywhere</a>}
        <a href={filters.href({ search: undefined, country: undefined })}>Clear the search</a>
      </p>
    </Empty>
  );
}

/** No number is counted further than the service says. */
const countsOf = (counts: CaseCounts): Record<string, string> =>
  Object.fromEntries(
    TABS.map(({ key, count }) => {
      const number = count(counts);
      return [key, number >= counts.countedUpTo ? `${asNumber(number)}+` : asNumber(number)];
    }),
  );

function Country({ value }: { value: string }) {
  const countries = useCountries();
  return (
    <SelectField
      label="Country"
      name="country"
      value={value}
      options={[["", "All countries"], ...countries]}
    />
  );
}

const COLUMNS = [
  {
    label: "Company",
    cell: ({ customerId, companyName, partnerCustomerId, partnerName }: NamedCase) => (
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
    cell: ({ verificationStatus }: CaseSummary) => <State of={verificationWords(verificationStatus)} />,
  },
  { label: "Country", cell: (row: CaseSummary) => row.incorporationCountryIso3Code },
  { label: "Submitted", cell: (row: CaseSummary) => <Age row={row} /> },
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
      {asDistance(submittedAt)} {tone && <Badge tone={tone}>{hours > 72 ? "very late" : "late"}</Badge>}
    </time>
  );
}
