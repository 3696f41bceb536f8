/** A window of events once more: choose, see how many, confirm, watch. */
import { useState } from "preact/hooks";
import type { ReplayView } from "../../../../shared/contract/answers/delivery.ts";
import { api } from "../../core/api.ts";
import { asMoment, asNumber } from "../../core/format.ts";
import { asLocalField, fromLocalField } from "../../core/local-time.ts";
import { useAction, useRead } from "../../core/read.ts";
import { href, useFilters } from "../../core/router.ts";
import { useMayChange } from "../../core/session.ts";
import { replayWords } from "../../core/words.ts";
import { State, Time } from "../../ui/bits.tsx";
import { AskDialog } from "../../ui/dialog.tsx";
import { Button, onSubmit, SelectField, TextField } from "../../ui/field.tsx";
import { List } from "../../ui/list.tsx";
import { Card, Failure, Page } from "../../ui/page.tsx";
import { ReplayProgress } from "./replay-progress.tsx";

type Window = {
  from: string | undefined;
  to: string | undefined;
  eventType?: string;
  status?: string;
  includeUnrouted?: boolean;
};
type Counted = { window: Window; count: number };

const DAY_MS = 86_400_000;

export function ReplayPage() {
  const mayChange = useMayChange();
  const replays = useRead("replays", () => api.replays());
  const [started, setStarted] = useState<string | null>(null);
  const [counted, setCounted] = useState<Counted | null>(null);
  const count = useAction(async (window: Window) => {
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
  return (
    <Page
      title="Replay"
      intro="Sends the events of a time window again, in their original order. Your server recognises them by their event id."
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
        <Card title="Which events">
          <WindowForm isBusy={count.isBusy} onCount={(window) => void count.run(window)} />
          <Failure failure={count.failure} />
        </Card>
      ) : (
        <p class="soft">As a Viewer you can look, not change.</p>
      )}
      <Card title="Past replays">
        <List
          read={replays}
          caption="Replays, newest first"
          keyOf={({ replaySeries }) => replaySeries}
          columns={COLUMNS}
          empty={<p class="soft">None yet.</p>}
        />
      </Card>
      {counted && (
        <AskDialog
          title={counted.count === 0 ? "No event matches" : `Replay ${asNumber(counted.count)} events?`}
          yes={counted.count === 0 ? "Choose again" : "Replay"}
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

const asSentence = ({ from = "", to = "", eventType, status, includeUnrouted }: Window): string =>
  [
    `From ${asMoment(from)} to ${asMoment(to)}`,
    eventType && `only ${eventType}`,
    status && "only where the last delivery is exhausted",
    includeUnrouted && "and events without an endpoint",
  ]
    .filter(Boolean)
    .join(", ")
    .concat(".");

const COLUMNS = [
  {
    label: "Requested",
    cell: ({ replaySeries, askedAt }: ReplayView) => (
      <a class="row-link" href={href("/deliveries", { replaySeries })}>
        <Time at={askedAt} />
      </a>
    ),
  },
  { label: "State", cell: ({ state }: ReplayView) => <State of={replayWords(state)} /> },
  {
    label: "Window",
    cell: ({ from, to }: ReplayView) => (
      <>
        <Time at={from} /> – <Time at={to} />
      </>
    ),
  },
  { label: "Type", cell: ({ eventType }: ReplayView) => eventType ?? "All" },
  {
    label: "Sent",
    isNumber: true,
    cell: ({ created, expected }: ReplayView) => `${asNumber(created)} of ${asNumber(expected)}`,
  },
];

function WindowForm({ isBusy, onCount }: { isBusy: boolean; onCount: (window: Window) => void }) {
  const filters = useFilters();
  const types = useRead("types", () => api.eventTypes());
  const now = Date.now();
  const from = filters.get("from") || new Date(now - DAY_MS).toISOString();
  const to = filters.get("to") || new Date(now).toISOString();
  return (
    <form class="stack" onSubmit={onSubmit((values) => onCount(windowOf(values)))}>
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
          defaultValue={asLocalField(to, Math.ceil)}
          required
          step="1"
        />
        <SelectField
          label="Event type"
          name="eventType"
          options={[["", "All types"], ...(types.value ?? []).map(({ name }) => [name, name] as const)]}
        />
        <SelectField
          label="Which of them"
          name="which"
          value={filters.get("unrouted") ? "unrouted" : "exhausted"}
          options={[
            ["exhausted", "Only exhausted deliveries"],
            ["unrouted", "Exhausted, and events without an endpoint"],
            ["all", "All that were sent"],
          ]}
        />
      </div>
      <div>
        <Button submit kind="primary" isBusy={isBusy}>
          Count them…
        </Button>
      </div>
    </form>
  );
}

const windowOf = ({ from, to, eventType, which }: Record<string, string>): Window => ({
  from: fromLocalField(from),
  to: fromLocalField(to),
  ...(eventType ? { eventType } : {}),
  ...(which === "all" ? {} : { status: "Exhausted" }),
  ...(which === "unrouted" ? { includeUnrouted: true } : {}),
});
