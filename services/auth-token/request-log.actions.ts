/** The requests of partners' API clients: gateways send them in batches, a partner's people read their own. */
import type { LoggedRequest } from "../../shared/contract/answers/credential.ts";
import { partnerOf } from "../../shared/identity/caller.ts";
import { readNewestFirst } from "../../shared/input/newest-first.rules.ts";
import { QueryReader } from "../../shared/input/query-reader.ts";
import { type Actions, internal, published } from "../../shared/moleculer/typed-actions.ts";
import type { Deps } from "./deps.ts";
import type { StoredRequest } from "./request-log/request-log.model.ts";

export const requestLogActions = ({ requestLog, clock }: Deps) =>
  ({
    recordRequests: internal(async ({ params: { entries, dropped } }) => {
      await Promise.all([
        requestLog.insert(entries.map(toStored)),
        requestLog.countDropped(dropped, clock.now()),
      ]);
      return null;
    }),
    listRequests: published(async ({ params, meta }) => {
      const partnerId = partnerOf(meta);
      const reader = new QueryReader(params.query);
      const isFailed = reader.flag("failed");
      const page = reader.finish(readNewestFirst(reader));
      const [found, dropped] = await Promise.all([
        requestLog.list({ partnerId, isFailed, ...page }, clock.now()),
        requestLog.droppedOf(partnerId, clock.now()),
      ]);
      const nextCursor = found.length === page.limit ? (found.at(-1)?._id ?? null) : null;
      return { items: found.map(requestView), nextCursor, dropped };
    }),
  }) satisfies Partial<Actions<"auth-token">>;

const toStored = ({ id, at, ...rest }: LoggedRequest & { partnerId: string }): StoredRequest => ({
  _id: id,
  at: new Date(at),
  ...rest,
  ...(rest.status >= 400 ? { isFailed: true } : {}),
});

const requestView = ({ _id, at, partnerId: _, isFailed: __, ...rest }: StoredRequest): LoggedRequest => ({
  id: _id,
  at: at.toISOString(),
  ...rest,
});
