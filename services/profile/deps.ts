/** Dependencies of this service's actions. */

import type { Clock } from "../../shared/clock.ts";
import type { ConfirmRequest } from "../../shared/contract/actions/document.ts";
import type { DocumentSummary, ViewLink } from "../../shared/contract/answers/document.ts";
import type { CallMeta } from "../../shared/identity/caller.ts";
import type { KeyedMutex } from "../../shared/keyed-mutex.ts";
import type { KeysInHand } from "../../shared/keys-in-hand.ts";
import type { Outbox } from "../../shared/outbox/outbox.ts";
import type { FieldCipher } from "../../shared/sealing/field-cipher.ts";
import type { FieldKeySweep } from "../../shared/sealing/field-key-sweep.ts";
import type { AuditTrail } from "../../shared/stores/audit-trail.repository.ts";
import type { Logger } from "../../shared/telemetry/logger.ts";
import type { CountryConfigs } from "./country/country-configs.ts";
import type { CaseRepository } from "./record/case.repository.ts";
import type { ErasureRepository } from "./record/erasure.repository.ts";
import type { ProfileRepository } from "./record/profile.repository.ts";

export type Deps = {
  profiles: ProfileRepository;
  cases: CaseRepository;
  erasures: ErasureRepository;
  countries: CountryConfigs;
  cipher: FieldCipher;
  sweepFieldKeys: FieldKeySweep;
  clock: Clock;
  logger: Logger;
  outbox: Pick<Outbox, "publish" | "confirm">;
  audit: AuditTrail;
  keysInHand: KeysInHand;
  /** By customer id. */
  mutex: KeyedMutex;
  /** Removes the files of a customer; twice does no harm. */
  eraseDocuments(customerId: string): Promise<unknown>;
  /** Names that could be read; others are absent. */
  partnerNames(partnerIds: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** To look at a confirmed file of the customer. */
  signViewLink(request: { customerId: string; documentId: string }): Promise<ViewLink>;
  confirmDocuments(request: ConfirmRequest, meta: CallMeta): Promise<DocumentSummary[]>;
};
