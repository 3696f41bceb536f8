/** Commands that act as a demo partner of the running `npm start`. */
import { parseArgs } from "node:util";
import { runMain, wholeNumber } from "../lib/command-line.ts";
import type { DemoData } from "../lib/demo-data.ts";
import { findPlatform } from "../lib/find-platform.ts";
import { defaultStateDir } from "../lib/paths.ts";

type Given = { demo: DemoData; number: number; state: string };

export const runAsPartner = (usage: string, defaultPartner: number, run: (given: Given) => Promise<void>) =>
  runMain(async () => {
    const { values } = parseArgs({
      options: {
        help: { type: "boolean", short: "h" },
        partner: { type: "string", default: String(defaultPartner) },
        state: { type: "string", default: defaultStateDir() },
      },
    });
    if (values.help) return void process.stdout.write(usage);
    const number = wholeNumber("--partner", values.partner, 1, 99);
    await run({ demo: await findPlatform(values.state), number, state: values.state });
  });
