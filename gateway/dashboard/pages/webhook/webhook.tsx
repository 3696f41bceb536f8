/** The partner's webhook: its URL and state, its secret, a test, and the way back after it was disabled. */
import { useEffect, useState } from "preact/hooks";
import type { Enabling, EndpointView } from "../../../../shared/contract/answers/endpoint.ts";
import { api } from "../../core/api.ts";
import { asNumber } from "../../core/format.ts";
import { useAction, useRead } from "../../core/read.ts";
import { href } from "../../core/router.ts";
import { useMayChange } from "../../core/session.ts";
import { deliveryWords, disabledWords, endpointWords, errorWords } from "../../core/words.ts";
import { State, Time } from "../../ui/bits.tsx";
import { AskButton, Dialog, OnceDialog } from "../../ui/dialog.tsx";
import { Button, Form, TextField, type Values } from "../../ui/field.tsx";
import { Card, Failure, Loaded, Notice, Page } from "../../ui/page.tsx";
import { Facts } from "../../ui/table.tsx";

const WATCH_MS = 1_500;

export function WebhookPage() {
  const endpoint = useRead("endpoint", api.endpoint, 5_000);
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
    <Page title="Webhook" intro="Events about your customers are sent to your https URL.">
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
                  kind="danger"
                  run={() => api.disableEndpoint().then(() => endpoint.reload())}
                >
                  <p>
                    No events are sent until your team enables the webhook again. You can replay missed
                    events.
                  </p>
                </AskButton>
              </div>
            )}
            {!mayChange && (
              <p class="soft">Your role is Viewer. You can read this page but change nothing.</p>
            )}
          </>
        )}
      </Loaded>
      {enabled && <EnabledDialog enabled={enabled} onDone={() => setEnabled(null)} />}
      {secret && (
        <OnceDialog
          title="Your signing secret"
          text={secret}
          what="secret"
          onDone={() => {
            setSecret(null);
            void endpoint.reload();
          }}
        >
          Save this secret where your server reads it. It is not shown again.
        </OnceDialog>
      )}
    </Page>
  );
}

const focusUrl = () => document.querySelector<HTMLInputElement>("input[name=url]")?.focus();

type HealthProps = {
  endpoint: EndpointView;
  /** On the webhook page, whose own form registers and enables; elsewhere a link leads there. */
  onRegister?: (() => void) | undefined;
};

export function Health({ endpoint, onRegister }: HealthProps) {
  return (
    <div class="stack-s">
      <div class="row">
        <State of={endpointWords(endpoint.status)} />
        {endpoint.url && <code>{endpoint.url}</code>}
      </div>
      <Advice endpoint={endpoint} onRegister={onRegister} />
    </div>
  );
}

function Advice({ endpoint, onRegister }: HealthProps) {
  const { status, degradedSince, disabledAt, disabledReason, consecutiveFailures } = endpoint;
  if (status === "NotRegistered")
    return (
      <p>
        No URL is registered, so no events are sent.{" "}
        {onRegister ? (
          <Button kind="plain" onClick={onRegister}>
            Register your URL
          </Button>
        ) : (
          <a href={href("/webhook")}>Register your URL</a>
        )}
      </p>
    );
  if (status === "Degraded")
    return (
      <p>
        {asNumber(consecutiveFailures)} attempts in a row failed, since <Time at={degradedSince} />.{" "}
        <a href={href("/deliveries", { status: "Pending" })}>See the responses of your server</a>
      </p>
    );
  if (status === "Disabled")
    return (
      <p>
        No events have been sent since <Time at={disabledAt} />
        {disabledReason && `, because ${disabledWords(disabledReason)}`}.{" "}
        {!onRegister && <a href={href("/webhook")}>Enable the webhook</a>}
      </p>
    );
  return status === "Active" ? <p class="soft">Events are sent as they happen.</p> : null;
}

type ShowSecret = { endpoint: EndpointView; onDone: (secret: string | null) => void };

function UrlForm({ endpoint, onDone }: ShowSecret) {
  const isNew = endpoint.status === "NotRegistered";
  const save = useAction(async (body: Values) => {
    const { webhookSecret } = await (isNew ? api.registerEndpoint({ body }) : api.replaceEndpoint({ body }));
    onDone(webhookSecret);
  });
  return (
    <Form action={save} submit={isNew ? "Register" : "Change URL"} kind={isNew ? "primary" : undefined}>
      <TextField
        label="URL"
        name="url"
        type="url"
        inputMode="url"
        defaultValue={endpoint.url ?? ""}
        placeholder="https://example.com/hooks"
        hint="An https URL with a public host name."
        required
      />
    </Form>
  );
}

function SecretCard({ endpoint, onDone }: ShowSecret) {
  return (
    <Card title="Signing secret">
      <p class="soft">
        This secret signs every request. After a rotation, earlier secrets also sign for 24 hours. At most
        five secrets sign at a time.
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
          run={async () => onDone((await api.rotateSecret()).webhookSecret)}
        >
          <p>You get a new secret, which is shown once. The current secret keeps signing for 24 hours.</p>
        </AskButton>
      </div>
    </Card>
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
        ["Waiting deliveries", asNumber(activity.waiting)],
        ...(activity.pausedUntil
          ? ([["Paused until", <Time key="paused" at={activity.pausedUntil} />]] as const)
          : []),
      ]}
    />
  );
}

function EnableCard({ onEnabled }: { onEnabled: (enabled: Enabling) => void }) {
  return (
    <Card title="Enable the webhook">
      <Form
        action={useAction(async () => onEnabled(await api.enableEndpoint()))}
        submit="Enable"
        kind="primary"
      >
        <p>
          Enable the webhook when your server works again. New events are then sent. You can replay missed
          events.
        </p>
      </Form>
    </Card>
  );
}

/** Owned by the page: the card disappears when the endpoint is active again. */
function EnabledDialog({ enabled, onDone }: { enabled: Enabling; onDone: () => void }) {
  const { skipped, suggestedReplay } = enabled;
  const missed = `${asNumber(skipped)} ${skipped === 1 ? "event was" : "events were"}`;
  return (
    <Dialog title="The webhook is enabled" onClose={onDone}>
      <p>{skipped === 0 ? "No events were missed." : `${missed} not sent while the webhook was disabled.`}</p>
      <div class="dialog-foot">
        <Button onClick={onDone}>Done</Button>
        {suggestedReplay && (
          <a class="button primary" href={href("/replay", { ...suggestedReplay, unrouted: "true" })}>
            Replay missed events…
          </a>
        )}
      </div>
    </Dialog>
  );
}

function TestCard({ onDelivered }: { onDelivered: (at: string) => void }) {
  const [eventId, setEventId] = useState<string | null>(null);
  const test = useAction(async () => setEventId((await api.sendTest()).eventId));
  const arriving = useRead(
    eventId,
    async (asked) => {
      const { items } = await api.deliveries({ eventId: eventId ?? "", pageSize: "1" })(asked);
      return items[0] ? api.delivery(items[0].id)(asked) : null;
    },
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
      <p class="soft">Sends a webhook.test event to your URL, signed like every other event.</p>
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
            <p>The test event is being sent…</p>
          )}
          {delivery && <a href={href(`/deliveries/${delivery.id}`)}>See the delivery</a>}
        </Notice>
      )}
    </Card>
  );
}
