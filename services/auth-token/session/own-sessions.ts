/** The sessions of one person, as that person sees and ends them. */
import type { OwnSession } from "../../../shared/contract/answers/session.ts";
import { AppError } from "../../../shared/errors.ts";
import type { User } from "../account/user.model.ts";
import type { Deps } from "../deps.ts";
import { endsAt, isAlive } from "./session.rules.ts";

type Person = { userId: string; sessionId: string };

/** Newest first. The id is the hash of a cookie, so it opens nothing. */
export async function listSessions(
  { clock, sessions }: Deps,
  user: User,
  sessionId: string,
): Promise<OwnSession[]> {
  const found = await sessions.listOfUser(user._id);
  return found
    .filter(
      (session) => isAlive(session, clock.now()) && session.credentialVersion === user.credentialVersion,
    )
    .map((session) => ({
      sessionId: session._id,
      createdAt: session.createdAt.toISOString(),
      lastSeenAt: session.lastSeenAt.toISOString(),
      expiresAt: endsAt(session, session.lastSeenAt.getTime()).toISOString(),
      isCurrent: session._id === sessionId,
    }));
}

export const endOtherSessions = async (deps: Deps, person: Person): Promise<number> =>
  endOthers(deps, person, await deps.users.raiseVersion(person.userId));

/** Once the version of the person rose: only this session follows. Answers how many others there were. */
export async function endOthers(
  { sessions }: Deps,
  { userId, sessionId }: Person,
  version: number,
): Promise<number> {
  await sessions.follow({ userId, _id: sessionId }, version);
  return sessions.removeOfUser(userId, sessionId);
}

export async function endOneSession({ sessions }: Deps, userId: string, sessionId: string): Promise<void> {
  if (!(await sessions.removeOwn(userId, sessionId)))
    throw new AppError("Session.NotFound", "You have no such session; it may have expired.");
}
