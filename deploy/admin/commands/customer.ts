/** Operator commands for customers. */
import { type Command, type OptionSpec, textOf } from "../command.ts";

const required = (value: string, help: string): OptionSpec => ({
  type: "string",
  required: true,
  value,
  help,
});

export const customerCommands: readonly Command[] = [
  {
    name: "customer erase",
    summary: "Erase a customer at its partner's request: its data and files go, ids and dates stay",
    options: {
      customer: required("customer id", "the customer"),
      partner: required("partner id", "the partner that asked for it; another partner's customer is refused"),
      reason: required("reference", "the number of the partner's request; it is kept, so no free text"),
    },
    columns: ["customerId", "partnerId", "erasedAt", "finished"],
    example: "customer erase --customer <id> --partner <id> --operator eve --reason ticket-4711",
    run: (input) =>
      input.call("profile.eraseCustomer", {
        customerId: textOf(input, "customer"),
        partnerId: textOf(input, "partner"),
        operator: textOf(input, "operator"),
        reason: textOf(input, "reason"),
      }),
  },
];
