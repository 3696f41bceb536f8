/** All operator commands, in the order the help lists them. */
import type { Command } from "./command.ts";
import { auditCommands } from "./commands/audit.ts";
import { countryCommands } from "./commands/country.ts";
import { keyCommands } from "./commands/keys.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { mongodbCommands } from "./commands/mongodb.ts";
import { customerCommand, partnerCommands } from "./commands/partner.ts";
import { secretsCommands } from "./commands/secrets.ts";
import { userCommands } from "./commands/user.ts";

export const COMMANDS: readonly Command[] = [
  ...partnerCommands,
  ...userCommands,
  ...keyCommands,
  ...countryCommands,
  customerCommand,
  ...auditCommands,
  migrateCommand,
  ...mongodbCommands,
  ...secretsCommands,
];
