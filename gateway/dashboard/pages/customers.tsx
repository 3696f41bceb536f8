/** The partner's customers: by status, by the beginning of their name or by reference, page after page. */
import type { CustomerItem } from "../../../shared/contract/answers/customer.ts";
import { api } from "../core/api.ts";
import { useList } from "../core/read.ts";
import { href, useFilters } from "../core/router.ts";
import { verificationWords } from "../core/words.ts";
import { State, Time } from "../ui/bits.tsx";
import { Button, onSubmit, TextField } from "../ui/field.tsx";
import { FilterChips, List } from "../ui/list.tsx";
import { Empty, Page } from "../ui/page.tsx";

const STATUSES = ["PendingVerification", "ChangesRequested", "Approved", "Rejected"] as const;
const PAGE_SIZE = "25";

export function CustomersPage() {
  const filters = useFilters();
  const query = {
    pageSize: PAGE_SIZE,
    ...filters.of(["verificationStatus", "companyName", "partnerCustomerId", "cursor"]),
  };
  const list = useList(JSON.stringify(query), () => api.customers(query)());
  return (
    <Page title="Customers" intro="Every business that you onboard, the newest first.">
      <div class="stack">
        <FilterChips
          label="Status"
          name="verificationStatus"
          options={[["", "All"], ...STATUSES.map((each) => [each, verificationWords(each).label] as const)]}
        />
        <form
          key={query.companyName + query.partnerCustomerId}
          class="filters"
          onSubmit={onSubmit((values) => filters.set(values))}
        >
          <TextField
            label="Company name"
            name="companyName"
            type="search"
            hint="Its beginning."
            defaultValue={query.companyName}
          />
          <TextField
            label="Your reference"
            name="partnerCustomerId"
            type="search"
            hint="All of it."
            defaultValue={query.partnerCustomerId}
          />
          <div>
            <Button submit>Search</Button>
          </div>
        </form>
      </div>
      <List
        read={list}
        caption="Customers"
        keyOf={({ customerId }) => customerId}
        columns={COLUMNS}
        empty={
          <Empty title="No customer matches">
            <p>
              Customers are created by your server; <a href="/docs">the API documentation</a> shows how.
            </p>
          </Empty>
        }
      />
    </Page>
  );
}

const COLUMNS = [
  {
    label: "Company",
    cell: ({ customerId, companyName }: CustomerItem) => (
      <a class="row-link" href={href(`/customers/${customerId}`)}>
        {companyName}
      </a>
    ),
  },
  { label: "Reference", cell: ({ partnerCustomerId }: CustomerItem) => partnerCustomerId },
  {
    label: "Status",
    cell: ({ verificationStatus }: CustomerItem) => <State of={verificationWords(verificationStatus)} />,
  },
  {
    label: "Open requests",
    cell: ({ openChangeRequestCount }: CustomerItem) => openChangeRequestCount || "–",
    isNumber: true,
  },
  { label: "Country", cell: (row: CustomerItem) => row.incorporationCountryIso3Code },
  { label: "Created", cell: ({ createdAt }: CustomerItem) => <Time at={createdAt} /> },
];
