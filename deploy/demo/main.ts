/** npm run demo: a partner's first minutes against a running `npm start`. */
import { runMain } from "../lib/command-line.ts";
import { findPlatform } from "../lib/find-platform.ts";
import { keptSecrets } from "../receiver/kept-secrets.ts";
import { journey } from "./journey.ts";
import { parseDemoOptions } from "./options.ts";

const USAGE = `Acts as a demo partner of the running \`npm start\`: webhook, token, customer, document, status, events.

  npm run demo [-- options]

  --partner <1|2>  the demo partner, 2 when not given: a running \`npm run receiver\` keeps the webhook of partner 1
  --state <dir>    where \`npm start\` keeps its data, .local when not given
  --help           show this text
`;

await runMain(async () => {
  const { help, partner, state } = parseDemoOptions(process.argv.slice(2), 2);
  if (help) return void process.stdout.write(USAGE);
  await journey(await findPlatform(state), partner, keptSecrets(state));
});
