/** Operator commands for the keys that sign access tokens. */
import type { Command } from "../command.ts";

export const keyCommands: readonly Command[] = [
  {
    name: "key rotate",
    summary: "Make the next key that signs access tokens; the one before stays valid for its tokens",
    options: {
      immediately: {
        type: "boolean",
        help: "sign with it at once and refuse all tokens of earlier keys (for a key that leaked)",
      },
    },
    columns: ["kid", "signsFrom"],
    example: "key rotate",
    run: ({ call, options }) =>
      call("auth-token.rotateSigningKey", { immediately: options.immediately === true }),
  },
];
