/** npm run token: prints an access token of a demo partner, for curl and other clients. */
import { readFileSync } from "node:fs";
import { createClient } from "../client/typescript/src/index.ts";
import { demoPartner } from "../lib/demo-data.ts";
import { runAsPartner } from "./options.ts";

const USAGE = `Prints an access token of a demo partner of the running \`npm start\`. It is valid for five minutes.

  TOKEN=$(npm run --silent token)

  --partner <1|2>  the demo partner, 1 when not given
  --state <dir>    where \`npm start\` keeps its data, .local when not given
  --help           show this text
`;

await runAsPartner(USAGE, 1, async ({ demo, number }) => {
  const { clientId, privateKeyFile } = demoPartner(demo, number);
  const privateKey = readFileSync(privateKeyFile, "utf8");
  const client = createClient({ baseUrl: demo.baseUrl, clientId, privateKey });
  process.stdout.write(`${await client.token()}\n`);
});
