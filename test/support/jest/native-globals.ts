/** Replaces "@jest/globals" in tests that Node loads: each name leads to the runner of the current file. */
import { ModernFakeTimers } from "@jest/fake-timers";
import type * as jestGlobals from "@jest/globals";
import { ModuleMocker } from "jest-mock";

export type RuntimeGlobals = Pick<
  typeof jestGlobals,
  "afterAll" | "afterEach" | "beforeAll" | "beforeEach" | "describe" | "expect" | "test"
>;

let current: RuntimeGlobals;

export function setGlobals(globals: RuntimeGlobals): void {
  current = globals;
}

/** A shared module is loaded only with the first test file that imports it. */
const forwarded = <N extends keyof RuntimeGlobals>(name: N): RuntimeGlobals[N] =>
  new Proxy((() => undefined) as unknown as RuntimeGlobals[N], {
    apply: (_target, _this, args) => Reflect.apply(current[name] as () => unknown, undefined, args),
    get: (_target, key) => Reflect.get(current[name], key),
  });

export const afterAll = forwarded("afterAll");
export const afterEach = forwarded("afterEach");
export const beforeAll = forwarded("beforeAll");
export const beforeEach = forwarded("beforeEach");
export const describe = forwarded("describe");
export const expect = forwarded("expect");
export const test = forwarded("test");

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ config: {} as never, global: globalThis });
export const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
  useFakeTimers: timers.useFakeTimers.bind(timers),
  useRealTimers: timers.useRealTimers.bind(timers),
  advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
  advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
  getTimerCount: timers.getTimerCount.bind(timers),
};
