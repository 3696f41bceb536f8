/** The parts that the actions, the consumer and the sweep of this service share. */
import type { ServiceRuntime } from "../../shared/moleculer/service.ts";
import type { PartnerStandings } from "../../shared/stores/partner-standings.repository.ts";
import type { DocumentRepository } from "./document.repository.ts";
import type { DocumentRecord } from "./document.rules.ts";
import type { Scanner } from "./file/scanner.ts";
import type { Looks } from "./schedule.rules.ts";
import type { Storage } from "./storage/storage.ts";

export type Deps = Pick<ServiceRuntime, "clock" | "logger" | "metrics"> & {
  repository: DocumentRepository;
  scanner: Scanner;
  standings: PartnerStandings;
  storage: Storage;
  /** Sends the state of a document to the profile service. */
  recordInProfile(record: DocumentRecord): Promise<void>;
  looks: Looks;
  bucket: string;
  /** For one request; leaves the caller time for the steps after the answer. */
  deadlineMs: number;
};
