/** What the actions of this service are made of. */
import type { Clock } from "../../shared/clock.ts";
import type { FieldCipher } from "../../shared/field-cipher.ts";
import type { Outbox } from "../../shared/outbox/outbox.ts";
import type { Logger } from "../../shared/telemetry/logger.ts";
import type { TurnTaker } from "./change/turns.ts";
import type { CountryConfigs } from "./country/country-configs.ts";
import type { ProfileRepository } from "./record/profile.repository.ts";
import type { DocumentSummary } from "./record/profile.types.ts";

export type ConfirmDocuments = (
  customer: { customerId: string; partnerId: string },
  documentIds: readonly string[],
  meta: object,
) => Promise<DocumentSummary[]>;

export type Parts = {
  profiles: ProfileRepository;
  countries: CountryConfigs;
  cipher: FieldCipher;
  clock: Clock;
  logger: Logger;
  outbox: Pick<Outbox, "publish" | "confirm">;
  turns: TurnTaker;
  confirmDocuments: ConfirmDocuments;
};
