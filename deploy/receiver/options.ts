/** Options of `npm run receiver`. */
import { parseArgs } from "node:util";
import { wholeNumber } from "../lib/command-line.ts";

export type Options = ReturnType<typeof parseOptions>;

export const USAGE = `A webhook receiver for this machine: it verifies, deduplicates and prints every event.

  npm run receiver [-- options]

  --port <number>      port to listen on, 8443 when not given, 0 for any free one; if it is in use and the receiver
                       registers itself, it takes a free one
  --path <path>        path of the webhook, /webhooks when not given
  --secret <whsec_…>   verify with this secret; give it twice during a rotation. Without it the receiver signs in to
                       the platform of \`npm start\` as a demo user, registers its own URL and uses the secret it gets
  --partner <1|2>      the demo partner to register for, 1 when not given
  --rotate             ask for a new secret instead of using the one of the last start; needed after a rotation elsewhere
  --show-secret        print the secret, to check signatures elsewhere
  --answer <status>    answer every verified event with this HTTP status, 200 when not given; 500 shows the retries
  --state <dir>        where \`npm start\` keeps its data, .local when not given
  --help               show this text
`;

export function parseOptions(args: readonly string[], defaultState: string) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", short: "h", default: false },
      port: { type: "string", default: "8443" },
      path: { type: "string", default: "/webhooks" },
      secret: { type: "string", multiple: true, default: [] },
      partner: { type: "string", default: "1" },
      answer: { type: "string", default: "200" },
      rotate: { type: "boolean", default: false },
      "show-secret": { type: "boolean", default: false },
      state: { type: "string", default: defaultState },
    },
  });
  if (!values.path.startsWith("/")) throw new Error("--path must begin with a slash");
  const wrong = values.secret.find((secret) => !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret));
  if (wrong !== undefined) throw new Error("--secret must be of the form whsec_<base64>");
  const { secret: secrets, "show-secret": showSecret, ...others } = values;
  return {
    ...others,
    secrets,
    showSecret,
    port: wholeNumber("--port", values.port, 0, 65_535),
    partner: wholeNumber("--partner", values.partner, 1, 99),
    answer: wholeNumber("--answer", values.answer, 200, 599),
  };
}
