import type {} from "./test-infra.ts";

export default async function globalTeardown(): Promise<void> {
  await globalThis.pboTestInfra?.stop();
  globalThis.pboTestInfra = undefined;
}
