/** When a session ends, and when a visit is written down. */
import { SESSION_SECONDS } from "../../../shared/identity/session-cookie.ts";
import type { Session } from "./session.model.ts";

const IDLE_MS = 30 * 60_000;
const ABSOLUTE_MS = SESSION_SECONDS * 1_000;
/** The last visit is written at most this often. */
const TOUCH_EVERY_MS = 30_000;

export const sessionEnd = (createdAt: number): Date => new Date(createdAt + ABSOLUTE_MS);

export const isAlive = ({ lastSeenAt, expiresAt }: Session, now: number): boolean =>
  now < expiresAt.getTime() && now < lastSeenAt.getTime() + IDLE_MS;

export const shouldTouch = ({ lastSeenAt }: Session, now: number): boolean =>
  now - lastSeenAt.getTime() >= TOUCH_EVERY_MS;

/** When the session ends if nothing more is done in it. */
export const endsAt = ({ expiresAt }: Session, now: number): Date =>
  new Date(Math.min(expiresAt.getTime(), now + IDLE_MS));
