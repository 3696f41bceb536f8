import { generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import type { Caller } from "../../../shared/identity/caller.ts";
import {
  createStatementReader,
  createStatementSigner,
  STATEMENT_LIFE_MS,
} from "../../../shared/identity/caller-statement.ts";

const analyst: Caller = { kind: "analyst", userId: "ada", email: "ada@operator.test" };
const partner: Caller = { kind: "partner", partnerId: "p1", clientId: "c1", scopes: ["partner.read"] };

function pair(now = 1_000_000) {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const clock = { at: now, now: () => clock.at };
  const say = createStatementSigner({ key: privateKey, clock });
  const readAs = (service: string, keys = [publicKey]) => createStatementReader({ keys, service, clock });
  return { clock, say, readAs, publicKey };
}

describe("a statement about a caller", () => {
  test("is believed by the service it is for, each time it is used", () => {
    const { say, readAs } = pair();
    const read = readAs("profile");
    for (const caller of [analyst, partner, analyst]) expect(read(say(caller, "profile"))).toEqual(caller);
  });

  test("for another service: not believed", () => {
    const { say, readAs } = pair();
    expect(readAs("profile")(say(analyst, "delivery"))).toBeNull();
  });

  test("is the same for the same caller and service during half of its life, then made anew", () => {
    const { say, clock } = pair();
    const first = say(analyst, "profile");
    clock.at += STATEMENT_LIFE_MS / 2 - 1;
    expect(say({ ...analyst }, "profile")).toBe(first);
    expect(say(analyst, "document")).not.toBe(first);
    expect(say({ ...analyst, userId: "bob" }, "profile")).not.toBe(first);
    clock.at += 1;
    expect(say(analyst, "profile")).not.toBe(first);
  });

  test("ends after its life, also where it was believed before", () => {
    const { say, readAs, clock } = pair();
    const [read, statement] = [readAs("profile"), say(analyst, "profile")];
    clock.at += STATEMENT_LIFE_MS;
    expect(read(statement)).toEqual(analyst);
    clock.at += 1;
    expect(read(statement)).toBeNull();
    expect(readAs("profile")(statement)).toBeNull();
  });

  test("from a clock ahead: believed within half a minute, not from further", () => {
    const { say, readAs, clock } = pair();
    const statement = say(analyst, "profile");
    clock.at -= 30_000;
    expect(readAs("profile")(statement)).toEqual(analyst);
    clock.at -= 1;
    expect(readAs("profile")(statement)).toBeNull();
  });

  test("a clock that was set back: the signer says it anew", () => {
    const { say, clock } = pair();
    const first = say(analyst, "profile");
    clock.at -= 1;
    expect(say(analyst, "profile")).not.toBe(first);
  });

  test("during a rotation both keys count; afterwards the old one does not", () => {
    const [old, next] = [pair(), pair()];
    const statement = old.say(analyst, "profile");
    expect(old.readAs("profile", [next.publicKey, old.publicKey])(statement)).toEqual(analyst);
    expect(old.readAs("profile", [next.publicKey])(statement)).toBeNull();
    expect(old.readAs("profile", [])(statement)).toBeNull();
  });

  const { say, readAs, clock } = pair();
  const genuine = say(partner, "profile");
  const [claims = "", signature = ""] = genuine.split(".");
  const forged = Buffer.from(JSON.stringify({ caller: analyst, service: "profile", at: clock.at }));
  const stranger = generateKeyPairSync("ed25519").privateKey;
  test.each([
    ["nothing", ""],
    ["no signature", claims],
    ["an empty signature", `${claims}.`],
    ["another's claims under a genuine signature", `${forged.toString("base64url")}.${signature}`],
    [
      "a stranger's signature",
      `${forged.toString("base64url")}.${sign(null, forged, stranger).toString("base64url")}`,
    ],
    ["a signature cut short", genuine.slice(0, -4)],
    ["nonsense", "\u0000.\u0000"],
  ])("%s: not believed, nor after a genuine one", (_what, statement) => {
    const read = readAs("profile");
    expect(read(statement)).toBeNull();
    expect(read(genuine)).toEqual(partner);
    expect(read(statement)).toBeNull();
  });

  test("cannot be changed for others by who received it", () => {
    const caller = readAs("profile")(genuine);
    expect(() => Object.assign(caller as object, { partnerId: "p2" })).toThrow(TypeError);
  });
});
