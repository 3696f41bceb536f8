/** A signed-in person manages the own account: password, second factor and sessions. */
import type { CallMeta } from "../../shared/identity/caller.ts";
import { sessionCookie } from "../../shared/identity/session-cookie.ts";
import { bodyReader } from "../../shared/input/validation.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import { type ActionContext, type Actions, published } from "../../shared/moleculer/typed-actions.ts";
import type { User } from "./account/user.model.ts";
import { codeBody, formerCodeBody, passwordBody } from "./auth-token.schemas.ts";
import type { Deps } from "./deps.ts";
import { changeOwnPassword } from "./session/change-password.ts";
import { notSignedIn, ownFact, signedIn } from "./session/own-account.ts";
import { endOneSession, endOtherSessions, listSessions } from "./session/own-sessions.ts";
import {
  beginSecondFactor,
  type CodeTry,
  confirmSecondFactor,
  needsSecondFactor,
  removeOwnSecondFactor,
} from "./session/second-factor.ts";

type Me = { user: User; sessionId: string };

export function accountActions(deps: Deps) {
  const { audit, config, users, sessions } = deps;
  const readPasswords = bodyReader<{ currentPassword: string; newPassword: string; code?: string }>(
    passwordBody,
  );
  const readFormerCode = bodyReader<{ code?: string }>(formerCodeBody);
  const readCode = bodyReader<{ code: string }>(codeBody);

  async function personOf(meta: CallMeta): Promise<Me> {
    const { userId, sessionId } = signedIn(meta);
    const user = await users.findById(userId);
    if (!user) throw notSignedIn();
    return { user, sessionId };
  }
  const changing = <T>(action: string, run: (me: Me, params: HttpParams) => Promise<T>) =>
    published(async ({ params, meta }: ActionContext<HttpParams>) => {
      const me = await personOf(meta);
      return audit.change(meta, async () => ({
        value: await run(me, params),
        fact: ownFact(action, me.user),
      }));
    });
  /** A request without a body gives no code. */
  const codeIn = (body: unknown, { clientAddress = "unknown" }: CallMeta): CodeTry => ({
    code: (body === undefined ? {} : readFormerCode(body)).code ?? null,
    address: clientAddress,
  });

  return {
    changePassword: published(async ({ params, meta }) => {
      const { currentPassword, newPassword, code = null } = readPasswords(params.body);
      const { user, sessionId } = await personOf(meta);
      const session = await sessions.findById(sessionId);
      if (!session) throw notSignedIn();
      const { cookieValue } = await changeOwnPassword(deps, meta, {
        user,
        signedInAt: session.createdAt,
        address: meta.clientAddress ?? "unknown",
        currentPassword,
        code,
        newPassword,
      });
      meta.$responseHeaders = { "Set-Cookie": sessionCookie(config, cookieValue) };
      return null;
    }),
    describeSecondFactor: published(async ({ meta }) => {
      const { role, secondFactor } = (await personOf(meta)).user;
      return {
        enabled: Boolean(secondFactor),
        required: needsSecondFactor(config, role),
        since: secondFactor?.since.toISOString() ?? null,
        recoveryCodesLeft: secondFactor?.recoveryHashes.length ?? 0,
      };
    }),
    beginSecondFactor: published(async ({ params, meta }) => {
      const given = codeIn(params.body, meta);
      return beginSecondFactor(deps, (await personOf(meta)).user, given);
    }),
    confirmSecondFactor: changing("second_factor.enabled", ({ user, sessionId }, { body }) =>
      confirmSecondFactor(deps, user, readCode(body).code, sessionId),
    ),
    removeSecondFactor: published(async ({ params, meta }) => {
      const given = codeIn(params.body, meta);
      const { user, sessionId } = await personOf(meta);
      await removeOwnSecondFactor(deps, meta, { user, sessionId, given });
      return null;
    }),
    listSessions: published(async ({ meta }) => {
      const { user, sessionId } = await personOf(meta);
      return { items: await listSessions(deps, user, sessionId) };
    }),
    endOtherSessions: changing("sessions.others_ended", async ({ user, sessionId }) => ({
      ended: await endOtherSessions(deps, { userId: user._id, sessionId }),
    })),
    endSession: changing("session.ended", async ({ user }, { params }) => {
      await endOneSession(deps, user._id, params.sessionId ?? "");
      return null;
    }),
  } satisfies Partial<Actions<"auth-token">>;
}
