/** Deliveries: filters in the address, the list, and next to it the selected delivery. */
import type { DeliveryView } from "../../../../shared/contract/answers/delivery.ts";
import { api } from "../../core/api.ts";
import { asNumber } from "../../core/format.ts";
import { useList } from "../../core/read.ts";
import { href, useFilters } from "../../core/router.ts";
import { deliveryWords, errorWords, RESPONSE_OPTIONS } from "../../core/words.ts";
import { Dotted, State, Time } from "../../ui/bits.tsx";
import { Button } from "../../ui/field.tsx";
import { FilterChips, FilterForm, List } from "../../ui/list.tsx";
import { Empty, Page } from "../../ui/page.tsx";
import type { Column } from "../../ui/table.tsx";
import { DeliveryCard } from "./delivery.tsx";
import { useEventTypeOptions } from "./events.tsx";

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
  const list = useList(JSON.stringify(query), api.deliveries(query), isLive ? LIVE_MS : 0);
  return (
    <Page
      title="Deliveries"
      intro="Every event sent to your URL. Pending: another attempt follows. Exhausted: all attempts failed."
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
              <Empty title="No matching deliveries">
                <p>
                  Change the filters, or <a href={href("/webhook")}>send a test event</a>.
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

const COLUMNS: readonly (Column<DeliveryView> & { isInDetail?: true })[] = [
  {
    label: "Event",
    cell: ({ id, eventType, isReplay }) => (
      <>
        <a class="row-link" href={`${href(`/deliveries/${id}`)}${location.search}`}>
          <Dotted text={eventType} />
        </a>
        {isReplay && <span class="soft small"> replay</span>}
      </>
    ),
  },
  { label: "Status", cell: ({ status }) => <State of={deliveryWords(status)} /> },
  {
    label: "Response",
    isInDetail: true,
    cell: ({ lastStatusCode, lastErrorKind }) =>
      lastStatusCode ?? (lastErrorKind ? errorWords(lastErrorKind) : "–"),
  },
  { label: "Attempts", isInDetail: true, cell: ({ attemptCount }) => attemptCount, isNumber: true },
  { label: "Occurred", cell: ({ occurredAt }) => <Time at={occurredAt} /> },
];

function Filters() {
  const narrowed = useFilters().of(NARROWING);
  const eventTypes = useEventTypeOptions();
  const counts = useList(JSON.stringify(narrowed), () => countByStatus(narrowed));
  return (
    <div class="stack">
      <FilterChips
        label="Status"
        name="status"
        options={[["", "All"], ...STATUSES.map((each) => [each, deliveryWords(each).label] as const)]}
        counts={counts.value}
      />
      <FilterForm
        fields={[
          { label: "Event type", name: "eventType", options: eventTypes },
          { label: "Response", name: "responseClass", options: [["", "Any"], ...RESPONSE_OPTIONS] },
          { label: "From", name: "from", isTime: true },
          { label: "To", name: "to", isTime: true },
          { label: "Customer id", name: "customerId" },
          { label: "Event id", name: "eventId" },
          ...(narrowed.replaySeries ? [{ label: "Replay", name: "replaySeries" }] : []),
        ]}
      />
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
