/** npm run receiver. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { processEnv } from "../../shared/config/config.ts";
import type { DemoData } from "../lib/demo-data.ts";
import { keepDevCertificates } from "../lib/dev-ca.ts";
import { projectDir, statePaths } from "../lib/paths.ts";
import { colours, describeEvent, plain } from "./describe-event.ts";
import { type Options, parseOptions, USAGE } from "./options.ts";
import { startReceiverServer } from "./receiver-server.ts";
import { registerReceiver } from "./register-receiver.ts";

const paint = process.stdout.hasColors?.() ? colours : plain;
const options = readOptions();
if (options.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

try {
  const server = await start(options);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void server.close().then(() => process.exit(0)));
} catch (error) {
  fail((error as Error).message);
}

async function start({ state, secrets, partner, port, path, answer }: Options) {
  const paths = statePaths(state);
  const demo = secrets.length > 0 ? null : readDemo(paths.demoFile);
  const { cert, key } = await keepDevCertificates(paths.tlsDir);
  const server = await startReceiverServer({
    cert: readFileSync(cert, "utf8"),
    key: readFileSync(key, "utf8"),
    port,
    path,
    answer,
    tell: (received) => process.stdout.write(describeEvent(received, paint)),
  });
  server.trust(secrets);
  if (demo) {
    const { partnerName, secret, rotated } = await registerReceiver(demo, partner, server.url);
    server.trust([secret]);
    const how = rotated ? "the URL is replaced and the secret rotated" : "the URL is registered";
    process.stdout.write(`Registered for ${partnerName}: ${how}.\n`);
  }
  process.stdout.write(`Listening on ${server.url}; Ctrl-C stops it.\n`);
  return server;
}

function readDemo(file: string): DemoData {
  if (!existsSync(file))
    throw new Error("No local platform was found: run npm start first, or give --secret.");
  return JSON.parse(readFileSync(file, "utf8")) as DemoData;
}

function readOptions(): Options {
  try {
    return parseOptions(process.argv.slice(2), processEnv().PBO_TEST_STATE_DIR || join(projectDir, ".local"));
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
