/** The gateway's signed statement about a caller, for one service and a minute. Services accept no other caller. */
import { type KeyObject, sign, verify } from "node:crypto";
import { BoundedMap } from "../bounded-map.ts";
import type { Clock } from "../clock.ts";
import type { Caller } from "./caller.ts";

export const STATEMENT_LIFE_MS = 60_000;
/** A statement may be read later, by a clock that is ahead. */
const REUSED_FOR_MS = STATEMENT_LIFE_MS / 2;
/** Between the clock of the gateway and this one. */
const CLOCK_SKEW_MS = 30_000;
const MAX_REMEMBERED = 20_000;

type Claims = { caller: Caller; service: string; at: number };

export type SignCaller = (caller: Caller, service: string) => string;
/** Null for a statement that is forged, of another time or for another service. */
export type ReadStatement = (statement: string) => Caller | null;

type Made = Map<string, { statement: string; at: number }>;

export function createStatementSigner({ key, clock }: { key: KeyObject; clock: Clock }): SignCaller {
  const byContent = new BoundedMap<string, Made>(MAX_REMEMBERED);
  // Spares its spelling out; a token has one object for all its requests.
  const byIdentity = new WeakMap<Caller, Made>();

  function madeFor(caller: Caller): Made {
    const name = JSON.stringify(caller);
    const made: Made = byContent.get(name) ?? new Map();
    byContent.set(name, made);
    if (Object.isFrozen(caller)) byIdentity.set(caller, made);
    return made;
  }

  return (caller, service) => {
    const made = byIdentity.get(caller) ?? madeFor(caller);
    const now = clock.now();
    const before = made.get(service);
    if (before && now >= before.at && now < before.at + REUSED_FOR_MS) return before.statement;
    const claims = Buffer.from(JSON.stringify({ caller, service, at: now } satisfies Claims));
    const statement = `${claims.toString("base64url")}.${sign(null, claims, key).toString("base64url")}`;
    made.set(service, { statement, at: now });
    return statement;
  };
}

type ReaderDeps = { keys: readonly KeyObject[]; service: string; clock: Clock };

export function createStatementReader({ keys, service, clock }: ReaderDeps): ReadStatement {
  const checked = new BoundedMap<string, Claims>(MAX_REMEMBERED);

  function check(statement: string): Claims | null {
    const [claims = "", signature = ""] = statement.split(".");
    const signed = Buffer.from(claims, "base64url");
    const isGenuine = keys.some((key) => verify(null, signed, key, Buffer.from(signature, "base64url")));
    return isGenuine ? (JSON.parse(signed.toString()) as Claims) : null;
  }

  return (statement) => {
    const known = checked.get(statement);
    const claims = known ?? check(statement);
    if (!claims || claims.service !== service) return null;
    const ageMs = clock.now() - claims.at;
    if (ageMs < -CLOCK_SKEW_MS || ageMs > STATEMENT_LIFE_MS) return null;
    if (!known) checked.set(statement, { ...claims, caller: Object.freeze(claims.caller) });
    return claims.caller;
  };
}
