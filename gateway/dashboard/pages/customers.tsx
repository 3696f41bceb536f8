/** The partner's customers: by status, by the beginning of their name or by reference, page after page. */
import type { CustomerItem } from "../../../shared/contract/answers/customer.ts";
import { api } from "../core/api.ts";
import { useList } from "../core/read.ts";
import { href, useFilters } from "../core/router.ts";
import { CUSTOMER_STATUSES, verificationWords } from "../core/words.ts";
import { State, Time } from "../ui/bits.tsx";
import { FilterChips, FilterForm, List } from "../ui/list.tsx";
import { Empty, Page } from "../ui/page.tsx";
import type { Column } from "../ui/table.tsx";

const PAGE_SIZE = "25";

export function CustomersPage() {
  const query = {
    pageSize: PAGE_SIZE,
    ...useFilters().of(["verificationStatus", "companyName", "partnerCustomerId", "cursor"]),
  };
  const list = useList(JSON.stringify(query), api.customers(query));
  return (
    <Page title="Customers" intro="All businesses that you onboard, newest first.">
      <div class="stack">
        <FilterChips
          label="Status"
          name="verificationStatus"
          options={[
            ["", "All"],
            ...CUSTOMER_STATUSES.map((each) => [each, verificationWords(each).label] as const),
          ]}
        />
        <FilterForm
          fields={[
            { label: "Company name", name: "companyName", hint: "The first letters are enough." },
            { label: "Your reference", name: "partnerCustomerId", hint: "The complete reference." },
          ]}
        />
      </div>
      <List
        read={list}
        caption="Customers"
        keyOf={({ customerId }) => customerId}
        columns={COLUMNS}
        empty={
          <Empty title="No matching customers">
            <p>
              Your server creates customers through the API. <a href="/docs">Read how to create one</a>.
            </p>
          </Empty>
        }
      />
    </Page>
  );
}

const COLUMNS: readonly Column<CustomerItem>[] = [
  {
    label: "Company",
    cell: ({ customerId, companyName }) => (
      <a class="row-link" href={href(`/customers/${customerId}`)}>
        {companyName}
      </a>
    ),
  },
  { label: "Reference", cell: ({ partnerCustomerId }) => partnerCustomerId },
  {
    label: "Status",
    cell: ({ verificationStatus }) => <State of={verificationWords(verificationStatus)} />,
  },
  { label: "Open requests", cell: (row) => row.openChangeRequestCount || "–", isNumber: true },
  { label: "Country", cell: (row) => row.incorporationCountryIso3Code },
  { label: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
];
