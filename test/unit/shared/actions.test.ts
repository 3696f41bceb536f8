import { describe, expect, test } from "@jest/globals";
import { SERVICE_NAMES } from "../../../shared/config/config.ts";
import { ACTIONS, actionProblems, isAction } from "../../../shared/contract/actions.ts";

const all = SERVICE_NAMES.flatMap((service) =>
  Object.entries(ACTIONS[service]).map(([name, callers]) => ({
    service,
    name: `${service}.${name}`,
    callers,
  })),
);

/** From one delivery process to the one that looks after an endpoint. */
const BETWEEN_ALIKE = new Set(["delivery.takeAttempts", "delivery.lookNow"]);

describe("the action table", () => {
  test("has every service, and each can be pinged and asked for its readiness by the gateway", () => {
    expect(Object.keys(ACTIONS).sort()).toEqual([...SERVICE_NAMES].sort());
    for (const service of SERVICE_NAMES)
      for (const name of ["ping", "ready"] as const) expect(ACTIONS[service][name]).toContain("gateway");
  });

  test("each action has callers, and its own service only where one process of it calls another", () => {
    const calledByOwn = all.filter(({ callers, service }) =>
      (callers as readonly string[]).includes(service),
    );
    expect(new Set(calledByOwn.map(({ name }) => name))).toEqual(BETWEEN_ALIKE);
    const known: readonly string[] = [...SERVICE_NAMES, "gateway", "admin"];
    const isWrong = ({ name, callers }: (typeof all)[number]) =>
      !/^[a-z-]+\.[a-z][A-Za-z]+$/.test(name) ||
      callers.length === 0 ||
      callers.some((caller: string) => !known.includes(caller));
    expect(all.filter(isWrong)).toEqual([]);
  });
});

describe("isAction", () => {
  test.each([["profile.ping"], ["webhook-registry.get"]])("%s is one", (name) => {
    expect(isAction(name)).toBe(true);
  });

  test.each([[""], ["profile"], ["profile."], [".ping"], ["profile.nothing"], ["nobody.ping"]])(
    "%s is none",
    (name) => {
      expect(isAction(name)).toBe(false);
    },
  );

  test.each([["constructor.name"], ["profile.constructor"], ["__proto__.ping"], ["profile.toString"]])(
    "%s, which every object has, is none",
    (name) => {
      expect(isAction(name)).toBe(false);
    },
  );
});

describe("actionProblems", () => {
  test("the declared set has no problems", () => {
    expect(actionProblems("document", Object.keys(ACTIONS.document))).toEqual([]);
  });

  test("names what is missing and what nobody declared", () => {
    const [first = "", ...rest] = Object.keys(ACTIONS.document);
    expect(actionProblems("document", [...rest, "surprise"])).toEqual([
      `document.${first} is not offered`,
      "document.surprise is not declared",
    ]);
  });
});
