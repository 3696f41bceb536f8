import { expect, test } from "@jest/globals";
import { loadConfig } from "../../../shared/config/config.ts";
import { brokerOptions } from "../../../shared/moleculer/broker.ts";
import { createLogger } from "../../../shared/telemetry/logger.ts";

function linesOfStart(change: Record<string, string>): Record<string, unknown>[] {
  const config = loadConfig("admin", {
    PBO_NATS_URL: "tls://nats:4222",
    PBO_NATS_USER: "admin",
    PBO_NATS_PASSWORD: "sesame",
    ...change,
  });
  const lines: string[] = [];
  const logger = createLogger(config, { write: (line: string) => void lines.push(line) });
  brokerOptions(config, { logger }).started?.({} as never);
  return lines.map((line) => JSON.parse(line));
}

test("accepted risks: a warning at the start of a process in production names each", () => {
  const risks = { PBO_ACCEPTED_RISKS: "no-second-factor, high-limits" };
  expect(linesOfStart(risks)).toContainEqual(
    expect.objectContaining({
      level: "warn",
      msg: "process.accepted_risks",
      risks: ["no-second-factor", "high-limits"],
    }),
  );
  for (const quiet of [{}, { ...risks, PBO_ENV: "local" }])
    expect(linesOfStart(quiet).map(({ msg }) => msg)).toEqual(["process.started"]);
});
