import { describe, expect, test } from "@jest/globals";
import { SERVICE_NAMES } from "../../../shared/config/config.ts";
import type { ActionRow } from "../../../shared/contract/actions/action.ts";
import { ACTIONS, actionProblems, actionRow } from "../../../shared/contract/actions.ts";

const all = SERVICE_NAMES.flatMap((service) =>
  Object.entries<ActionRow>(ACTIONS[service]).map(([name, { processes }]) => ({
    service,
    name: `${service}.${name}`,
    processes,
  })),
);

/** From one delivery process to the one that owns an endpoint. */
const BETWEEN_ALIKE = new Set(["delivery.takeAttempts", "delivery.lookNow"]);

describe("the action table", () => {
  test("has every service, and the gateway may ping each and ask for its readiness", () => {
    expect(Object.keys(ACTIONS).sort()).toEqual([...SERVICE_NAMES].sort());
    for (const service of SERVICE_NAMES)
      for (const name of ["ping", "ready"] as const)
        expect(ACTIONS[service][name].processes).toContain("gateway");
  });

  test("each action has callers, and its own service only where one process of it calls another", () => {
    const calledByOwn = all.filter(({ processes, service }) => processes.includes(service));
    expect(new Set(calledByOwn.map(({ name }) => name))).toEqual(BETWEEN_ALIKE);
    const isWrong = ({ name, processes }: (typeof all)[number]) =>
      !/^[a-z-]+\.[a-z][A-Za-z]+$/.test(name) || processes.length === 0;
    expect(all.filter(isWrong)).toEqual([]);
  });
});

test.each([
  ["profile.ping", true],
  ["webhook-registry.get", true],
  ["", false],
  ["profile", false],
  [".ping", false],
  ["profile.nothing", false],
  ["nobody.ping", false],
  // Every object has these.
  ["constructor.name", false],
  ["profile.constructor", false],
  ["__proto__.ping", false],
])("actionRow %j is an action: %s", (name, expected) => {
  expect(actionRow(name) !== undefined).toBe(expected);
});

describe("actionProblems", () => {
  test("the declared set has no problems", () => {
    expect(actionProblems("document", Object.keys(ACTIONS.document))).toEqual([]);
  });

  test("names missing and undeclared actions", () => {
    const [first = "", ...rest] = Object.keys(ACTIONS.document);
    expect(actionProblems("document", [...rest, "surprise"])).toEqual([
      `document.${first} is not offered`,
      "document.surprise is not declared",
    ]);
  });
});
