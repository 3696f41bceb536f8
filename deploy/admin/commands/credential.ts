/** Operator commands for API credentials. */
import { readFileSync } from "node:fs";
import { type Command, textOf } from "../command.ts";
import { UsageError } from "../usage-error.ts";

export const credentialCommands: readonly Command[] = [
  {
    name: "certificate register",
    summary: "Register a partner's certificate; makes the API client when there is none in force",
    options: {
      partner: { type: "string", required: true, value: "partner id", help: "the partner" },
      file: { type: "string", required: true, value: "file", help: "PEM file with one X.509 certificate" },
    },
    columns: ["id", "clientId", "status", "createdAt"],
    example: "certificate register --partner <partner id> --file certificate.pem",
    run: (input) =>
      input.call("auth-token.registerCertificate", {
        partnerId: textOf(input, "partner"),
        certificate: readText(textOf(input, "file")),
      }),
  },
];

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`The file ${file} cannot be read.`);
  }
}
