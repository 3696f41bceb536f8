/** Options of the commands that act as a demo partner. */
import { parseArgs } from "node:util";
import { wholeNumber } from "../lib/command-line.ts";
import { defaultStateDir } from "../lib/paths.ts";

type DemoOptions = { help: boolean; partner: number; state: string };

export function parseDemoOptions(args: readonly string[], defaultPartner: number): DemoOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", short: "h", default: false },
      partner: { type: "string", default: String(defaultPartner) },
      state: { type: "string", default: defaultStateDir() },
    },
  });
  return { ...values, partner: wholeNumber("--partner", values.partner, 1, 99) };
}
