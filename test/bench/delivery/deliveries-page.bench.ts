/** The dashboard's page of deliveries: all, each status, a type, the last day, one kind of answer; each with its counts. */
import { COUNTS, inBrowser, LIST_PAGE_GOAL, ROWS } from "../frame/browser-load.ts";
import { asOperator, asOwner, type Place, registerPartner } from "../frame/partner.ts";
import type { BenchSpec } from "../frame/spec.ts";
import { openDeliveryPath } from "./delivery-path.ts";
import { addHistories, DAY_MS, named, SHORT } from "./many-deliveries.ts";

const OWN = { PBO_LOG_LEVEL: "warn", PBO_SECOND_FACTOR: "none" };

const DELIVERIES = 500_000;

export const bench: BenchSpec = {
  name: "the dashboard's page of deliveries, in a browser",
  issue: 16,
  concurrency: 1,
  async setup(env) {
    await env.startService("auth-token", { settings: OWN });
    const path = await openDeliveryPath(env);
    const load = inBrowser(asOwner, [ROWS, COUNTS], paths);
    const [few, many] = [await registerPartner(env), await registerPartner(env)];
    await addHistories(path, { few: few.partnerId, many: many.partnerId }, DELIVERIES);
    const { url } = await env.startService("gateway", { settings: OWN });
    const locate = ({ partnerId }: { partnerId: string }): Place => ({
      url,
      partnerId,
      admin: (work) => asOperator(env, work),
    });
    return {
      workload: { name: named(DELIVERIES), run: await load(env, locate(many)) },
      floors: [{ ...SHORT, goals: [LIST_PAGE_GOAL], run: await load(env, locate(few)) }],
    };
  },
};

const paths = (): string[] => [
  "deliveries",
  ...["Delivered", "Pending", "Exhausted"].map((status) => `deliveries?status=${status}`),
  "deliveries?eventType=business.person.added",
  `deliveries?from=${new Date(Date.now() - DAY_MS).toISOString()}`,
  "deliveries?responseClass=2xx",
];
