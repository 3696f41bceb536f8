/** A window of events once more: choose, see how many, confirm. */
import { useState } from "preact/hooks";
import type { ReplayStarted } from "../../../shared/action-types/delivery.ts";
import { api } from "../core/api.ts";
import { asMoment, asNumber } from "../core/format.ts";
import { useAction, useRead } from "../core/read.ts";
import { href, useFilters } from "../core/router.ts";
import { useMayChange } from "../core/session.ts";
import { Dialog, DialogFoot } from "../ui/dialog.tsx";
import { Button, onSubmit, SelectField, TextField } from "../ui/field.tsx";
import { Card, Failure, Notice, Page } from "../ui/page.tsx";

type Window = { from: string; to: string; eventType?: string; status?: string; includeUnrouted?: boolean };

const DAY_MS = 86_400_000;

export function ReplayPage() {
  const mayChange = useMayChange();
  const filters = useFilters();
  const types = useRead("types", () => api.eventTypes());
  const [wanted, setWanted] = useState<Window | null>(null);
  const [started, setStarted] = useState<ReplayStarted | null>(null);
  const replay = useAction(async (body: Window) => {
    setStarted(await api.replayWindow({ body }));
    setWanted(null);
  });
  return (
    <Page
      title="Replay"
      intro="Sends events of a window of time once more, in the order in which they happened. Receivers recognise them by their event id."
    >
      {started && (
        <Notice tone="good">
          <p>{asNumber(started.created)} deliveries are on their way.</p>
          <a href={href("/deliveries")}>See them arrive</a>
        </Notice>
      )}
      {mayChange ? (
        <Card title="Which events">
          <form class="stack" onSubmit={onSubmit((values) => setWanted(windowOf(values)))}>
            <div class="filters">
              <TextField
                label="From"
                name="from"
                type="datetime-local"
                defaultValue={localOf(filters.get("from"), Math.floor, DAY_MS)}
                required
                step="1"
              />
              <TextField
                label="To"
                name="to"
                type="datetime-local"
                defaultValue={localOf(filters.get("to"), Math.ceil)}
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
                  ["unrouted", "All, and what had no endpoint"],
                  ["all", "All that were sent"],
                ]}
              />
            </div>
            <div>
              <Button submit kind="primary">
                Continue…
              </Button>
            </div>
          </form>
        </Card>
      ) : (
        <p class="soft">As a Viewer you can look, not change.</p>
      )}
      {wanted && (
        <Dialog title="Replay these events?" onClose={() => setWanted(null)}>
          <p>
            From {asMoment(wanted.from)} to {asMoment(wanted.to)}
            {wanted.eventType && `, only ${wanted.eventType}`}
            {wanted.status && ", only exhausted deliveries"}.
          </p>
          <Failure failure={replay.failure} />
          <DialogFoot>
            <Button onClick={() => setWanted(null)}>Cancel</Button>
            <Button kind="primary" onClick={() => void replay.run(wanted)} isBusy={replay.isBusy}>
              Replay
            </Button>
          </DialogFoot>
        </Dialog>
      )}
    </Page>
  );
}

const windowOf = ({ from = "", to = "", eventType, which }: Record<string, string>): Window => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
  ...(eventType ? { eventType } : {}),
  ...(which === "exhausted" ? { status: "Exhausted" } : {}),
  ...(which === "unrouted" ? { includeUnrouted: true } : {}),
});

/** What a field of local time takes: whole seconds, so that the window holds what was given. */
function localOf(iso: string, round: (seconds: number) => number, beforeMs = 0): string {
  const given = iso ? Date.parse(iso) : Date.now() - beforeMs;
  const at = round(given / 1_000) * 1_000;
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, -5);
}
