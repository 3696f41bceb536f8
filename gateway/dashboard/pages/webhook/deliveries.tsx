/** Deliveries: filters in the address, the list, and next to it the selected delivery. */
import type { DeliveryView } from "../../../../shared/contract/answers/delivery.ts";
import { api } from "../../core/api.ts";
import { asNumber } from "../../core/format.ts";
import { asLocalField, fromLocalField } from "../../core/local-time.ts";
import { useList, useRead } from "../../core/read.ts";
import { href, useFilters } from "../../core/router.ts";
import { deliveryWords, errorWords, RESPONSE_OPTIONS } from "../../core/words.ts";
import { Dotted, State, Time } from "../../ui/bits.tsx";
import { Button, onSubmit, SelectField, TextField } from "../../ui/field.tsx";
import { FilterChips, List } from "../../ui/list.tsx";
import { Empty, Page } from "../../ui/page.tsx";
import { DeliveryCard } from "./delivery.tsx";

const STATUSES = ["Delivered", "Pending", "Exhausted"] as const;
const NARROWING = [
  "eventType",
  "from",
  "to",
  "customerId",
  "eventId",
  "responseClass",
  "replaySeries",
] as const;
const LIVE_MS = 4_000;

export function DeliveriesPage({ params: { deliveryId } }: { params: Record<string, string> }) {
  const filters = useFilters();
  const isLive = filters.get("live") === "true";
  const query = filters.of([...NARROWING, "status", "cursor"]);
  const list = useList(
    JSON.stringify(query),
    (background) => api.deliveries(query)({ background }),
    isLive ? LIVE_MS : 0,
  );
  return (
    <Page
      title="Deliveries"
      intro="Each event on its way to your URL, with every attempt."
      actions={
        <Button
          onClick={() => filters.set({ live: isLive ? undefined : "true", cursor: filters.get("cursor") })}
        >
          {isLive ? "Stop live view" : "Live view"}
        </Button>
      }
    >
      <Filters />
      <div class={deliveryId ? "split" : "stack"}>
        <div class="stack">
          <List
            read={list}
            caption="Deliveries, newest first"
            keyOf={({ id }) => id}
            isCurrent={({ id }) => id === deliveryId}
            columns={deliveryId ? COLUMNS.filter(({ isInDetail }) => !isInDetail) : COLUMNS}
            empty={
              <Empty title="No delivery matches">
                <p>
                  Widen the filters, or send a test event from the <a href={href("/webhook")}>webhook page</a>
                  .
                </p>
              </Empty>
            }
          />
        </div>
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

const COLUMNS = [
  {
    label: "Event",
    cell: ({ id, eventType, isReplay }: DeliveryView) => (
      <>
        <a class="row-link" href={`${href(`/deliveries/${id}`)}${location.search}`}>
          <Dotted text={eventType} />
        </a>
        {isReplay && <span class="soft small"> replay</span>}
      </>
    ),
  },
  { label: "Status", cell: ({ status }: DeliveryView) => <State of={deliveryWords(status)} /> },
  {
    label: "Answer",
    isInDetail: true,
    cell: ({ lastStatusCode, lastErrorKind }: DeliveryView) =>
      lastStatusCode ?? (lastErrorKind ? errorWords(lastErrorKind) : "–"),
  },
  {
    label: "Attempts",
    isInDetail: true,
    cell: ({ attemptCount }: DeliveryView) => attemptCount,
    isNumber: true,
  },
  { label: "Occurred", cell: ({ occurredAt }: DeliveryView) => <Time at={occurredAt} /> },
];

function Filters() {
  const filters = useFilters();
  const types = useRead("types", () => api.eventTypes());
  const narrowed = filters.of(NARROWING);
  const counts = useList(JSON.stringify(narrowed), () => countByStatus(narrowed));
  const isNarrowed = Object.values(narrowed).some(Boolean);
  return (
    <div class="stack">
      <FilterChips
        label="Status"
        name="status"
        options={[["", "All"], ...STATUSES.map((each) => [each, deliveryWords(each).label] as const)]}
        counts={counts.value}
      />
      <form
        // Fields follow the address, also on the way back.
        key={JSON.stringify(narrowed)}
        class="filters"
        onSubmit={onSubmit(({ from, to, ...values }) =>
          filters.set({ ...values, from: fromLocalField(from), to: fromLocalField(to) }),
        )}
      >
        <SelectField
          label="Event type"
          name="eventType"
          value={narrowed.eventType}
          options={[["", "All types"], ...(types.value ?? []).map(({ name }) => [name, name] as const)]}
        />
        <SelectField
          label="Answer"
          name="responseClass"
          value={narrowed.responseClass}
          options={[["", "Any"], ...RESPONSE_OPTIONS]}
        />
        <TextField
          label="From"
          name="from"
          type="datetime-local"
          step="1"
          defaultValue={asLocalField(narrowed.from)}
        />
        <TextField
          label="To"
          name="to"
          type="datetime-local"
          step="1"
          defaultValue={asLocalField(narrowed.to)}
        />
        <TextField label="Customer id" name="customerId" type="search" defaultValue={narrowed.customerId} />
        <TextField label="Event id" name="eventId" type="search" defaultValue={narrowed.eventId} />
        {narrowed.replaySeries && (
          <TextField label="Replay" name="replaySeries" type="search" defaultValue={narrowed.replaySeries} />
        )}
        <div class="row">
          <Button submit>Filter</Button>
          {isNarrowed && <a href={href("/deliveries")}>Clear</a>}
        </div>
      </form>
    </div>
  );
}

/** With the same filters, whatever status is chosen. */
async function countByStatus(narrowed: Record<string, string>): Promise<Record<string, string>> {
  const counted = STATUSES.map(async (status) => {
    const { total } = await api.countDeliveries({ ...narrowed, status })();
    return [status, asNumber(total ?? 0)] as const;
  });
  return Object.fromEntries(await Promise.all(counted));
}
