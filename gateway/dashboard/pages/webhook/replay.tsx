/** A window of events once more: choose, see how many, confirm, watch. */
import { useEffect, useState } from "preact/hooks";
import type { ReplayDetail, ReplayView } from "../../../../shared/contract/answers/delivery.ts";
import { api } from "../../core/api.ts";
import { asLocalField, asMoment, asNumber, fromLocalField } from "../../core/format.ts";
import { useAction, useRead } from "../../core/read.ts";
import { href, useFilters } from "../../core/router.ts";
import { useMayChange } from "../../core/session.ts";
import { replayWords } from "../../core/words.ts";
import { State, Time } from "../../ui/bits.tsx";
import { AskButton, AskDialog } from "../../ui/dialog.tsx";
import { Form, SelectField, TextField, type Values } from "../../ui/field.tsx";
import { List } from "../../ui/list.tsx";
import { Card, Loaded, Page } from "../../ui/page.tsx";
import type { Column } from "../../ui/table.tsx";
import { useEventTypeOptions } from "./events.tsx";

type Window = {
  from: string | undefined;
  to: string | undefined;
  eventType?: string;
  status?: string;
  includeUnrouted?: boolean;
};

const DAY_MS = 86_400_000;
const WATCH_MS = 1_500;

export function ReplayPage() {
  const mayChange = useMayChange();
  const filters = useFilters();
  const eventTypes = useEventTypeOptions();
  const replays = useRead("replays", api.replays);
  const [started, setStarted] = useState<string | null>(null);
  const [counted, setCounted] = useState<{ window: Window; count: number } | null>(null);
  const count = useAction(async (values: Values) => {
    const window = windowOf(values);
    const { created } = await api.replayWindow({ body: { ...window, dryRun: true } });
    setCounted({ window, count: created });
  });
  const replay = useAction(async (body: Window) => {
    const { replaySeries } = await api.replayWindow({ body });
    setCounted(null);
    setStarted(replaySeries);
    await replays.reload();
  });
  const running = replays.value?.items.find(({ state }) => state === "Running")?.replaySeries;
  const watched = started ?? running;
  const now = Date.now();
  const from = filters.get("from") || new Date(now - DAY_MS).toISOString();
  const to = filters.get("to") || new Date(now).toISOString();
  return (
    <Page
      title="Replay"
      intro="Send the events of a time window again, in their original order. Each event keeps its id."
    >
      {watched && (
        <ReplayProgress
          key={watched}
          series={watched}
          mayChange={mayChange}
          onEnd={() => void replays.reload()}
        />
      )}
      {mayChange ? (
        <Card title="Choose events">
          <Form action={count} submit="Count events…" kind="primary">
            <div class="filters">
              <TextField
                label="From"
                name="from"
                type="datetime-local"
                defaultValue={asLocalField(from)}
                required
                step="1"
              />
              <TextField
                label="To"
                name="to"
                type="datetime-local"
                hint="At most seven days later."
                defaultValue={asLocalField(to, Math.ceil)}
                required
                step="1"
              />
              <SelectField label="Event type" name="eventType" options={eventTypes} />
              <SelectField
                label="Events"
                name="which"
                value={filters.get("unrouted") ? "unrouted" : "exhausted"}
                options={[
                  ["exhausted", "Exhausted only"],
                  ["unrouted", "Exhausted or never sent"],
                  ["all", "All that were sent"],
                ]}
              />
            </div>
          </Form>
        </Card>
      ) : (
        <p class="soft">Your role is Viewer. You can read this page but change nothing.</p>
      )}
      <Card title="Past replays">
        <List
          read={replays}
          caption="Replays, newest first"
          keyOf={({ replaySeries }) => replaySeries}
          columns={COLUMNS}
          empty="No replays yet."
        />
      </Card>
      {counted && (
        <AskDialog
          title={counted.count === 0 ? "No matching events" : `Replay ${asNumber(counted.count)} events?`}
          yes={counted.count === 0 ? "Change the filters" : "Replay"}
          isBusy={replay.isBusy}
          failure={replay.failure}
          onYes={() => (counted.count === 0 ? setCounted(null) : void replay.run(counted.window))}
          onClose={() => setCounted(null)}
        >
          <p>{asSentence(counted.window)}</p>
        </AskDialog>
      )}
    </Page>
  );
}

const windowOf = ({ from, to, eventType, which }: Values): Window => ({
  from: fromLocalField(from),
  to: fromLocalField(to),
  ...(eventType ? { eventType } : {}),
  ...(which === "all" ? {} : { status: "Exhausted" }),
  ...(which === "unrouted" ? { includeUnrouted: true } : {}),
});

const asSentence = ({ from = "", to = "", eventType, status, includeUnrouted }: Window): string =>
  [
    `From ${asMoment(from)} to ${asMoment(to)}`,
    eventType && `only ${eventType}`,
    status &&
      (includeUnrouted ? "only exhausted deliveries and events never sent" : "only exhausted deliveries"),
  ]
    .filter(Boolean)
    .join(", ")
    .concat(".");

const COLUMNS: readonly Column<ReplayView>[] = [
  {
    label: "Requested",
    cell: ({ replaySeries, askedAt }) => (
      <a class="row-link" href={href("/deliveries", { replaySeries })}>
        <Time at={askedAt} />
      </a>
    ),
  },
  { label: "State", cell: ({ state }) => <State of={replayWords(state)} /> },
  {
    label: "Window",
    cell: ({ from, to }) => (
      <>
        <Time at={from} /> – <Time at={to} />
      </>
    ),
  },
  { label: "Type", cell: ({ eventType }) => eventType ?? "All" },
  {
    label: "Created",
    isNumber: true,
    cell: ({ created, expected }) => `${asNumber(created)} of ${asNumber(expected)}`,
  },
];

/** Until the last of its deliveries has an end. */
const nextCheck = (replay: ReplayDetail | null): number =>
  replay && replay.state !== "Running" && replay.deliveries.pending === 0 ? 0 : WATCH_MS;

type ProgressProps = { series: string; mayChange: boolean; onEnd: () => void };

/** How far a replay is, the states of its deliveries, and the way to stop it. */
function ReplayProgress({ series, mayChange, onEnd }: ProgressProps) {
  const replay = useRead(series, api.replay(series), nextCheck);
  const state = replay.value?.state;
  // Once, at the end.
  useEffect(() => {
    if (state && state !== "Running") onEnd();
  }, [state]);
  return (
    <Card
      title="Replay progress"
      actions={
        <>
          {state && <State of={replayWords(state)} />}
          {mayChange && state === "Running" && (
            <AskButton
              button="Stop…"
              title="Stop this replay?"
              kind="danger"
              run={() =>
                api
                  .stopReplay(series)()
                  .then(() => replay.reload())
              }
            >
              <p>Deliveries that exist are still sent. No more are created.</p>
            </AskButton>
          )}
        </>
      }
    >
      <Loaded read={replay} lines={3}>
        {({ created, expected, deliveries }) => (
          <>
            <progress value={created} max={Math.max(1, expected)} aria-label="Deliveries created" />
            <p role="status">
              {asNumber(created)} of {asNumber(expected)} deliveries created: {asNumber(deliveries.delivered)}{" "}
              delivered, {asNumber(deliveries.pending)} pending, {asNumber(deliveries.exhausted)} exhausted.
            </p>
            <a href={href("/deliveries", { replaySeries: series })}>See the deliveries</a>
          </>
        )}
      </Loaded>
    </Card>
  );
}
