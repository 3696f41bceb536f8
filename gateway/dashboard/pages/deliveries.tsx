/** What was sent: filters in the address, the list, and beside it the delivery that was chosen. */
import { api, type Query } from "../core/api.ts";
import { useRead } from "../core/read.ts";
import { href, useFilters } from "../core/router.ts";
import { DELIVERY_STATUS } from "../core/words.ts";
import { Badge, Chips, Time } from "../ui/bits.tsx";
import { Button, onSubmit, SelectField, TextField } from "../ui/field.tsx";
import { Empty, Loaded, Page } from "../ui/page.tsx";
import { Pager, Table } from "../ui/table.tsx";
import { DeliveryCard } from "./delivery.tsx";

const STATUSES = ["Delivered", "Pending", "Exhausted"] as const;
const FILTERS = ["status", "eventType", "from", "to", "page"];
const LIVE_MS = 4_000;

export function DeliveriesPage({ params: { deliveryId } }: { params: Record<string, string> }) {
  const filters = useFilters();
  const isLive = filters.get("live") === "true";
  const query: Query = Object.fromEntries(FILTERS.map((name) => [name, filters.get(name)]));
  query.from = asTime(query.from);
  query.to = asTime(query.to);
  const list = useRead(
    JSON.stringify(query),
    (background) => api.deliveries(query)({ background }),
    isLive ? LIVE_MS : 0,
  );
  const hrefOf = (id: string) => `${href(`/deliveries/${id}`)}${location.search}`;
  return (
    <Page
      title="Deliveries"
      intro="Each event on its way to your URL, with every attempt."
      actions={
        <Button onClick={() => filters.set({ live: isLive ? undefined : "true", page: filters.get("page") })}>
          {isLive ? "Stop live view" : "Live view"}
        </Button>
      }
    >
      <Filters />
      <div class={deliveryId ? "split" : "stack"}>
        <Loaded read={list} lines={8}>
          {({ items, page, pageSize, total }) =>
            items.length === 0 ? (
              <Empty title="No delivery fits">
                <p>
                  Widen the filters, or send a test event from the <a href={href("/webhook")}>webhook page</a>
                  .
                </p>
              </Empty>
            ) : (
              <>
                <Table
                  caption="Deliveries, newest first"
                  rows={items}
                  keyOf={({ id }) => id}
                  isCurrent={({ id }) => id === deliveryId}
                  columns={[
                    {
                      label: "Event",
                      cell: (row) => (
                        <>
                          <a class="row-link" href={hrefOf(row.id)}>
                            {row.eventType}
                          </a>
                          {row.isReplay && <span class="soft small"> replay</span>}
                        </>
                      ),
                    },
                    {
                      label: "Status",
                      cell: ({ status }) => (
                        <Badge tone={DELIVERY_STATUS[status].tone}>{DELIVERY_STATUS[status].label}</Badge>
                      ),
                    },
                    { label: "Answer", cell: ({ lastStatusCode }) => lastStatusCode ?? "–" },
                    { label: "Attempts", cell: ({ attemptCount }) => attemptCount, isNumber: true },
                    { label: "Occurred", cell: ({ occurredAt }) => <Time at={occurredAt} /> },
                  ]}
                />
                {page !== null && total !== null && (
                  <Pager
                    page={page}
                    pageSize={pageSize}
                    total={total}
                    hrefOf={(each) => filters.href({ page: each })}
                  />
                )}
              </>
            )
          }
        </Loaded>
        {deliveryId && (
          <DeliveryCard
            key={deliveryId}
            deliveryId={deliveryId}
            backHref={`${href("/deliveries")}${location.search}`}
          />
        )}
      </div>
    </Page>
  );
}

/** From a field of local time to what the API takes. */
const asTime = (local: string | undefined): string | undefined =>
  local && !Number.isNaN(Date.parse(local)) ? new Date(local).toISOString() : undefined;

function Filters() {
  const filters = useFilters();
  const types = useRead("types", () => api.eventTypes());
  const status = filters.get("status");
  return (
    <div class="stack-s">
      <Chips
        label="Status"
        chips={[
          { label: "All", href: filters.href({ status: undefined }), isCurrent: status === "" },
          ...STATUSES.map((each) => ({
            label: DELIVERY_STATUS[each].label,
            href: filters.href({ status: each }),
            isCurrent: status === each,
          })),
        ]}
      />
      <form class="filters" onSubmit={onSubmit(({ from, to }) => filters.set({ from, to }))}>
        <SelectField
          label="Event type"
          name="eventType"
          value={filters.get("eventType")}
          options={[["", "All types"], ...(types.value ?? []).map(({ name }) => [name, name] as const)]}
          onChange={(eventType) => filters.set({ eventType })}
        />
        <TextField label="From" name="from" type="datetime-local" defaultValue={filters.get("from")} />
        <TextField label="To" name="to" type="datetime-local" defaultValue={filters.get("to")} />
        <div>
          <Button submit>Filter</Button>
        </div>
      </form>
    </div>
  );
}
