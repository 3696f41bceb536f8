/** The identity documents of each country when the service first starts; afterwards operators change them. */
import type { CheckName } from "../../../shared/contract/vocabularies.ts";
import rows from "./country-config.seed.json" with { type: "json" };

/** P passport, N national id, D driving licence, I identity card, R residence card, V voter card, B BVN, O others. */
export type ShortType = "P" | "N" | "D" | "I" | "R" | "V" | "B" | "O";
export type DatePolicy = "expiry" | "issue" | "none";

export type SeedRow = {
  accepted: string;
  /** A type without a rule has no public format: only its length is checked. */
  rules?: Partial<Record<ShortType, string>>;
  /** Where it differs from the standard: expiry for P, D and R, nothing for the others. */
  dates?: Partial<Record<ShortType, DatePolicy>>;
  checks?: Partial<Record<ShortType, CheckName>>;
  /** The issuer publishes the algorithm, so a wrong check digit refuses; elsewhere it is a remark for the analyst. */
  checkRefuses?: boolean;
  labels?: Partial<Record<ShortType, string>>;
};

export const COUNTRY_SEED = rows as Readonly<Record<string, SeedRow>>;
