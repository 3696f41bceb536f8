/** npm run receiver: a webhook receiver that registers itself, verifies, deduplicates and prints. */
import { readFileSync } from "node:fs";
import { runMain } from "../lib/command-line.ts";
import { keepDevCertificates } from "../lib/dev-ca.ts";
import { findPlatform } from "../lib/find-platform.ts";
import { defaultStateDir, statePaths } from "../lib/paths.ts";
import { colours, describeEvent, plain } from "./describe-event.ts";
import { keptSecrets } from "./kept-secrets.ts";
import { type Options, parseOptions, USAGE } from "./options.ts";
import { type ReceiverServer, type ReceiverSettings, startReceiverServer } from "./receiver-server.ts";
import { registerReceiver } from "./register-receiver.ts";

const paint = process.stdout.hasColors?.() ? colours : plain;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

await runMain(async () => {
  const options = readOptions();
  if (options.help) return say(USAGE);
  const server = await start(options);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void server.close().then(() => process.exit(0)));
});

async function start(options: Options): Promise<ReceiverServer> {
  const { state, secrets, partner, port, path, answer, rotate } = options;
  const demo = secrets.length > 0 ? null : await findPlatform(state);
  const { cert, key } = await keepDevCertificates(statePaths(state).tlsDir);
  const settings: ReceiverSettings = {
    cert: readFileSync(cert, "utf8"),
    key: readFileSync(key, "utf8"),
    port,
    path,
    answer,
    tell: (received) => process.stdout.write(describeEvent(received, paint)),
  };
  if (!demo) {
    const server = await startReceiverServer(settings).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE") throw error;
      throw new Error(`Port ${port} is in use. Choose another with --port, or any free one with --port 0.`);
    });
    server.trust(secrets);
    say(`Listening on ${server.url}; Ctrl-C stops it.`);
    return server;
  }
  // It registers its own URL, so any port will do.
  const server = await startReceiverServer(settings).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    say(`Port ${port} is in use; a free one is taken.`);
    return startReceiverServer({ ...settings, port: 0 });
  });
  const kept = keptSecrets(state);
  const { partnerName, secret, how } = await registerReceiver({
    demo,
    partner,
    url: server.url,
    kept,
    rotate,
  });
  server.trust([secret]);
  say(`Registered for ${partnerName}: ${how}.`);
  if (options.showSecret) say(`Its secret: ${secret}`);
  say(`Listening on ${server.url}; Ctrl-C stops it. Changes made from now on arrive here.`);
  return server;
}

function readOptions(): Options {
  try {
    return parseOptions(process.argv.slice(2), defaultStateDir());
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${USAGE}`);
  }
}
