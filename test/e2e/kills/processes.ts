/** kill -9 of every process and server at rest: each is started again, and the system serves. */
import { beforeAll, describe, expect } from "@jest/globals";
import { PROCESS_NAMES } from "../../../deploy/local/services/service-env.ts";
import { signIn } from "../../support/clients/dashboard-client.ts";
import { nightlyTest } from "../../support/skipped.ts";
import type { PartName, TestPlatform } from "../../support/stage/platform.ts";
import { faultPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await faultPlatform();
});

const pids = () => PROCESS_NAMES.map((name) => platform.pidOf(name));

async function killAndWait(names: readonly PartName[]): Promise<void> {
  const before = new Map(names.map((name) => [name, platform.pidOf(name)]));
  for (const name of names) platform.kill(name, "SIGKILL");
  const isBack = (name: PartName) => ![null, before.get(name)].includes(platform.pidOf(name));
  await waitFor(() => names.every(isBack), `${names} to be started again`);
  await platform.untilReady();
  // For some seconds a call can still be sent to the node that was killed, until its heartbeat is missed.
  await waitFor(async () => (await signIn(platform.demo)).status === 200, "a call to be served");
}

describe("killed by kill -9", () => {
  const SERVICES = PROCESS_NAMES.filter((name) => name !== "gateway");

  // The other parts of this file and test/chaos kill a single service.
  nightlyTest.each([
    ["the gateway", ["gateway"]],
    [`${SERVICES.length} services at once`, SERVICES],
  ] as const)("%s: started again, and the system becomes ready", async (_, names) => {
    await killAndWait(names);
    for (const name of names)
      expect(
        platform.said().some((line) => line.startsWith(`${name} was ended by SIGKILL; starting it again`)),
      ).toBe(true);
  });

  nightlyTest(
    "mongod, nats and s3 at once: come back with their data and addresses, and no process ends",
    async () => {
      const services = pids();
      await killAndWait(["mongod", "nats", "s3"]);
      expect(pids()).toEqual(services);
    },
  );
});
