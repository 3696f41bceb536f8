/** Every page: its address, who it is for, and the menu that leads there. */
import type { ComponentType } from "preact";
import type { SessionView } from "../../../shared/contract/answers/session.ts";
import { href } from "../core/router.ts";
import { AccountPage } from "./account.tsx";
import { CredentialsPage } from "./credentials.tsx";
import { CustomerPage } from "./customer.tsx";
import { CustomersPage } from "./customers.tsx";
import { AuditPage, RequestLogPage } from "./logs.tsx";
import { OverviewPage } from "./overview.tsx";
import { CasePage } from "./review/case.tsx";
import { CountryRulesPage } from "./review/country-rules.tsx";
import { QueuePage } from "./review/queue.tsx";
import { TeamPage } from "./team.tsx";
import { DeliveriesPage } from "./webhook/deliveries.tsx";
import { EventsPage } from "./webhook/events.tsx";
import { ReplayPage } from "./webhook/replay.tsx";
import { SignatureCheckPage } from "./webhook/signature-check.tsx";
import { WebhookPage } from "./webhook/webhook.tsx";

/** Decides the menu. A Viewer sees the same pages without buttons that change something. */
export type Kind = "owner" | "user" | "analyst";
type PageRow = {
  pattern: string;
  kinds: readonly Kind[];
  View: ComponentType<{ params: Record<string, string> }>;
  /** In the menu when it has a label. */
  label?: string;
};

const PARTNER: readonly Kind[] = ["owner", "user"];
const ANALYST: readonly Kind[] = ["analyst"];
const ALL: readonly Kind[] = [...PARTNER, ...ANALYST];

export const PAGES: readonly PageRow[] = [
  { pattern: "/overview", kinds: PARTNER, View: OverviewPage, label: "Overview" },
  { pattern: "/customers", kinds: PARTNER, View: CustomersPage, label: "Customers" },
  { pattern: "/customers/:customerId", kinds: PARTNER, View: CustomerPage },
  { pattern: "/webhook", kinds: PARTNER, View: WebhookPage, label: "Webhook" },
  { pattern: "/deliveries", kinds: PARTNER, View: DeliveriesPage, label: "Deliveries" },
  { pattern: "/deliveries/:deliveryId", kinds: PARTNER, View: DeliveriesPage },
  { pattern: "/replay", kinds: PARTNER, View: ReplayPage, label: "Replay" },
  { pattern: "/events", kinds: PARTNER, View: EventsPage, label: "Events" },
  { pattern: "/signature-check", kinds: PARTNER, View: SignatureCheckPage, label: "Signature check" },
  { pattern: "/credentials", kinds: PARTNER, View: CredentialsPage, label: "API credentials" },
  { pattern: "/requests", kinds: PARTNER, View: RequestLogPage, label: "Requests" },
  { pattern: "/team", kinds: ["owner"], View: TeamPage, label: "Team" },
  { pattern: "/audit", kinds: ["owner"], View: AuditPage, label: "Audit log" },
  { pattern: "/queue", kinds: ANALYST, View: QueuePage, label: "Queue" },
  { pattern: "/cases/:customerId", kinds: ANALYST, View: CasePage },
  { pattern: "/country-rules", kinds: ANALYST, View: CountryRulesPage, label: "Country rules" },
  { pattern: "/country-rules/:countryCode", kinds: ANALYST, View: CountryRulesPage },
  { pattern: "/account", kinds: ALL, View: AccountPage },
];

export const HOME: Readonly<Record<Kind, string>> = {
  owner: href("/overview"),
  user: href("/overview"),
  analyst: href("/queue"),
};

export const roleOf = ({ user: { role } }: SessionView): Kind =>
  role === "Analyst" ? "analyst" : role === "Owner" ? "owner" : "user";
