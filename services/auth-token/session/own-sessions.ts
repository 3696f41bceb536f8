/** The sessions of one person, as that person sees and ends them. */
import type { OwnSession } from "../../../shared/action-types/auth-token.ts";
import type { Clock } from "../../../shared/clock.ts";
import { AppError } from "../../../shared/errors.ts";
import type { SessionRepository } from "./session.repository.ts";
import { endsAt, isAlive } from "./session.rules.ts";

type Deps = { clock: Clock; sessions: Pick<SessionRepository, "listOfUser" | "removeOfUser" | "removeOwn"> };
type Person = { userId: string; sessionId: string };

/** Newest first. The id is the hash of a cookie, so it opens nothing. */
export async function listSessions(
  { clock, sessions }: Deps,
  { userId, sessionId }: Person,
): Promise<OwnSession[]> {
  const found = await sessions.listOfUser(userId);
  return found
    .filter((session) => isAlive(session, clock.now()))
    .map((session) => ({
      sessionId: session._id,
      createdAt: session.createdAt.toISOString(),
      lastSeenAt: session.lastSeenAt.toISOString(),
      expiresAt: endsAt(session, session.lastSeenAt.getTime()).toISOString(),
      isCurrent: session._id === sessionId,
    }));
}

export const endOtherSessions = ({ sessions }: Deps, { userId, sessionId }: Person): Promise<number> =>
  sessions.removeOfUser(userId, sessionId);

export async function endOneSession({ sessions }: Deps, userId: string, sessionId: string): Promise<void> {
  if (!(await sessions.removeOwn(userId, sessionId)))
    throw new AppError("Session.NotFound", "You have no such session; it may have ended by itself.");
}
