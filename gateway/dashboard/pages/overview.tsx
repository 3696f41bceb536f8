/** A partner's first page: is the integration healthy, and what is the next step. */
import type { CredentialView } from "../../../shared/contract/answers/credential.ts";
import type { Statistics } from "../../../shared/contract/answers/delivery.ts";
import type { StatisticsInterval } from "../../../shared/contract/vocabularies.ts";
import { api } from "../core/api.ts";
import { asDay, asNumber, asTimeOfDay } from "../core/format.ts";
import { useList, useRead } from "../core/read.ts";
import { href, useFilters } from "../core/router.ts";
import { verificationWords } from "../core/words.ts";
import { DaysLeft } from "../ui/bits.tsx";
import { StackedBars } from "../ui/chart.tsx";
import { FilterChips } from "../ui/list.tsx";
import { Card, Loaded, Page } from "../ui/page.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { RefusedTokens } from "./refused-tokens.tsx";
import { Health } from "./webhook/health.tsx";

export function OverviewPage() {
  const endpoint = useRead("endpoint", () => api.endpoint());
  const credentials = useRead("credentials", () => api.credentials());
  const delivered = useRead("delivered", () => api.deliveries({ status: "Delivered", pageSize: "1" })());
  const calls = useRead("calls", () => api.requestLog({ pageSize: "1" })());
  const customers = useRead("customers", countCustomers);
  const credential = credentials.value?.items.find(({ status }) => status !== "Revoked");
  return (
    <Page title="Overview" intro="The state of your integration, and the one thing to do next.">
      <FirstSteps
        endpoint={endpoint.value}
        credential={credential}
        hasCalled={calls.value ? calls.value.items.length > 0 : undefined}
        hasCustomer={customers.value?.some(({ total }) => total > 0)}
        hasDelivered={delivered.value ? delivered.value.items.length > 0 : undefined}
      />
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
            {({ items }) => <Certificates credentials={items} />}
          </Loaded>
        </Card>
      </div>
      <DeliveryChart />
      <Card title="Last refused tokens">
        {credential ? (
          <RefusedTokens credentialId={credential.id} limit={3} />
        ) : (
          <p class="soft">No credential yet.</p>
        )}
      </Card>
    </Page>
  );
}

const STATUSES = ["PendingVerification", "ChangesRequested", "Approved", "Rejected"] as const;

const countCustomers = () =>
  Promise.all(
    STATUSES.map(async (status) => {
      const { total } = await api.countCustomers(status)();
      return { status, total: total ?? 0 };
    }),
  );

const INTERVAL_MS: Readonly<Record<StatisticsInterval, number>> = { hour: 3_600_000, day: 86_400_000 };
type Period = { key: string; label: string; bars: number; interval: StatisticsInterval };
const USUAL_PERIOD: Period = { key: "", label: "24 hours", bars: 24, interval: "hour" };
const PERIODS: readonly Period[] = [
  USUAL_PERIOD,
  { key: "7d", label: "7 days", bars: 7, interval: "day" },
  { key: "30d", label: "30 days", bars: 30, interval: "day" },
];

/** The interval that is not over is one of them. */
const beginOf = ({ bars, interval }: Period): string =>
  new Date(Date.now() - (bars - 1) * INTERVAL_MS[interval]).toISOString();

function DeliveryChart() {
  const wanted = useFilters().get("period");
  const period = PERIODS.find((each) => each.key === wanted) ?? USUAL_PERIOD;
  const statistics = useList(period.key, () =>
    api.statistics({ interval: period.interval, from: beginOf(period) })(),
  );
  return (
    <Card
      title="Deliveries"
      actions={
        <FilterChips label="Period" name="period" options={PERIODS.map((each) => [each.key, each.label])} />
      }
    >
      <Loaded read={statistics} lines={5}>
        {(value) => <Chart statistics={value} />}
      </Loaded>
    </Card>
  );
}

function Chart({ statistics: { interval, items } }: { statistics: Statistics }) {
  return (
    <StackedBars
      caption={interval === "hour" ? "Deliveries by hour" : "Deliveries by day, in UTC"}
      rows={items}
      keyOf={({ at }) => at}
      labelOf={({ at }) => (interval === "hour" ? asTimeOfDay(at) : asDay(at))}
      series={[
        { label: "Delivered", tone: "good", of: ({ delivered }) => delivered },
        { label: "Pending", tone: "warn", of: ({ pending }) => pending },
        { label: "Exhausted", tone: "bad", of: ({ exhausted }) => exhausted },
      ]}
    />
  );
}

function Certificates({ credentials }: { credentials: readonly CredentialView[] }) {
  const certificates = credentials
    .filter(({ status }) => status !== "Revoked")
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
