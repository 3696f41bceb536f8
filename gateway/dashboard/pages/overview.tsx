/** A partner's first page: is the integration healthy, and what is the next step. */
import type { ComponentChildren } from "preact";
import type { CredentialView } from "../../../shared/action-types/auth-token.ts";
import type { EndpointView } from "../../../shared/action-types/webhook-registry.ts";
import { api } from "../core/api.ts";
import { asNumber, daysUntil } from "../core/format.ts";
import { useRead } from "../core/read.ts";
import { href } from "../core/router.ts";
import { DELIVERY_STATUS, DISABLED_REASON, ENDPOINT_STATUS } from "../core/words.ts";
import { Badge, Time } from "../ui/bits.tsx";
import { Card, Loaded, Page } from "../ui/page.tsx";
import { RefusedTokens } from "./refused-tokens.tsx";

const SOON_DAYS = 30;

export function OverviewPage() {
  const endpoint = useRead("endpoint", () => api.endpoint());
  const credentials = useRead("credentials", () => api.credentials());
  const deliveries = useRead("deliveries", recentDeliveries);
  const customers = useRead("customers", () => api.customers({ pageSize: "1" }, "")());
  const first = credentials.value?.items.find(({ status }) => status === "Active");
  return (
    <Page title="Overview" intro="The state of your integration, and the one thing to do next.">
      <div class="grid">
        <Card title="Webhook">
          <Loaded read={endpoint} lines={3}>
            {(value) => <Health endpoint={value} />}
          </Loaded>
        </Card>
        <Card title="Deliveries of the last 24 hours">
          <Loaded read={deliveries} lines={3}>
            {(counts) => (
              <div class="figures">
                {counts.map(({ status, total }) => (
                  <a class="figure" key={status} href={href("/deliveries", { status })}>
                    <strong>{asNumber(total)}</strong>
                    {DELIVERY_STATUS[status].label}
                  </a>
                ))}
              </div>
            )}
          </Loaded>
        </Card>
      </div>
      <FirstSteps
        endpoint={endpoint.value}
        credential={first}
        hasCustomer={customers.value ? customers.value.items.length > 0 : undefined}
        hasDelivered={deliveries.value?.some(({ status, total }) => status === "Delivered" && total > 0)}
      />
      <div class="grid">
        <Card title="Certificates" actions={<a href={href("/credentials")}>API credentials</a>}>
          <Loaded read={credentials} lines={2}>
            {({ items }) => <Certificates credentials={items} />}
          </Loaded>
        </Card>
        <Card title="Last refused tokens">
          {first ? (
            <RefusedTokens credentialId={first.id} limit={3} />
          ) : (
            <p class="soft">No credential yet.</p>
          )}
        </Card>
      </div>
    </Page>
  );
}

const DAY_MS = 86_400_000;
const STATUSES = ["Delivered", "Pending", "Exhausted"] as const;

const recentDeliveries = () => {
  const from = new Date(Date.now() - DAY_MS).toISOString();
  return Promise.all(
    STATUSES.map(async (status) => {
      const { total } = await api.deliveries({ status, from, pageSize: "1" })();
      return { status, total: total ?? 0 };
    }),
  );
};

export function Health({ endpoint }: { endpoint: EndpointView }) {
  const { label, tone } = ENDPOINT_STATUS[endpoint.status];
  return (
    <div class="stack-s">
      <div class="row">
        <Badge tone={tone}>{label}</Badge>
        {endpoint.url && <code>{endpoint.url}</code>}
      </div>
      <HealthAdvice endpoint={endpoint} />
    </div>
  );
}

function HealthAdvice({ endpoint }: { endpoint: EndpointView }): ComponentChildren {
  const { status, degradedSince, disabledAt, disabledReason, consecutiveFailures } = endpoint;
  if (status === "NotRegistered")
    return (
      <p>
        Nobody is told about your customers yet. <a href={href("/webhook")}>Register your URL</a>
      </p>
    );
  if (status === "Degraded")
    return (
      <p>
        {asNumber(consecutiveFailures)} attempts in a row failed, since <Time at={degradedSince} />.{" "}
        <a href={href("/deliveries", { status: "Pending" })}>See what your server answered</a>
      </p>
    );
  if (status === "Disabled")
    return (
      <p>
        Nothing is sent since <Time at={disabledAt} />:{" "}
        {DISABLED_REASON[disabledReason ?? ""] ?? disabledReason}.{" "}
        <a href={href("/webhook")}>Enable it again</a>
      </p>
    );
  return <p class="soft">Events are sent as they happen.</p>;
}

function Certificates({ credentials }: { credentials: readonly CredentialView[] }) {
  const certificates = credentials
    .filter(({ status }) => status === "Active")
    .flatMap((credential) => credential.certificates);
  if (certificates.length === 0)
    return (
      <p>
        None. <a href={href("/credentials")}>Add the certificate you sign with</a>
      </p>
    );
  return (
    <ul class="stack-s">
      {certificates.map(({ thumbprint, subject, notAfter }) => (
        <li key={thumbprint} class="row spread">
          <span>{subject}</span>
          <DaysLeft notAfter={notAfter} />
        </li>
      ))}
    </ul>
  );
}

export function DaysLeft({ notAfter }: { notAfter: string }) {
  const days = daysUntil(notAfter);
  if (days < 0) return <Badge tone="bad">expired</Badge>;
  return <Badge tone={days < SOON_DAYS ? "warn" : "good"}>{asNumber(days)} days left</Badge>;
}

type StepsProps = {
  endpoint: EndpointView | null;
  credential: CredentialView | undefined;
  hasCustomer: boolean | undefined;
  hasDelivered: boolean | undefined;
};

/** Until each is done; then it is gone. */
function FirstSteps({ endpoint, credential, hasCustomer, hasDelivered }: StepsProps) {
  if (!endpoint || hasCustomer === undefined || hasDelivered === undefined) return null;
  const steps = [
    {
      isDone: Boolean(credential && credential.certificates.length > 0),
      title: "Register a certificate",
      link: "/credentials",
    },
    { isDone: hasCustomer, title: "Create a customer with your token", link: "/customers" },
    { isDone: endpoint.status !== "NotRegistered", title: "Register your webhook URL", link: "/webhook" },
    { isDone: hasDelivered, title: "Send a test event and see it arrive", link: "/webhook" },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Card title="First steps">
      <ol class="steps">
        {steps.map(({ isDone, title, link }) => (
          <li key={title} class={isDone ? "is-done" : ""}>
            <span aria-hidden="true">{isDone ? "✓" : "○"}</span>
            <span>
              {isDone ? title : <a href={href(link)}>{title}</a>}
              {isDone && <span class="visually-hidden"> (done)</span>}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
