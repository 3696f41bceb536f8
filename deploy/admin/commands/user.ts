/** Operator commands for dashboard users and analysts. */
import { randomBytes } from "node:crypto";
import { type Command, type CommandInput, flag, optional, type Row, required, textOf } from "../command.ts";

const columns = ["id", "email", "role", "partnerId", "password"];
const states = ["id", "email", "role", "partnerId", "disabledAt"];
const email = required("email", "the person signs in with it");
const role = required("role", "Owner, Developer or Viewer");
const stdin = {
  "password-stdin": flag("read the password from standard input instead of generating one"),
};

/** Never from an argument: command lines are visible to everybody on the machine. A generated one is shown once. */
async function withPassword(
  { options, readStdin }: CommandInput,
  run: (password: string) => Promise<Row>,
): Promise<Row> {
  if (options["password-stdin"] === true) return run((await readStdin()).replace(/\r?\n$/, ""));
  const password = randomBytes(16).toString("base64url");
  return { ...(await run(password)), password };
}

export const userCommands: readonly Command[] = [
  {
    name: "user create",
    summary: "Create a person of a partner",
    options: {
      partner: required("partner id", "the partner"),
      email,
      role,
      ...stdin,
    },
    columns,
    example: "user create --partner <partner id> --email ada@acme.example --role Owner",
    run: (input) =>
      withPassword(input, (password) =>
        input.call("auth-token.createUser", {
          partnerId: textOf(input, "partner"),
          email: textOf(input, "email"),
          role: textOf(input, "role"),
          password,
        }),
      ),
  },
  {
    name: "user list",
    anonymous: true,
    summary: "List people, newest first",
    options: { partner: optional("partner id", "only people of this partner") },
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
      withPassword(input, (password) =>
        input.call("auth-token.resetPassword", { email: textOf(input, "email"), password }),
      ),
  },
  forEmail(
    "disable",
    "End the access of a person or an analyst immediately: sessions, new sign-ins and the person's open invitations",
    (address, { call }) => call("auth-token.setUserDisabled", { email: address, disabled: true }),
  ),
  forEmail("enable", "Let a disabled person sign in again", (address, { call }) =>
    call("auth-token.setUserDisabled", { email: address, disabled: false }),
  ),
  {
    name: "user set-role",
    summary: "Give a person of a partner another role, from the next request on",
    options: { email, role },
    columns: states,
    example: "user set-role --email ada@acme.example --role Viewer",
    run: (input) =>
      input.call("auth-token.changeUserRole", { email: textOf(input, "email"), role: textOf(input, "role") }),
  },
  forEmail(
    "end-sessions",
    "End all sessions of a person or an analyst, who can sign in again",
    (address, { call }) => call("auth-token.endUserSessions", { email: address }),
  ),
  forEmail(
    "reset-second-factor",
    "Remove the second factor of a person who lost it, and end all sessions",
    (address, { call }) => call("auth-token.resetSecondFactor", { email: address }),
  ),
  {
    name: "analyst create",
    summary: "Create a person of the operator who reviews cases",
    options: { email, ...stdin },
    columns,
    example: "analyst create --email grace@operator.example",
    run: (input) =>
      withPassword(input, (password) =>
        input.call("auth-token.createAnalyst", { email: textOf(input, "email"), password }),
      ),
  },
  {
    name: "analyst lead",
    summary: "Let an analyst release the claims of colleagues, or no longer",
    options: { email, off: flag("no longer") },
    columns: ["id", "email", "role", "isLead"],
    example: "analyst lead --email grace@operator.example",
    run: (input) =>
      input.call("auth-token.setAnalystLead", {
        email: textOf(input, "email"),
        lead: input.options.off !== true,
      }),
  },
];

function forEmail(
  verb: string,
  summary: string,
  run: (email: string, input: CommandInput) => Promise<Row>,
): Command {
  return {
    name: `user ${verb}`,
    summary,
    options: { email },
    columns: states,
    example: `user ${verb} --email ada@acme.example`,
    run: (input) => run(textOf(input, "email"), input),
  };
}
