/** What a person signed in does with the own account: password and second factor. */
import { AppError } from "../../shared/errors.ts";
import type { CallMeta } from "../../shared/identity/caller.ts";
import { sessionCookie } from "../../shared/identity/session-cookie.ts";
import { type Actions, published } from "../../shared/moleculer/typed-actions.ts";
import { compileCheck, type ValidationSchema } from "../../shared/validation.ts";
import type { Deps } from "./deps.ts";
import { changeOwnPassword, ownFact } from "./session/change-password.ts";
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
  } satisfies Partial<Actions<"auth-token">>;
}

function signedIn({ caller }: CallMeta): { userId: string; email: string; sessionId: string } {
  if (!caller || caller.kind === "partner" || !caller.sessionId) throw notSignedIn();
  const { userId, email, sessionId } = caller;
  return { userId, email, sessionId };
}

function bodyReader<Body>(schema: ValidationSchema): (body: unknown) => Body {
  const check = compileCheck(schema, "ValidationControl.Error");
  return (body) => {
    const details = check(body);
    if (details.length > 0)
      throw new AppError("ValidationControl.Error", "The request is not valid.", { details });
    return body as Body;
  };
}

const notSignedIn = () => new AppError("Partner.NotAuthenticated", "Nobody is signed in.");
