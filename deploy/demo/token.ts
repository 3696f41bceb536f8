/** npm run token: prints an access token of a demo partner, for curl and other clients. */
import { readFileSync } from "node:fs";
import { createClient } from "../client/typescript/src/index.ts";
import { runMain } from "../lib/command-line.ts";
import { demoPartner } from "../lib/demo-accounts.ts";
import { findPlatform } from "../lib/find-platform.ts";
import { parseDemoOptions } from "./options.ts";

const USAGE = `Prints an access token of a demo partner of the running \`npm start\`. It is valid for five minutes.

  TOKEN=$(npm run --silent token)

  --partner <1|2>  the demo partner, 1 when not given
  --state <dir>    where \`npm start\` keeps its data, .local when not given
  --help           show this text
`;

await runMain(async () => {
  const { help, partner, state } = parseDemoOptions(process.argv.slice(2), 1);
  if (help) return void process.stdout.write(USAGE);
  const demo = await findPlatform(state);
  const { clientId, privateKeyFile } = demoPartner(demo, partner);
  const privateKey = readFileSync(privateKeyFile, "utf8");
  const client = createClient({ baseUrl: demo.baseUrl, clientId, privateKey });
  process.stdout.write(`${await client.token()}\n`);
});
