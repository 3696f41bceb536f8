/** npm run receiver: a webhook receiver that registers itself, verifies, deduplicates and prints. */
import { runMain } from "../lib/command-line.ts";
import { demoPartner } from "../lib/demo-data.ts";
import { keepDevCertificates } from "../lib/dev-ca.ts";
import { findPlatform } from "../lib/find-platform.ts";
import { defaultStateDir, statePaths } from "../lib/paths.ts";
import { describeEvent, type Received } from "./describe-event.ts";
import { type Options, parseOptions, USAGE } from "./options.ts";
import { type ReceiverServer, type ReceiverSettings, startReceiverServer } from "./receiver-server.ts";
import { registerReceiver } from "./register-receiver.ts";

const say = (text: string): void => void process.stdout.write(`${text}\n`);

await runMain(async () => {
  const options = readOptions();
  if (options.help) return say(USAGE);
  const server = await start(options);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void server.close().then(() => process.exit(0)));
});

async function start(options: Options): Promise<ReceiverServer> {
  const { state, secrets, port, path, answer, rotate } = options;
  const demo = secrets.length > 0 ? null : await findPlatform(state);
  const tls = await keepDevCertificates(statePaths(state).tlsDir);
  const onReceived = (received: Received) => void process.stdout.write(describeEvent(received));
  const settings: ReceiverSettings = { tls, port, path, answer, onReceived };
  const server = await startReceiverServer(settings).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    // Only a receiver that registers its own URL may take any port.
    if (!demo)
      throw new Error(`Port ${port} is in use. Choose another with --port, or any free one with --port 0.`);
    say(`Port ${port} is in use; a free one is taken.`);
    return startReceiverServer({ ...settings, port: 0 });
  });
  if (!demo) {
    server.trust(secrets);
    say(`Listening on ${server.url}; Ctrl-C stops it.`);
    return server;
  }
  const partner = demoPartner(demo, options.partner);
  const { secret, how } = await registerReceiver({ demo, partner, url: server.url, state, rotate });
  server.trust([secret]);
  say(`Registered for ${partner.name}: ${how}.`);
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
