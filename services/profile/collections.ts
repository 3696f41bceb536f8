/** The collections of this service: type, indexes, and shard key or the reason against one. */
import type { CountryConfig } from "../../shared/contract/answers/country.ts";
import { DEAD_LETTERS } from "../../shared/jetstream/dead-letters.ts";
import { collection, type DeclaredIndex } from "../../shared/mongo/collections.rules.ts";
import { OUTBOX_INDEX } from "../../shared/outbox/outbox-store.ts";
import { PARTITIONS } from "../../shared/partitions/partition-table.repository.ts";
import { AUDIT_ENTRIES } from "../../shared/stores/audit-trail.repository.ts";
import type { StoredProfile } from "./record/profile.types.ts";

/** Partial indexes cost a create nothing. */
const onlyWith = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } });

/**
 * Ids are UUID version 7 whose time is createdAt, so a descending _id is "newest first" and no index needs the
 * time as well. Every filter of a list has an index that begins with the partner and ends with that order.
 */
const PROFILE_INDEXES: readonly DeclaredIndex[] = [
  { name: "reference", key: { partnerId: 1, partnerCustomerId: 1 }, unique: true },
  { name: "newest", key: { partnerId: 1, _id: -1 } },
  { name: "by_status", key: { partnerId: 1, verificationStatus: 1, reviewStage: 1, _id: -1 } },
  { name: "by_registration", key: { partnerId: 1, registrationNumber: 1, _id: -1 } },
  { name: "by_country", key: { partnerId: 1, incorporationCountryIso3Code: 1, _id: -1 } },
  { name: "by_type", key: { partnerId: 1, businessTypeCode: 1, _id: -1 } },
  { name: "by_industry", key: { partnerId: 1, industry: 1, _id: -1 } },
  { name: "by_name", key: { partnerId: 1, companyNameKey: 1, _id: -1 } },
  { name: "by_update", key: { partnerId: 1, updatedAt: 1, _id: -1 } },
  { name: "cases", key: { submittedAt: 1, _id: 1 } },
  { name: "cases_by_status", key: { verificationStatus: 1, reviewStage: 1, submittedAt: 1, _id: 1 } },
  {
    name: "cases_of_analyst",
    key: { "claim.analystId": 1, submittedAt: 1, _id: 1 },
    ...onlyWith("claim.analystId"),
  },
  {
    name: "cases_of_email",
    key: { "claim.analystEmail": 1, submittedAt: 1, _id: 1 },
    ...onlyWith("claim.analystEmail"),
  },
  {
    name: "cases_by_country",
    key: { incorporationCountryIso3Code: 1, reviewStage: 1, submittedAt: 1, _id: 1 },
  },
  // For creates with an Idempotency-Key.
  {
    name: "answered_key",
    key: { partnerId: 1, "keptAnswers.key": 1 },
    unique: true,
    ...onlyWith("keptAnswers.key"),
  },
  { name: "spent_keys", key: { "erased.keys.name": 1 }, ...onlyWith("erased.keys.name") },
  {
    name: "test_cases",
    key: { submittedAt: 1, _id: 1, isTest: 1 },
    partialFilterExpression: { isTest: true },
  },
  {
    name: "self_deciding",
    key: { companyNameKey: 1, submittedAt: 1 },
    partialFilterExpression: { isTest: true },
  },
  {
    name: "closed",
    key: { verificationStatus: 1, updatedAt: 1, _id: 1 },
    partialFilterExpression: { reviewStage: "Closed" },
  },
  {
    name: "removed_people",
    key: { "people.removedAt": 1 },
    partialFilterExpression: { "people.removedAt": { $gt: "" } },
  },
  {
    name: "erasures_unfinished",
    key: { "erased.isUnfinished": 1, _id: 1 },
    partialFilterExpression: { "erased.isUnfinished": true },
  },
  OUTBOX_INDEX,
];

/** _id is <country>:<version>: two operators cannot both write the next version. */
type StoredCountryConfig = CountryConfig & { _id: string };

export const COLLECTIONS = {
  // All customers of a partner are on one shard: both unique rules, the reference and the Idempotency-Key, are per
  // partner and share no other field, and a unique index must begin with the shard key.
  profiles: collection<StoredProfile>("business_profiles", {
    shards: { partnerId: 1 },
    indexes: PROFILE_INDEXES,
  }),
  countryConfigs: collection<StoredCountryConfig>("country_configs", {
    shards: "a few versions per country",
    indexes: [{ key: { countryCode: 1, version: -1 }, unique: true }],
  }),
  partitions: PARTITIONS,
  deadLetters: DEAD_LETTERS,
  auditEntries: AUDIT_ENTRIES,
};
