/** The partner's webhook: its URL and state, its secret, a test, and the way back after it was disabled. */
import { useEffect, useState } from "preact/hooks";
import type { Enabling, EndpointView } from "../../../../shared/contract/answers/endpoint.ts";
import { api } from "../../core/api.ts";
import { asNumber } from "../../core/format.ts";
import { useAction, useRead } from "../../core/read.ts";
import { href } from "../../core/router.ts";
import { useMayChange } from "../../core/session.ts";
import { deliveryWords, errorWords } from "../../core/words.ts";
import { CopyButton, State, Time } from "../../ui/bits.tsx";
import { AskButton, Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { Button, onSubmit, TextField } from "../../ui/field.tsx";
import { Card, Failure, Loaded, Notice, Page } from "../../ui/page.tsx";
import { Facts } from "../../ui/table.tsx";
import { Health } from "./health.tsx";

const WATCH_MS = 1_500;

export function WebhookPage() {
  const endpoint = useRead("endpoint", (background) => api.endpoint({ background }), 5_000);
  const [secret, setSecret] = useState<string | null>(null);
  const [enabled, setEnabled] = useState<Enabling | null>(null);
  const [testedAt, setTestedAt] = useState<string | null>(null);
  const mayChange = useMayChange();
  /** The secret is on the screen before anything else is asked for. */
  const show = (given: string | null) => {
    if (given) setSecret(given);
    else void endpoint.reload();
  };
  return (
    <Page title="Webhook" intro="Events about your customers are sent to one https URL.">
      <Loaded read={endpoint}>
        {(value) => (
          <>
            <Card title="Endpoint">
              <Health endpoint={value} onRegister={focusUrl} />
              <Activity endpoint={value} testedAt={testedAt} />
              {mayChange && <UrlForm key={value.url} endpoint={value} onDone={show} />}
            </Card>
            {value.status === "Disabled" && mayChange && (
              <EnableCard
                onEnabled={(enabling) => {
                  setEnabled(enabling);
                  void endpoint.reload();
                }}
              />
            )}
            {value.status !== "NotRegistered" && mayChange && (
              <div class="grid">
                <SecretCard endpoint={value} onDone={show} />
                <TestCard
                  onDelivered={(at) => {
                    setTestedAt(at);
                    void endpoint.reload();
                  }}
                />
              </div>
            )}
            {mayChange && (value.status === "Active" || value.status === "Degraded") && (
              <div>
                <AskButton
                  button="Disable the webhook…"
                  title="Disable the webhook?"
                  yes="Disable"
                  kind="danger"
                  run={async () => {
                    await api.disableEndpoint();
                    await endpoint.reload();
                  }}
                >
                  <p>Nothing is sent until your team enables it again. Missed events can be replayed then.</p>
                </AskButton>
              </div>
            )}
            {!mayChange && <p class="soft">As a Viewer you can look, not change.</p>}
          </>
        )}
      </Loaded>
      {enabled && <EnabledDialog enabled={enabled} onDone={() => setEnabled(null)} />}
      {secret && (
        <SecretDialog
          secret={secret}
          onDone={() => {
            setSecret(null);
            void endpoint.reload();
          }}
        />
      )}
    </Page>
  );
}

const focusUrl = () => document.querySelector<HTMLInputElement>("input[name=url]")?.focus();

type ShowSecret = { onDone: (secret: string | null) => void };

function UrlForm({ endpoint, onDone }: ShowSecret & { endpoint: EndpointView }) {
  const isNew = endpoint.status === "NotRegistered";
  const save = useAction(async (url: string) => {
    const body = { url };
    const { webhookSecret } = await (isNew ? api.registerEndpoint({ body }) : api.replaceEndpoint({ body }));
    onDone(webhookSecret);
  });
  return (
    <form class="stack" onSubmit={onSubmit(({ url = "" }) => void save.run(url))}>
      <TextField
        label="URL"
        name="url"
        type="url"
        inputMode="url"
        defaultValue={endpoint.url ?? ""}
        placeholder="https://example.com/hooks"
        hint="https, with a name that leads to a public address."
        failure={save.failure}
        required
      />
      <Failure failure={save.failure} />
      <div>
        <Button submit kind={isNew ? "primary" : undefined} isBusy={save.isBusy}>
          {isNew ? "Register" : "Change URL"}
        </Button>
      </div>
    </form>
  );
}

function SecretCard({ endpoint, onDone }: ShowSecret & { endpoint: EndpointView }) {
  return (
    <Card title="Signing secret">
      <p class="soft">
        Every request is signed with it. After a rotation the previous secrets keep signing for 24 hours; up
        to five sign at a time.
      </p>
      <ul class="small">
        {endpoint.secrets.map(({ secretId, createdAt, notAfter }) => (
          <li key={secretId}>
            Since <Time at={createdAt} />
            {notAfter && (
              <>
                , until <Time at={notAfter} />
              </>
            )}
          </li>
        ))}
      </ul>
      <div>
        <AskButton
          button="Rotate secret…"
          title="Rotate the signing secret?"
          yes="Rotate"
          run={async () => onDone((await api.rotateSecret()).webhookSecret)}
        >
          <p>You get a new secret, shown once. The previous one keeps signing for 24 hours.</p>
        </AskButton>
      </div>
    </Card>
  );
}

/** It cannot be closed but by the answer that it was stored: it is never shown again. */
function SecretDialog({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <Dialog title="Your signing secret">
      <p>Store it now, where your server reads it. It is not shown again.</p>
      <pre>
        <code>{secret}</code>
      </pre>
      <DialogFoot>
        <CopyButton text={secret} label="Copy the secret" />
        <Button kind="primary" onClick={onDone}>
          I have stored it
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

type ActivityProps = {
  endpoint: EndpointView;
  /** Time of the last successful test; the stored times follow some seconds later. */
  testedAt: string | null;
};

function Activity({ endpoint: { activity }, testedAt }: ActivityProps) {
  if (!activity) return null;
  const { lastSuccessAt } = activity;
  const isTestLater = testedAt !== null && (lastSuccessAt === null || testedAt > lastSuccessAt);
  return (
    <Facts
      items={[
        ["Last success", <Time key="success" at={isTestLater ? testedAt : lastSuccessAt} />],
        ["Last failure", <Time key="failure" at={activity.lastFailureAt} />],
        ["Waiting", asNumber(activity.waiting)],
        ...(activity.pausedUntil
          ? ([["Paused until", <Time key="paused" at={activity.pausedUntil} />]] as const)
          : []),
      ]}
    />
  );
}

function EnableCard({ onEnabled }: { onEnabled: (enabled: Enabling) => void }) {
  const enable = useAction(async () => onEnabled(await api.enableEndpoint()));
  return (
    <Card title="Enable it again">
      <p>When your server works again, events are sent from now on. Missed events can be replayed.</p>
      <Failure failure={enable.failure} />
      <div>
        <Button kind="primary" onClick={() => void enable.run()} isBusy={enable.isBusy}>
          Enable
        </Button>
      </div>
    </Card>
  );
}

/** Owned by the page: the card disappears when the endpoint is active again. */
function EnabledDialog({ enabled, onDone }: { enabled: Enabling; onDone: () => void }) {
  const { skipped, suggestedReplay } = enabled;
  return (
    <Dialog title="The endpoint is enabled" onClose={onDone}>
      <p>
        {skipped === 0
          ? "No event was missed while it was disabled."
          : `${asNumber(skipped)} ${skipped === 1 ? "event was" : "events were"} not sent while it was disabled.`}
      </p>
      <DialogFoot>
        <Button onClick={onDone}>Done</Button>
        {suggestedReplay && (
          <a class="button primary" href={href("/replay", { ...suggestedReplay, unrouted: "true" })}>
            Replay them…
          </a>
        )}
      </DialogFoot>
    </Dialog>
  );
}

function TestCard({ onDelivered }: { onDelivered: (at: string) => void }) {
  const [eventId, setEventId] = useState<string | null>(null);
  const test = useAction(async () => setEventId((await api.sendTest()).eventId));
  const arriving = useRead(
    eventId,
    async (background) => findDelivery(eventId, background),
    (found) => (found && found.status !== "Pending" ? 0 : WATCH_MS),
  );
  const delivery = arriving.value;
  const attempt = delivery?.attempts.at(-1);
  const isDelivered = delivery?.status === "Delivered";
  const deliveredAt = isDelivered ? attempt?.sentAt : undefined;
  useEffect(() => {
    if (deliveredAt) onDelivered(deliveredAt);
  }, [deliveredAt]);
  return (
    <Card title="Test event">
      <p class="soft">Sends webhook.test to your URL, signed like every other event.</p>
      <div class="row">
        <Button onClick={() => void test.run()} isBusy={test.isBusy}>
          Send a test event
        </Button>
        {delivery && <State of={deliveryWords(delivery.status)} />}
      </div>
      <Failure failure={test.failure ?? arriving.failure} />
      {eventId && (
        <Notice tone={isDelivered ? "good" : "info"}>
          {attempt ? (
            <p>
              Attempt {attempt.attemptNo} at <Time at={attempt.sentAt} />:{" "}
              {attempt.statusCode ? `your server answered ${attempt.statusCode}.` : ""}{" "}
              {attempt.errorKind ? errorWords(attempt.errorKind) : ""}
            </p>
          ) : (
            <p>On its way…</p>
          )}
          {delivery && <a href={href(`/deliveries/${delivery.id}`)}>See the delivery</a>}
        </Notice>
      )}
    </Card>
  );
}

async function findDelivery(eventId: string | null, background: boolean) {
  const {
    items: [found],
  } = await api.deliveries({ eventId: eventId ?? "", pageSize: "1" })({ background });
  return found ? api.delivery(found.id)({ background }) : null;
}
