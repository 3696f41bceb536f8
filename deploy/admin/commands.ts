/** All operator commands, in the order the help lists them. */
import type { Command } from "./command.ts";
import { auditCommands } from "./commands/audit.ts";
import { countryCommands } from "./commands/country.ts";
import { credentialCommands } from "./commands/credential.ts";
import { customerCommands } from "./commands/customer.ts";
import { fieldKeyCommands } from "./commands/field-key.ts";
import { keyCommands } from "./commands/key.ts";
import { migrateCommands } from "./commands/migrate.ts";
import { mongodbCommands } from "./commands/mongodb.ts";
import { partnerCommands } from "./commands/partner.ts";
import { secretsCommands } from "./commands/secrets.ts";
import { userCommands } from "./commands/user.ts";

export const COMMANDS: readonly Command[] = [
  ...partnerCommands,
  ...credentialCommands,
  ...userCommands,
  ...keyCommands,
  ...fieldKeyCommands,
  ...countryCommands,
  ...customerCommands,
  ...auditCommands,
  ...migrateCommands,
  ...mongodbCommands,
  ...secretsCommands,
];
