/** npm start. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, processEnv } from "../../shared/config/config.ts";
import { buildDashboard, watchDashboard } from "../build/dashboard.ts";
import { buildDocuments } from "../build/documents.ts";
import { defaultStateDir, projectDir } from "../lib/paths.ts";
import { parentOf } from "../lib/process-identity.ts";
import { followLogs } from "./follow-logs.ts";
import { type Options, parseOptions, USAGE } from "./options.ts";
import { createPlatform } from "./platform.ts";
import { ProcessFailedError } from "./processes/managed-process.ts";
import { consoleReport } from "./report.ts";
import { AlreadyRunningError } from "./run-lock.ts";
import { PROCESS_NAMES } from "./services/service-env.ts";
import { welcome } from "./welcome.ts";

/** npm and the terminal both pass on the same Ctrl-C. */
const SAME_KEYSTROKE_MS = 400;
const PARENT_CHECK_MS = 1_000;
const DEMO_CUSTOMERS = 200;

const report = consoleReport();
const options = readOptions();
if (options.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
if (existsSync(join(projectDir, ".env"))) process.loadEnvFile(join(projectDir, ".env"));

const platform = createPlatform({
  stateDir: options.state,
  env: processEnv(),
  report,
  watch: options.watch,
  realLimits: options.realLimits,
  demoCustomers: options.demoData ? DEMO_CUSTOMERS : 0,
});
const logs = followLogs({
  files: PROCESS_NAMES.map(platform.paths.logFile),
  verbose: options.verbose,
  color: process.stdout.isTTY,
  write: (text) => report.say(text.trimEnd()),
});

let stoppingSince: number | null = null;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(signal));
process.on("uncaughtException", (error) => void fallOver(error));
stopWithNpm();

try {
  const [running] = await Promise.all([
    platform.start(),
    options.watch ? watchDashboard() : buildDashboard(),
    buildDocuments(),
  ]);
  report.say(welcome(running, platform.paths));
} catch (error) {
  if (stoppingSince === null) await fallOver(error as Error);
}

async function stop(reason: string): Promise<void> {
  const now = performance.now();
  if (stoppingSince !== null) {
    if (now - stoppingSince < SAME_KEYSTROKE_MS) return;
    report.warn("Stopping immediately.");
    platform.kill();
    process.exit(130);
  }
  stoppingSince = now;
  report.say(`\nStopping (${reason}). Press Ctrl-C again to force it.`);
  await platform.stop();
  logs.stop();
  report.say("Stopped.");
  process.exit(0);
}

async function fallOver(error: Error): Promise<void> {
  stoppingSince = performance.now();
  await platform.stop().catch(() => platform.kill());
  logs.stop();
  fail(isExplained(error) ? error.message : (error.stack ?? error.message));
}

// A declaration, because a start can fail before the lines below its `await` run.
function isExplained(error: Error): boolean {
  const explained = [ConfigError, AlreadyRunningError, ProcessFailedError];
  return error.constructor === Error || explained.some((type) => error instanceof type);
}

function readOptions(): Options {
  try {
    return parseOptions(process.argv.slice(2), defaultStateDir());
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function fail(message: string): never {
  report.warn(message);
  process.exit(1);
}

/** A killed npm passes no signal on, and its platform must not stay behind. */
function stopWithNpm(): void {
  if (!processEnv().npm_lifecycle_event) return;
  const before = ancestors();
  setInterval(() => {
    if (ancestors() !== before && stoppingSince === null) void stop("npm has ended");
  }, PARENT_CHECK_MS).unref();
}

/** npm runs scripts through a shell, so it is the parent or the parent's parent. */
function ancestors(): string {
  return `${process.ppid} ${parentOf(process.ppid) ?? ""}`;
}
