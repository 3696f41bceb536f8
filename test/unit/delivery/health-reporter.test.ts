import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import { createHealthReporter } from "../../../services/delivery/endpoint/health-reporter.ts";
import type { AttemptOutcome } from "../../../services/delivery/records/attempt-outcome.rules.ts";
import type {
  DeliveryEndpoint,
  HealthAnswer,
  HealthReport,
} from "../../../shared/contract/actions/webhook-registry.ts";
import { anEndpoint } from "../../support/builders/delivery-records.ts";
import { waitFor } from "../../support/wait-for.ts";

const endpoint = anEndpoint();
const outcome = (ok: boolean): AttemptOutcome => ({
  ok,
  statusCode: ok ? 200 : 500,
  errorKind: ok ? null : "HttpStatus",
  responseExcerpt: null,
  durationMs: 1,
  sentAt: new Date("2026-01-01T00:00:00.000Z"),
  retryAfterMs: null,
});
const calm: HealthAnswer = { status: "Active", consecutiveFailures: 0, healed: false, disabled: false };

function aReporter(
  answer: (report: HealthReport) => Promise<HealthAnswer>,
  gate = Promise.resolve(),
  lastGate = gate,
) {
  const reports: HealthReport[] = [];
  const calls: string[] = [];
  const note =
    (name: string, until = gate) =>
    async (of: string | DeliveryEndpoint) => {
      calls.push(`${name} ${typeof of === "string" ? of : of.endpointId}`);
      await until;
      calls.push(`${name}: done`);
    };
  const warn = jest.fn();
  const reporter = createHealthReporter({
    report: (report) => {
      reports.push(report);
      return answer(report);
    },
    onHealed: note("healed"),
    onDisabled: note("disabled", lastGate),
    onFailing: note("failing"),
    onChanged: (id) => void calls.push(`changed ${id}`),
    clock: { now: () => 1_000 },
    logger: Object.assign(pino({ level: "silent" }), { warn }),
  });
  return { reporter, reports, calls, warn };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const until = (condition: () => boolean) => waitFor(condition, { what: "the report", everyMs: 1 });

afterEach(() => {
  jest.useRealTimers();
});

describe("health reporter", () => {
  test("a success of a healthy endpoint is not reported", async () => {
    const { reporter, reports } = aReporter(async () => calm);
    reporter.add(endpoint, outcome(true), false);
    await reporter.stop();
    expect(reports).toEqual([]);
  });

  test("a failure and the first success after it are reported, later successes are not", async () => {
    const answers = [{ ...calm, consecutiveFailures: 1 }, calm];
    const { reporter, reports } = aReporter(async () => answers.shift() ?? calm);
    reporter.add(endpoint, outcome(false), true);
    await until(() => answers.length === 1);
    await turn();
    reporter.add(endpoint, outcome(true), false);
    await until(() => answers.length === 0);
    await turn();
    reporter.add(endpoint, outcome(true), false);
    await reporter.stop();
    expect(reports.map(({ outcomes }) => outcomes.map(({ ok, exhausted }) => [ok, exhausted]))).toEqual([
      [[false, true]],
      [[true, false]],
    ]);
  });

  test("another process reported failures: a success is reported", async () => {
    const { reporter, reports } = aReporter(async () => calm);
    reporter.add({ ...endpoint, consecutiveFailures: 3 }, outcome(true), false);
    await until(() => reports.length === 1);
    await reporter.stop();
    expect(reports[0]?.outcomes).toHaveLength(1);
  });

  test("outcomes that come while a report is under way go together, each with its own time", async () => {
    const gate = Promise.withResolvers<void>();
    const { reporter, reports } = aReporter(async () => {
      await gate.promise;
      return { ...calm, consecutiveFailures: 3 };
    });
    for (let i = 0; i < 3; i += 1) reporter.add(endpoint, outcome(false), false);
    gate.resolve();
    await until(() => reports.length === 2);
    await reporter.stop();
    expect(reports.map(({ outcomes }) => outcomes.length)).toEqual([1, 2]);
    const times = reports.flatMap(({ outcomes }) => outcomes.map(({ at }) => at));
    expect(times).toEqual([1_000, 1_001, 1_002].map((at) => new Date(at).toISOString()));
  });

  test("each outcome names the URL it came from, also when the URL changed while a report was under way", async () => {
    const { reporter, reports } = aReporter(async () => ({ ...calm, consecutiveFailures: 1 }));
    const moved = { ...endpoint, url: "https://example.com/new" };
    for (const to of [endpoint, endpoint, moved]) reporter.add(to, outcome(false), false);
    await until(() => reports.length === 2);
    await reporter.stop();
    expect(reports.flatMap(({ outcomes }) => outcomes.map(({ url }) => url))).toEqual([
      endpoint.url,
      endpoint.url,
      moved.url,
    ]);
  });

  test("healed and disabled are followed up", async () => {
    const answers: HealthAnswer[] = [
      { ...calm, healed: true },
      { status: "Disabled", consecutiveFailures: 2, healed: false, disabled: true },
    ];
    const { reporter, calls } = aReporter(async () => answers.shift() ?? calm);
    reporter.add({ ...endpoint, status: "Degraded" }, outcome(true), false);
    await until(() => calls.includes("healed e"));
    reporter.add(endpoint, outcome(false), false);
    await until(() => calls.includes("disabled e"));
    expect(calls.filter((call) => !call.endsWith("done"))).toEqual([
      ...["changed p", "healed e", "changed p", "failing e", "disabled e"],
    ]);
  });

  test("reports are sequential: the next report and the stop wait for the last answer", async () => {
    const gate = Promise.withResolvers<void>();
    const disabled = { status: "Disabled", consecutiveFailures: 1, healed: true, disabled: true } as const;
    const lastGate = Promise.withResolvers<void>();
    const { reporter, reports, calls } = aReporter(async () => disabled, gate.promise, lastGate.promise);
    reporter.add(endpoint, outcome(false), false);
    reporter.add(endpoint, outcome(false), false);
    await until(() => calls.length === 2);
    let isStopped = false;
    const stopped = reporter.stop().then(() => {
      isStopped = true;
    });
    await turn();
    expect([reports.length, calls, isStopped]).toEqual([1, ["changed p", "healed e"], false]);
    gate.resolve();
    await until(() => calls.includes("disabled e"));
    await turn();
    expect(isStopped).toBe(false);
    lastGate.resolve();
    await stopped;
    expect(calls.slice(2, 7)).toEqual([
      ...["healed: done", "failing e", "failing: done", "disabled e", "disabled: done"],
    ]);
    // A stop also sends the outcomes that waited behind the report.
    expect(reports).toHaveLength(2);
  });

  test("many outcomes: a hundred in a report; of more than a thousand that wait the latest are kept", async () => {
    const gate = Promise.withResolvers<void>();
    const { reporter, reports } = aReporter(async () => {
      await gate.promise;
      return { ...calm, consecutiveFailures: 1 };
    });
    for (let index = 0; index <= 1_001; index += 1) reporter.add(endpoint, outcome(false), false);
    gate.resolve();
    await until(() => reports.length === 11);
    await reporter.stop();
    expect(reports.map(({ outcomes }) => outcomes.length)).toEqual([1, ...Array(10).fill(100)]);
    expect(reports[1]?.outcomes[0]?.at).toBe(new Date(1_002).toISOString());
    expect(reports[0]).toMatchObject({ endpointId: "e", partnerId: "p" });
  });

  test("the registry is away: logged, tried again after 200 ms, then less often; a stop does not wait for it", async () => {
    jest.useFakeTimers();
    const { reporter, reports, warn } = aReporter(() => Promise.reject(new Error("away")));
    reporter.add(endpoint, outcome(false), false);
    const counts: number[] = [];
    for (const ms of [0, 199, 1, 400, 800, 1_600, 3_200, 4_999, 1, 4_999, 1]) {
      await jest.advanceTimersByTimeAsync(ms);
      counts.push(reports.length);
    }
    expect(counts).toEqual([1, 1, 2, 3, 4, 5, 6, 6, 7, 7, 8]);
    expect(warn).toHaveBeenCalledTimes(8);
    expect(warn).toHaveBeenLastCalledWith({ err: expect.any(Error), endpointId: "e" }, "health.not_reported");
    const stopped = reporter.stop();
    await jest.advanceTimersByTimeAsync(0);
    await stopped;
    expect(reports).toHaveLength(8);
  });
});
