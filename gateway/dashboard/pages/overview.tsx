/** A partner's first page: is the integration healthy, and what is the next step. */
import type { CredentialView } from "../../../shared/contract/answers/credential.ts";
import type { StatisticsInterval } from "../../../shared/contract/vocabularies.ts";
import { api } from "../core/api.ts";
import { asDay, asNumber, asTimeOfDay } from "../core/format.ts";
import { useList, useRead } from "../core/read.ts";
import { href, useFilters } from "../core/router.ts";
import { CUSTOMER_STATUSES, verificationWords } from "../core/words.ts";
import { DaysLeft } from "../ui/bits.tsx";
import { StackedBars } from "../ui/chart.tsx";
import { FilterChips } from "../ui/list.tsx";
import { Card, Loaded, Page } from "../ui/page.tsx";
import { RefusedTokens } from "./credentials.tsx";
import { Health } from "./webhook/webhook.tsx";

const isActive = ({ status }: CredentialView): boolean => status !== "Revoked";

export function OverviewPage() {
  const endpoint = useRead("endpoint", api.endpoint);
  const credentials = useRead("credentials", api.credentials);
  const delivered = useRead("delivered", api.deliveries({ status: "Delivered", pageSize: "1" }));
  const calls = useRead("calls", api.requestLog({ pageSize: "1" }));
  const customers = useRead("customers", countCustomers);
  const credential = credentials.value?.items.find(isActive);
  return (
    <Page title="Overview" intro="The state of your integration and your next step.">
      {endpoint.value && calls.value && customers.value && delivered.value && (
        <FirstSteps
          hasCertificate={Boolean(credential?.certificates.length)}
          hasCalled={calls.value.items.length > 0}
          hasCustomer={customers.value.some(({ total }) => total > 0)}
          hasUrl={endpoint.value.status !== "NotRegistered"}
          hasDelivered={delivered.value.items.length > 0}
        />
      )}
      <div class="grid">
        <Card title="Webhook">
          <Loaded read={endpoint} lines={3}>
            {(value) => <Health endpoint={value} />}
          </Loaded>
        </Card>
        <Card title="Customers by status">
          <Loaded read={customers} lines={3}>
            {(counts) => (
              <div class="figures">
                {counts.map(({ status, total }) => (
                  <a class="figure" key={status} href={href("/customers", { verificationStatus: status })}>
                    <strong>{asNumber(total)}</strong>
                    {verificationWords(status).label}
                  </a>
                ))}
              </div>
            )}
          </Loaded>
        </Card>
        <Card title="Certificates" actions={<a href={href("/credentials")}>API credentials</a>}>
          <Loaded read={credentials} lines={2}>
            {({ items }) => {
              const certificates = items.filter(isActive).flatMap((each) => each.certificates);
              if (certificates.length === 0)
                return (
                  <p>
                    No certificate yet. <a href={href("/credentials")}>Add your certificate</a>.
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
            }}
          </Loaded>
        </Card>
      </div>
      <DeliveryChart />
      <Card title="Recently refused token requests">
        {credential ? (
          <RefusedTokens credentialId={credential.id} limit={3} />
        ) : (
          <p class="soft">No API credential yet.</p>
        )}
      </Card>
    </Page>
  );
}

const countCustomers = () =>
  Promise.all(
    CUSTOMER_STATUSES.map(async (status) => {
      const { total } = await api.countCustomers(status)();
      return { status, total: total ?? 0 };
    }),
  );

type Done = Record<"hasCertificate" | "hasCalled" | "hasCustomer" | "hasUrl" | "hasDelivered", boolean>;

/** Each step is ticked when it is done, and the card disappears after the last. */
function FirstSteps({ hasCertificate, hasCalled, hasCustomer, hasUrl, hasDelivered }: Done) {
  const steps = [
    { isDone: hasCertificate, title: "Register a certificate", link: href("/credentials") },
    // A call is kept for a week, the customer for longer.
    { isDone: hasCalled || hasCustomer, title: "Get an access token and call the API", link: "/docs/token" },
    { isDone: hasCustomer, title: "Create a customer", link: "/docs/first-customer" },
    { isDone: hasUrl, title: "Register your webhook URL", link: href("/webhook") },
    { isDone: hasDelivered, title: "Send a test event and see it arrive", link: href("/webhook") },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Card title="First steps" actions={<span class="soft">{`${done} of ${steps.length} done`}</span>}>
      <ol class="steps">
        {steps.map(({ isDone, title, link }) => (
          <li key={title} class={isDone ? "is-done" : ""}>
            <span aria-hidden="true">{isDone ? "✓" : "○"}</span>
            <span>
              {isDone ? title : <a href={link}>{title}</a>}
              {isDone && <span class="visually-hidden"> (done)</span>}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

const INTERVAL_MS: Readonly<Record<StatisticsInterval, number>> = { hour: 3_600_000, day: 86_400_000 };
type Period = { key: string; label: string; bars: number; interval: StatisticsInterval };
const USUAL_PERIOD: Period = { key: "", label: "24 hours", bars: 24, interval: "hour" };
const PERIODS: readonly Period[] = [
  USUAL_PERIOD,
  { key: "7d", label: "7 days", bars: 7, interval: "day" },
  { key: "30d", label: "30 days", bars: 30, interval: "day" },
];

function DeliveryChart() {
  const wanted = useFilters().get("period");
  const { key, bars, interval } = PERIODS.find((each) => each.key === wanted) ?? USUAL_PERIOD;
  const statistics = useList(key, (asked) => {
    // The interval that is not over is one of them.
    const from = new Date(Date.now() - (bars - 1) * INTERVAL_MS[interval]).toISOString();
    return api.statistics({ interval, from })(asked);
  });
  return (
    <Card
      title="Deliveries"
      actions={
        <FilterChips label="Period" name="period" options={PERIODS.map((each) => [each.key, each.label])} />
      }
    >
      <Loaded read={statistics} lines={5}>
        {(shown) => (
          <StackedBars
            caption={shown.interval === "hour" ? "Deliveries by hour" : "Deliveries by day, in UTC"}
            rows={shown.items}
            keyOf={({ at }) => at}
            labelOf={({ at }) => (shown.interval === "hour" ? asTimeOfDay(at) : asDay(at))}
            series={[
              { label: "Delivered", tone: "good", of: ({ delivered }) => delivered },
              { label: "Pending", tone: "warn", of: ({ pending }) => pending },
              { label: "Exhausted", tone: "bad", of: ({ exhausted }) => exhausted },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}
