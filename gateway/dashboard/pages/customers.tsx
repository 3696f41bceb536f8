/** The partner's customers: by status, by the beginning of their name or by reference, page after page. */
import { api } from "../core/api.ts";
import { useRead } from "../core/read.ts";
import { href, useFilters } from "../core/router.ts";
import { VERIFICATION_STATUS } from "../core/words.ts";
import { Badge, Chips, Time } from "../ui/bits.tsx";
import { Button, onSubmit, TextField } from "../ui/field.tsx";
import { Empty, Loaded, Page } from "../ui/page.tsx";
import { Table } from "../ui/table.tsx";

const STATUSES = ["PendingVerification", "ChangesRequested", "Approved", "Rejected"] as const;
const PAGE_SIZE = "25";

export function CustomersPage() {
  const filters = useFilters();
  const status = filters.get("verificationStatus");
  const names = ["companyName", "partnerCustomerId"];
  const query = {
    pageSize: PAGE_SIZE,
    verificationStatus: status,
    ...Object.fromEntries(names.map((name) => [name, filters.get(name)])),
  };
  const cursor = filters.get("cursor");
  const list = useRead(JSON.stringify({ query, cursor }), () => api.customers(query, cursor)());
  return (
    <Page title="Customers" intro="Every business that you onboard, the newest first.">
      <div class="stack-s">
        <Chips
          label="Status"
          chips={[
            { label: "All", href: filters.href({ verificationStatus: undefined }), isCurrent: status === "" },
            ...STATUSES.map((each) => ({
              label: VERIFICATION_STATUS[each].label,
              href: filters.href({ verificationStatus: each }),
              isCurrent: status === each,
            })),
          ]}
        />
        <form class="filters" onSubmit={onSubmit((values) => filters.set(values))}>
          <TextField
            label="Company name"
            name="companyName"
            type="search"
            hint="Its beginning."
            defaultValue={filters.get("companyName")}
          />
          <TextField
            label="Your reference"
            name="partnerCustomerId"
            type="search"
            hint="All of it."
            defaultValue={filters.get("partnerCustomerId")}
          />
          <div>
            <Button submit>Search</Button>
          </div>
        </form>
      </div>
      <Loaded read={list} lines={8}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <Empty title="No customer fits">
              <p>
                Customers are created by your server; <a href="/docs">the API documentation</a> shows how.
              </p>
            </Empty>
          ) : (
            <>
              <Table
                caption="Customers"
                rows={items}
                keyOf={({ customerId }) => customerId}
                columns={[
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
                    cell: ({ verificationStatus: each }) => (
                      <Badge tone={VERIFICATION_STATUS[each].tone}>{VERIFICATION_STATUS[each].label}</Badge>
                    ),
                  },
                  {
                    label: "Open requests",
                    cell: ({ openChangeRequestCount }) => openChangeRequestCount || "–",
                    isNumber: true,
                  },
                  { label: "Country", cell: (row) => row.incorporationCountryIso3Code },
                  { label: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
                ]}
              />
              <nav class="row" aria-label="Pages">
                {cursor && (
                  <a class="button" href={filters.href({ cursor: undefined })}>
                    First page
                  </a>
                )}
                {nextCursor && (
                  <a class="button" href={filters.href({ cursor: nextCursor })} rel="next">
                    Next page
                  </a>
                )}
              </nav>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
