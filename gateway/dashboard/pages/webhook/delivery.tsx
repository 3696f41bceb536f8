/** A delivery: its attempts, its body, and the replay. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { DeliveryDetail } from "../../../../shared/contract/answers/delivery.ts";
import { api } from "../../core/api.ts";
import { asDistance, asDuration } from "../../core/format.ts";
import { useAction, useRead } from "../../core/read.ts";
import { href, navigate } from "../../core/router.ts";
import { useMayChange } from "../../core/session.ts";
import { deliveryWords, errorWords } from "../../core/words.ts";
import { Copyable, CopyButton, Dotted, type Moment, State, Time, Timeline } from "../../ui/bits.tsx";
import { Button } from "../../ui/field.tsx";
import { Card, Failure, Loaded } from "../../ui/page.tsx";
import { Facts } from "../../ui/table.tsx";

type Props = { deliveryId: string; backHref: string };

const WATCH_MS = 4_000;
const isOver = ({ status }: DeliveryDetail): boolean => status === "Delivered" || status === "Exhausted";

/** Nothing follows after the last attempt. */
const nextCheck = (delivery: DeliveryDetail | null): number => (delivery && isOver(delivery) ? 0 : WATCH_MS);

export function DeliveryCard({ deliveryId, backHref }: Props) {
  const delivery = useRead(deliveryId, api.delivery(deliveryId), nextCheck);
  const mayChange = useMayChange();
  const replay = useAction(async () => {
    const made = await api.replayDelivery(deliveryId)();
    navigate(href(`/deliveries/${made.deliveryId}`));
  });
  const detail = useRef<HTMLDivElement>(null);
  // Where it takes the place of its list, it would begin above what is seen.
  useEffect(() => {
    detail.current?.focus({ preventScroll: true });
    if ((detail.current?.getBoundingClientRect().top ?? 0) < 0) detail.current?.scrollIntoView();
  }, []);
  return (
    <div class="detail" ref={detail} tabIndex={-1}>
      <Card
        title="Delivery"
        actions={
          <>
            {mayChange && (
              <Button onClick={() => void replay.run()} isBusy={replay.isBusy}>
                Replay
              </Button>
            )}
            <a class="button plain" href={backHref}>
              Close
            </a>
          </>
        }
      >
        <Failure failure={replay.failure} />
        <Loaded read={delivery} lines={8}>
          {(value) => (
            <>
              <Facts items={factsOf(value)} />
              <h3>Attempts</h3>
              {value.attempts.length === 0 ? (
                <p class="soft">No attempts yet.</p>
              ) : (
                <Timeline moments={momentsOf(value)} />
              )}
              {value.envelopeJson === null ? (
                <p class="soft">The body has expired and was deleted.</p>
              ) : (
                <Body text={value.envelopeJson} delivery={value} />
              )}
            </>
          )}
        </Loaded>
      </Card>
    </div>
  );
}

const factsOf = (value: DeliveryDetail) =>
  [
    ["Event", <Dotted key="type" text={value.eventType} />],
    ["Status", <State key="status" of={deliveryWords(value.status)} />],
    ["Event id", <Copyable key="event" text={value.eventId} />],
    ["Delivery id", <Copyable key="delivery" text={value.id} />],
    [
      "Customer",
      value.customerId && (
        <a key="customer" href={href(`/customers/${value.customerId}`)}>
          {value.customerId}
        </a>
      ),
    ],
    ["Occurred", <Time key="occurred" at={value.occurredAt} />],
    ["Completed", <Time key="completed" at={value.completedAt} />],
    ...(value.isReplay ? ([["Replay", replayOf(value)]] as const) : []),
  ] as const;

const replayOf = ({ replaySeries }: DeliveryDetail) =>
  replaySeries ? (
    <a href={href("/deliveries", { replaySeries })}>All deliveries of this replay</a>
  ) : (
    "This event only"
  );

const MAX_WAIT_PX = 96;

/** Waits to scale, by their logarithm: seconds and days are on one line. */
const waitPx = (ms: number): number =>
  Math.min(MAX_WAIT_PX, Math.round(Math.log2(1 + Math.max(0, ms) / 1_000) * 6));

function momentsOf({ attempts, nextAttemptAt }: DeliveryDetail): Moment[] {
  const moments = attempts.map((attempt, index): Moment => {
    const { attemptNo, sentAt, statusCode, errorKind, responseExcerpt, durationMs } = attempt;
    const before = attempts[index - 1]?.sentAt;
    const after = attempts[index + 1]?.sentAt ?? nextAttemptAt ?? sentAt;
    return {
      key: String(attemptNo) + sentAt,
      tone: errorKind === null ? "good" : "bad",
      at: sentAt,
      title: statusCode ? `Response ${statusCode}` : errorKind === null ? "Delivered" : "No response",
      wait: waitPx(msBetween(sentAt, after)),
      body: (
        <div class="stack-s">
          <span class="soft small">
            Attempt {attemptNo}, {asDuration(durationMs)}
            {before && `, ${asDuration(msBetween(before, sentAt))} after the previous attempt`}
          </span>
          {errorKind && <span>{errorWords(errorKind)}</span>}
          {responseExcerpt && (
            <details>
              <summary>Response of your server</summary>
              <pre>{responseExcerpt}</pre>
            </details>
          )}
        </div>
      ),
    };
  });
  if (nextAttemptAt === null) return moments;
  return [...moments, { key: "next", at: nextAttemptAt, title: `Next attempt ${asDistance(nextAttemptAt)}` }];
}

const msBetween = (before: string, after: string): number => Date.parse(after) - Date.parse(before);

function Body({ text, delivery }: { text: string; delivery: DeliveryDetail }) {
  const [isRaw, setRaw] = useState(false);
  return (
    <div class="stack-s">
      <div class="row spread">
        <h3>Body</h3>
        <div class="row">
          <Button kind="plain" onClick={() => setRaw(!isRaw)}>
            {isRaw ? "Show formatted" : "Show raw"}
          </Button>
          <CopyButton text={text} label="Copy raw" />
          <CopyButton text={curlOf(text, delivery)} label="Copy as curl" />
        </div>
      </div>
      <pre>{isRaw ? text : pretty(text)}</pre>
    </div>
  );
}

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** Unsigned: the page does not have the secret. */
const curlOf = (text: string, { eventId, eventType, eventVersion, id }: DeliveryDetail): string =>
  [
    "curl -X POST https://localhost:8443/webhooks",
    "-H 'Content-Type: application/json'",
    `-H 'Svc-Event-Id: ${eventId}'`,
    `-H 'Svc-Event-Type: ${eventType}'`,
    `-H 'Svc-Event-Version: ${eventVersion}'`,
    `-H 'Svc-Delivery-Id: ${id}'`,
    `--data-raw '${text.replaceAll("'", `'\\''`)}'`,
  ].join(" \\\n  ");
