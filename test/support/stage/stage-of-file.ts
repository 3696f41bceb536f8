import { afterAll, beforeAll } from "@jest/globals";

/** A stage for all tests of a file: started before the first, stopped after the last. */
export const stageOfFile = <T extends { stop(): Promise<unknown> }>(start: () => Promise<T>): T =>
  ofFile(start, (stage) => stage.stop());

/** A thing for all tests of a file: made before the first, ended after the last. */
export function ofFile<T extends object>(make: () => Promise<T>, end?: (made: T) => unknown): T {
  const shown = {};
  let made: T | undefined;
  beforeAll(async () => {
    made = await make();
    Object.defineProperties(shown, Object.getOwnPropertyDescriptors(made));
  });
  if (end) afterAll(async () => made && (await end(made)));
  return shown as T;
}
