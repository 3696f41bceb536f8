/** What a person signed in does with the own account: password, second factor and sessions. */
import { AppError } from "../../shared/errors.ts";
import type { CallMeta } from "../../shared/identity/caller.ts";
import { sessionCookie } from "../../shared/identity/session-cookie.ts";
import { type Actions, published } from "../../shared/moleculer/typed-actions.ts";
import type { Deps } from "./deps.ts";
import { bodyReader } from "./read-body.ts";
import { changeOwnPassword, ownFact } from "./session/change-password.ts";
import { endOneSession, endOtherSessions, listSessions } from "./session/own-sessions.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  needsSecondFactor,
  removeOwnSecondFactor,
} from "./session/second-factor.ts";
import { codeBody, passwordBody } from "./session/session.schemas.ts";

export function accountActions(deps: Deps) {
  const { audit, config, users, logger } = deps;
  const readPasswords = bodyReader<{ currentPassword: string; newPassword: string }>(passwordBody);
  const readCode = bodyReader<{ code: string }>(codeBody);

  async function personOf(meta: CallMeta) {
    const { userId, sessionId } = signedIn(meta);
    const user = await users.findById(userId);
    if (!user) throw notSignedIn();
    return { user, sessionId };
  }
  const log = ({ requestId }: CallMeta, userId: string, fact: string) =>
    logger.info({ requestId, userId }, fact);

  return {
    changePassword: published(async ({ params, meta }) => {
      const { email, userId } = signedIn(meta);
      const { currentPassword, newPassword } = readPasswords(params.body);
      const address = meta.clientAddress ?? "unknown";
      const { cookieValue } = await changeOwnPassword(deps, meta, {
        email,
        address,
        currentPassword,
        newPassword,
      });
      meta.$responseHeaders = { "Set-Cookie": sessionCookie(config, cookieValue) };
      log(meta, userId, "password.changed");
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
    beginSecondFactor: published(async ({ meta }) => beginSecondFactor(deps, (await personOf(meta)).user)),
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
    removeSecondFactor: published(async ({ meta }) => {
      const { user, sessionId } = await personOf(meta);
      await audit.change(meta, async () => ({
        value: await removeOwnSecondFactor(deps, user, sessionId),
        fact: ownFact("second_factor.removed", user),
      }));
      log(meta, user._id, "second_factor.removed");
      return null;
    }),
    listSessions: published(async ({ meta }) => ({ items: await listSessions(deps, signedIn(meta)) })),
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
