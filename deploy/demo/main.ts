/** npm run demo: a partner's first minutes against a running `npm start`. */
import { journey } from "./journey.ts";
import { runAsPartner } from "./options.ts";

const USAGE = `Acts as a demo partner of the running \`npm start\`: webhook, token, customer, document, status, events.

  npm run demo [-- options]

  --partner <1|2>  the demo partner, 2 when not given, because \`npm run receiver\` uses partner 1
  --state <dir>    where \`npm start\` keeps its data, .local when not given
  --help           show this text
`;

await runAsPartner(USAGE, 2, journey);
