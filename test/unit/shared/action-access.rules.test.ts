import { describe, expect, test } from "@jest/globals";
import type { Admitted } from "../../../shared/contract/actions/action.ts";
import type { Caller, Role, Scope } from "../../../shared/identity/caller.ts";
import { accessOf, accessRefusal } from "../../../shared/moleculer/action-access.rules.ts";

const person = (role: Role): Caller => ({
  kind: "user",
  userId: "u",
  email: "u@p.test",
  partnerId: "p",
  role,
});
const client = (...scopes: Scope[]): Caller => ({ kind: "partner", partnerId: "p", clientId: "c", scopes });
const analyst: Caller = { kind: "analyst", userId: "a", email: "a@operator.test" };

const OTHER_KIND = "Partner.NotAuthenticated";
const SMALL_ROLE = "Partner.InsufficientRole";
const NO_SCOPE = "Partner.InsufficientScope";

describe("accessRefusal", () => {
  test.each<[string, Admitted, Caller | null, string | undefined]>([
    ["an open action admits no caller", { anyone: true }, null, undefined],
    ["an open action admits a client", { anyone: true }, client(), undefined],
    ["a closed action refuses no caller", { analysts: true, people: ["Owner"] }, null, OTHER_KIND],
    ["an analyst's action admits an analyst", { analysts: true }, analyst, undefined],
    [
      "a partner's action refuses an analyst",
      { people: ["Owner"], client: "partner.read" },
      analyst,
      OTHER_KIND,
    ],
    ["a role that is listed is admitted", { people: ["Owner", "Viewer"] }, person("Viewer"), undefined],
    ["a role that is not listed is refused", { people: ["Owner"] }, person("Viewer"), SMALL_ROLE],
    ["an analyst's action refuses a person", { analysts: true }, person("Owner"), OTHER_KIND],
    ["the scope is admitted", { client: "partner.write" }, client("partner.write"), undefined],
    ["another scope is refused", { client: "partner.write" }, client("partner.read"), NO_SCOPE],
    ["a person's action refuses a client", { people: ["Owner"] }, client("partner.write"), OTHER_KIND],
  ])("%s", (_, admitted, caller, type) => {
    expect(accessRefusal(admitted, caller)?.type).toBe(type);
  });
});

test.each([["profile.unknown"], ["toString"], ["profile.erase"]])(
  "accessOf %s: admits no caller",
  (action) => {
    for (const caller of [null, analyst, person("Owner"), client("partner.read", "partner.write")])
      expect(accessRefusal(accessOf(action), caller)?.type).toBe(OTHER_KIND);
  },
);
