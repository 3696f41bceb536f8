/** A delivery service as a process of its own, which a test can kill. */
import { spawn } from "node:child_process";
import { childEnv } from "../../../deploy/lib/child-env.ts";
import { projectDir } from "../../../deploy/lib/paths.ts";

export type DeliveryProcess = { kill(signal: NodeJS.Signals): Promise<void>; said(): string };

const RUNNER = ["node_modules/moleculer/bin/moleculer-runner.js", "--config", "moleculer.config.ts"];

/** Many that start at once share the machine. */
const PATIENT = { PBO_START_DEADLINE_MS: "300000" };

export function startDeliveryProcess(settings: Record<string, string>): DeliveryProcess {
  const child = spawn(process.execPath, [...RUNNER, "--mask", "**/*.service.ts", "services/delivery"], {
    cwd: projectDir,
    env: childEnv({ ...PATIENT, ...settings }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += chunk;
    });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    kill(signal) {
      child.kill(signal);
      return ended;
    },
    said: () => said,
  };
}
