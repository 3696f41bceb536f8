/** Broker options for moleculer-runner; its last argument names the process. */
import { basename } from "node:path";
import { ConfigError, loadConfig, type ProcessName, processEnv } from "./shared/config/config.ts";
import { brokerOptions } from "./shared/moleculer/broker.ts";

function configOrExit() {
  try {
    return loadConfig(basename(process.argv.at(-1) ?? "") as ProcessName, processEnv());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

export default brokerOptions(configOrExit(), { ownsProcess: true, defaultMetrics: true });
