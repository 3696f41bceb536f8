/** npm run receiver beside a running platform: it registers itself, verifies, deduplicates and prints. */
import { readFileSync } from "node:fs";
import { request as httpsRequest } from "node:https";
import { dirname } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { dashboardClient, demoLogin, WEBHOOKS } from "../../support/clients/dashboard-client.ts";
import { type Program, startProgram } from "../../support/servers/program.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

let platform: TestPlatform;
const kits: Program[] = [];

beforeAll(async () => {
  platform = await journeyPlatform();
});
afterEach(() => Promise.all(kits.splice(0).map((kit) => kit.kill("SIGTERM"))));

const stateDir = () => dirname(dirname(platform.demo.tls.ca));

async function startKit(...args: string[]): Promise<{ output(): string; url: string }> {
  const kit = startProgram(["deploy/receiver/main.ts", "--port", "0", "--state", stateDir(), ...args]);
  kits.push(kit);
  const url = await waitFor(() => /Listening on (\S+);/.exec(kit.output())?.[1], "the receiver");
  return { output: kit.output, url };
}

const owner = () => dashboardClient(platform.baseUrl, demoLogin(platform.demo, "Owner"));

/** As anybody on the network could. */
function post(url: string, body: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      url,
      { method: "POST", headers, ca: readFileSync(platform.demo.tls.ca) },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    request.on("error", reject).end(body);
  });
}

describe("npm run receiver", () => {
  test("registers itself, verifies a test event, and knows a replay as one it has seen", async () => {
    const kit = await startKit();
    expect(kit.output()).toContain("Registered for Acme Trading Ltd: the URL is registered.");
    const client = await owner();
    expect((await client.get<{ url: string }>(WEBHOOKS)).body.value).toMatchObject({
      url: kit.url,
      status: "Active",
    });

    await client.post(`${WEBHOOKS}/test`);
    await waitFor(() => /webhook\.test verified → 200/.test(kit.output()), "the event on the screen");
    const delivered = await waitFor(
      async () =>
        (await client.get<{ items: { id: string }[] }>(`${WEBHOOKS}/deliveries?status=Delivered`)).body.value
          ?.items[0],
      { what: "the delivery in the history" },
    );
    await client.post(`${WEBHOOKS}/deliveries/${delivered.id}/replay`);
    await waitFor(() => /webhook\.test verified, seen 1× before, replay → 200/.test(kit.output()), {
      what: "the replay on the screen",
    });
  });

  test.each([
    ["with the secret of before", ["--path", "/again"], "the URL is replaced."],
    [
      "with --rotate --show-secret with a new one, which it prints",
      ["--rotate", "--show-secret"],
      /the URL is replaced and the secret rotated\.\nIts secret: whsec_/,
    ],
  ])("started again it replaces the URL and verifies %s", async (_, args, said) => {
    const kit = await startKit(...args);
    expect(kit.output()).toMatch(said);
    await (await owner()).post(`${WEBHOOKS}/test`);
    await waitFor(() => /webhook\.test verified → 200/.test(kit.output()), "the event on the screen");
  });

  test("answers 401 to what is not signed, and shows nothing of it", async () => {
    const kit = await startKit("--secret", `whsec_${Buffer.alloc(32, 1).toString("base64")}`);
    expect(await post(kit.url, '{"data":"canary"}', { "Svc-Event-Type": "webhook.test" })).toBe(401);
    await waitFor(() => kit.output().includes("not verified webhook.test → 401"), "the line");
    expect(kit.output()).not.toContain("canary");
    expect(await post(kit.url.replace("/webhooks", "/else"), "{}")).toBe(404);
    expect(await post(kit.url, "x".repeat(2_000_000)).catch(() => 413)).toBe(413);
  });

  test("with --answer 500 shows the retries", async () => {
    const kit = await startKit("--answer", "500", "--partner", "2");
    const globex = await dashboardClient(platform.baseUrl, demoLogin(platform.demo, "Owner", 1));
    await globex.post(`${WEBHOOKS}/test`);
    await waitFor(() => /seen 1× before, attempt 2 → 500/.test(kit.output()), "the second attempt");
  });
});
