/** A replay while it runs: how far it is, what becomes of its deliveries, and the way to stop it. */
import { useEffect } from "preact/hooks";
import type { ReplayDetail } from "../../../../shared/contract/answers/delivery.ts";
import { api } from "../../core/api.ts";
import { asNumber } from "../../core/format.ts";
import { useRead } from "../../core/read.ts";
import { href } from "../../core/router.ts";
import { replayWords } from "../../core/words.ts";
import { State } from "../../ui/bits.tsx";
import { AskButton } from "../../ui/dialog.tsx";
import { Card, Loaded } from "../../ui/page.tsx";

const WATCH_MS = 1_500;

/** Until the last of its deliveries has an end. */
const nextCheck = (replay: ReplayDetail | null): number =>
  replay && replay.state !== "Running" && replay.deliveries.pending === 0 ? 0 : WATCH_MS;

type Props = { series: string; mayChange: boolean; onEnd: () => void };

export function ReplayProgress({ series, mayChange, onEnd }: Props) {
  const replay = useRead(series, (background) => api.replay(series)({ background }), nextCheck);
  const state = replay.value?.state;
  // Once, at the end.
  useEffect(() => {
    if (state && state !== "Running") onEnd();
  }, [state]);
  return (
    <Card
      title="This replay"
      actions={
        <>
          {state && <State of={replayWords(state)} />}
          {mayChange && state === "Running" && (
            <AskButton
              button="Stop…"
              title="Stop this replay?"
              yes="Stop"
              kind="danger"
              run={async () => {
                await api.stopReplay(series)();
                await replay.reload();
              }}
            >
              <p>Deliveries made so far are still sent. No more are added.</p>
            </AskButton>
          )}
        </>
      }
    >
      <Loaded read={replay} lines={3}>
        {({ created, expected, deliveries }) => (
          <>
            <progress value={created} max={Math.max(1, expected)} aria-label="Deliveries made" />
            <p role="status">
              {asNumber(created)} of {asNumber(expected)} deliveries made: {asNumber(deliveries.delivered)}{" "}
              delivered, {asNumber(deliveries.pending)} pending, {asNumber(deliveries.exhausted)} exhausted.
            </p>
            <a href={href("/deliveries", { replaySeries: series })}>See its deliveries</a>
          </>
        )}
      </Loaded>
    </Card>
  );
}
