/** A person's change of an endpoint, stored together with its audit entry. Other processes are notified afterwards. */
import type { AuditFacts } from "../../shared/contract/answers/audit.ts";
import type { CallMeta } from "../../shared/identity/caller.ts";
import type { Audited } from "../../shared/stores/audit-trail.repository.ts";
import { changeEndpoint, type Decide } from "./change-endpoint.ts";
import type { Deps } from "./deps.ts";
import type { Endpoint } from "./endpoint.model.ts";

export async function auditedChange<T>(
  deps: Deps,
  meta: CallMeta,
  partnerId: string,
  work: (within: Deps) => Promise<Audited<T>>,
): Promise<T> {
  const silent = { ...deps, announceChange: () => undefined };
  const value = await deps.audit.change(meta, () => work(silent));
  deps.announceChange(partnerId);
  return value;
}

/** The change and its audit entry; no entry when nothing was changed. */
export async function changeWithFact(within: Deps, partnerId: string, action: string, decide: Decide) {
  const value = await changeEndpoint(within, partnerId, decide);
  const { before, after } = value;
  return { value, fact: before === after ? null : endpointFact(action, before, after) };
}

export const endpointFact = (action: string, before: Endpoint | null, after: Endpoint) => ({
  action,
  partnerId: after.partnerId,
  subject: after._id,
  before: before && factsOf(before),
  after: factsOf(after),
});

const factsOf = ({ url, status, secrets }: Endpoint): AuditFacts => ({
  url: withoutQuery(url),
  status,
  secretIds: secrets.map(({ id }) => id),
});

/** The query of a URL may contain a key of the receiver. */
const withoutQuery = (url: string): string =>
  URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : "";
