import { expect, test } from "@jest/globals";
import { drawDaily, isCutInVain, seedOfDay } from "../../chaos/lab/daily.rules.ts";
import { FAULT_KINDS, type Fault, type FaultKind, LAB_PROCESSES } from "../../chaos/lab/faults.rules.ts";
import { doMeet } from "../../chaos/lab/schedule.rules.ts";
import { seededRandom } from "../../chaos/seeded-random.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const DAYS = Array.from({ length: 5 * 365 }, (_, day) => new Date(Date.UTC(2026, 0, 1) + day * DAY_MS));
const ROUNDS = DAYS.map((day) => drawDaily(seededRandom(seedOfDay(day))));

const targetsOf = (faults: readonly Fault[], kind: FaultKind): string[] =>
  faults.filter((fault) => fault.kind === kind).map(({ target }) => target);
const overAll = (kind: FaultKind): string[] =>
  [...new Set(ROUNDS.flatMap((faults) => targetsOf(faults, kind)))].toSorted();

test("a day has one seed, by its date in UTC, and the seed gives the same faults again", () => {
  expect(seedOfDay(new Date("2026-11-19T00:00:00Z"))).toBe(20_261_119);
  expect(seedOfDay(new Date("2026-11-20T01:00:00+02:00"))).toBe(20_261_119);
  expect(drawDaily(seededRandom(20_261_119))).toEqual(drawDaily(seededRandom(20_261_119)));
  expect(new Set(ROUNDS.map((faults) => JSON.stringify(faults))).size).toBe(DAYS.length);
});

test("every day has the same kinds, and kills one process of each of the six services", () => {
  const KINDS = [
    ...["broker-wipe", "link-cut", "link-delay", "link-hold", "link-refuse", "mongod-kill"],
    ...["process-freeze", ...Array(6).fill("process-kill"), "receiver-500"],
  ];
  const SERVICES = ["auth-token", "delivery", "document", "gateway", "profile", "webhook-registry"];
  const odd = ROUNDS.filter((faults) => {
    const kinds = faults.map(({ kind }) => kind).toSorted();
    const killed = targetsOf(faults, "process-kill").map((name) => name.replace(/-[12]$/, ""));
    return String(kinds) !== String(KINDS) || String(killed.toSorted()) !== String(SERVICES);
  });
  expect(odd).toEqual([]);
});

test("every day cuts one connection of the delivery process that is not killed, and holds its other one", () => {
  const odd = ROUNDS.filter((faults) => {
    const alive = targetsOf(faults, "process-kill").includes("delivery-1") ? "delivery-2" : "delivery-1";
    const links = ["link-cut", "link-hold"].flatMap((kind) => targetsOf(faults, kind as FaultKind));
    return String(links.toSorted()) !== `${alive}>mongod,${alive}>nats`;
  });
  expect(odd).toEqual([]);
});

test("no fault of a day meets another, is killed before it is frozen, or cuts what is already away", () => {
  const odd = ROUNDS.filter((faults) =>
    faults.some(
      (one, index) =>
        faults.some((other, at) => at !== index && (doMeet(one, other) || isCutInVain(one, other))) ||
        one.atMs < (faults[index - 1]?.atMs ?? 0) ||
        (one.kind === "process-freeze" && targetsOf(faults, "process-kill").includes(one.target)),
    ),
  );
  expect(odd).toEqual([]);
});

test("a connection is cut in vain while its server is away, and only then", () => {
  const fault = (kind: FaultKind, target: string, atMs: number): Fault => ({ kind, target, atMs, forMs: 0 });
  const cut = fault("link-cut", "delivery-1>mongod", 6_000);
  const isInVain = (away: Fault) => isCutInVain(cut, away);
  expect([1_001, 6_000].map((at) => isInVain(fault("mongod-kill", "mongod", at)))).toEqual([true, true]);
  expect([1_000, 6_001].map((at) => isInVain(fault("mongod-kill", "mongod", at)))).toEqual([false, false]);
  expect(isInVain(fault("broker-wipe", "nats", 6_000))).toBe(false);
  expect(isCutInVain({ ...cut, kind: "link-hold" }, fault("mongod-kill", "mongod", 6_000))).toBe(false);
});

test("over the years every process is killed and frozen, and every connection of delivery is cut and held", () => {
  const LINKS = ["delivery-1>mongod", "delivery-1>nats", "delivery-2>mongod", "delivery-2>nats"];
  expect(overAll("process-kill")).toEqual(LAB_PROCESSES.toSorted());
  expect(overAll("process-freeze")).toEqual(LAB_PROCESSES.toSorted());
  expect([overAll("link-cut"), overAll("link-hold")]).toEqual([LINKS, LINKS]);
  expect(overAll("link-refuse")).toEqual([...new Set(FAULT_KINDS["link-refuse"].targets)].toSorted());
});
