/** A service or the gateway as a process of its own, started as in production, which a test can kill. */
import type { ProcessName } from "../../../shared/config/config.ts";
import { startProgram } from "../servers/program.ts";

const RUNNER = ["node_modules/moleculer/bin/moleculer-runner.js", "--config", "moleculer.config.ts"];

/** Several processes that start together share the machine. */
const PATIENT = { PBO_START_DEADLINE_MS: "300000" };

export function startServiceProcess(name: ProcessName, settings: Record<string, string>) {
  const folder = name === "gateway" ? "gateway" : `services/${name}`;
  return startProgram([...RUNNER, "--mask", "**/*.service.ts", folder], { ...PATIENT, ...settings });
}
