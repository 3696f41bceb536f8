/** What a person signed in does with the own account: password, second factor and sessions. */
import { AppError } from "../../shared/errors.ts";
import type { CallMeta } from "../../shared/identity/caller.ts";
import { sessionCookie } from "../../shared/identity/session-cookie.ts";
import { type Actions, published } from "../../shared/moleculer/typed-actions.ts";
import type { Deps } from "./deps.ts";
import { bodyReader } from "./read-body.ts";
import { changeOwnPassword } from "./session/change-password.ts";
import { ownFact } from "./session/own-fact.ts";
import { endOneSession, endOtherSessions, listSessions } from "./session/own-sessions.ts";
import {
  beginSecondFactor,
  type CodeTry,
  confirmSecondFactor,
  needsSecondFactor,
  removeOwnSecondFactor,
} from "./session/second-factor.ts";
import { codeBody, formerCodeBody, passwordBody } from "./session/session.schemas.ts";

export function accountActions(deps: Deps) {
  const { audit, config, users, sessions, logger } = deps;
  const readPasswords = bodyReader<{ currentPassword: string; newPassword: string; code?: string }>(
    passwordBody,
  );
  const readFormerCode = bodyReader<{ code?: string }>(formerCodeBody);
  const readCode = bodyReader<{ code: string }>(codeBody);

  async function personOf(meta: CallMeta) {
    const { userId, sessionId } = signedIn(meta);
    const user = await users.findById(userId);
    if (!user) throw notSignedIn();
    return { user, sessionId };
  }
  /** A request without a body gives no code. */
  const codeIn = (body: unknown, { clientAddress = "unknown" }: CallMeta): CodeTry => ({
    code: (body === undefined ? {} : readFormerCode(body)).code ?? null,
    address: clientAddress,
  });
  const log = ({ requestId }: CallMeta, userId: string, fact: string) =>
    logger.info({ requestId, userId }, fact);

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
      log(meta, user._id, "password.changed");
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
    confirmSecondFactor: published(async ({ params, meta }) => {
      const { user, sessionId } = await personOf(meta);
      const { code } = readCode(params.body);
      const confirmed = await audit.change(meta, async () => ({
        value: await confirmSecondFactor(deps, user, code, sessionId),
        fact: ownFact("second_factor.enabled", user),
      }));
      log(meta, user._id, "second_factor.enabled");
      return confirmed;
    }),
    removeSecondFactor: published(async ({ params, meta }) => {
      const given = codeIn(params.body, meta);
      const { user, sessionId } = await personOf(meta);
      await removeOwnSecondFactor(deps, meta, { user, sessionId, given });
      log(meta, user._id, "second_factor.removed");
      return null;
    }),
    listSessions: published(async ({ meta }) => {
      const { user, sessionId } = await personOf(meta);
      return { items: await listSessions(deps, user, sessionId) };
    }),
    endOtherSessions: published(async ({ meta }) => {
      const { user, sessionId } = await personOf(meta);
      const ended = await audit.change(meta, async () => ({
        value: await endOtherSessions(deps, { userId: user._id, sessionId }),
        fact: ownFact("sessions.others_ended", user),
      }));
      log(meta, user._id, "sessions.others_ended");
      return { ended };
    }),
    endSession: published(async ({ params, meta }) => {
      const { user } = await personOf(meta);
      await audit.change(meta, async () => ({
        value: await endOneSession(deps, user._id, params.params.sessionId ?? ""),
        fact: ownFact("session.ended", user),
      }));
      log(meta, user._id, "session.ended");
      return null;
    }),
  } satisfies Partial<Actions<"auth-token">>;
}

function signedIn({ caller }: CallMeta): { userId: string; email: string; sessionId: string } {
  if (!caller || caller.kind === "partner" || !caller.sessionId) throw notSignedIn();
  const { userId, email, sessionId } = caller;
  return { userId, email, sessionId };
}

const notSignedIn = () => new AppError("Partner.NotAuthenticated", "Nobody is signed in.");
