/** Operator commands for dashboard users and analysts. */
import { randomBytes } from "node:crypto";
import { type Command, type CommandInput, type Row, textOf } from "../command.ts";

const columns = ["id", "email", "role", "partnerId", "password"];
const states = ["id", "email", "role", "partnerId", "disabledAt"];
const leads = ["id", "email", "role", "isLead"];
const email = {
  type: "string",
  required: true,
  value: "email",
  help: "the person signs in with it",
} as const;
const stdin = {
  "password-stdin": { type: "boolean", help: "read the password from standard input instead of making one" },
} as const;

/** Never an argument: command lines are visible to everybody on the machine. */
async function password({
  options,
  readStdin,
}: CommandInput): Promise<{ password: string; isMade: boolean }> {
  if (options["password-stdin"] !== true)
    return { password: randomBytes(16).toString("base64url"), isMade: true };
  return { password: (await readStdin()).replace(/\r?\n$/, ""), isMade: false };
}

/** Shows a generated password, once. */
async function withPassword(input: CommandInput, run: (password: string) => Promise<Row>): Promise<Row> {
  const chosen = await password(input);
  const row = await run(chosen.password);
  return chosen.isMade ? { ...row, password: chosen.password } : row;
}

export const userCommands: readonly Command[] = [
  {
    name: "user create",
    summary: "Create a person of a partner",
    options: {
      partner: { type: "string", required: true, value: "partner id", help: "the partner" },
      email,
      role: { type: "string", required: true, value: "role", help: "Owner, Developer or Viewer" },
      ...stdin,
    },
    columns,
    example: "user create --partner <partner id> --email ada@acme.example --role Owner",
    run: (input) =>
      withPassword(input, (secret) =>
        input.call("auth-token.createUser", {
          partnerId: textOf(input, "partner"),
          email: textOf(input, "email"),
          role: textOf(input, "role"),
          password: secret,
        }),
      ),
  },
  {
    name: "user list",
    reads: true,
    summary: "List people, newest first",
    options: { partner: { type: "string", value: "partner id", help: "only those of this partner" } },
    columns: [...states, "createdAt"],
    example: "user list --partner <partner id>",
    run: async (input) => {
      const partnerId = textOf(input, "partner");
      const isNamed = input.options.partner !== undefined;
      return (await input.call("auth-token.listUsers", isNamed ? { partnerId } : { everybody: true })).items;
    },
  },
  {
    name: "user reset-password",
    summary: "Set a new password and end all sessions of the person",
    options: { email, ...stdin },
    columns,
    example: "user reset-password --email ada@acme.example",
    run: (input) =>
      withPassword(input, (secret) =>
        input.call("auth-token.resetPassword", { email: textOf(input, "email"), password: secret }),
      ),
  },
  ...(["disable", "enable"] as const).map(
    (verb): Command => ({
      name: `user ${verb}`,
      summary:
        verb === "disable"
          ? "End the access of a person or an analyst: sessions end at once, no new one opens, and invitations by the person are withdrawn"
          : "Let a disabled person sign in again",
      options: { email },
      columns: states,
      example: `user ${verb} --email ada@acme.example`,
      run: (input) =>
        input.call("auth-token.setUserDisabled", {
          email: textOf(input, "email"),
          disabled: verb === "disable",
        }),
    }),
  ),
  {
    name: "user set-role",
    summary: "Give a person of a partner another role, from the next request on",
    options: {
      email,
      role: { type: "string", required: true, value: "role", help: "Owner, Developer or Viewer" },
    },
    columns: states,
    example: "user set-role --email ada@acme.example --role Viewer",
    run: (input) =>
      input.call("auth-token.changeUserRole", { email: textOf(input, "email"), role: textOf(input, "role") }),
  },
  {
    name: "user end-sessions",
    summary: "End all sessions of a person or an analyst, who can sign in again",
    options: { email },
    columns: states,
    example: "user end-sessions --email ada@acme.example",
    run: (input) => input.call("auth-token.endUserSessions", { email: textOf(input, "email") }),
  },
  {
    name: "user reset-second-factor",
    summary: "Remove the second factor of a person who lost it, and end all sessions",
    options: { email },
    columns: states,
    example: "user reset-second-factor --email ada@acme.example",
    run: (input) => input.call("auth-token.resetSecondFactor", { email: textOf(input, "email") }),
  },
  {
    name: "analyst create",
    summary: "Create a person of the operator who reviews cases",
    options: { email, ...stdin },
    columns,
    example: "analyst create --email grace@operator.example",
    run: (input) =>
      withPassword(input, (secret) =>
        input.call("auth-token.createAnalyst", { email: textOf(input, "email"), password: secret }),
      ),
  },
  {
    name: "analyst lead",
    summary: "Let an analyst release the claims of colleagues, or no longer",
    options: { email, off: { type: "boolean", help: "no longer" } },
    columns: leads,
    example: "analyst lead --email grace@operator.example",
    run: (input) =>
      input.call("auth-token.setAnalystLead", {
        email: textOf(input, "email"),
        lead: input.options.off !== true,
      }),
  },
];
