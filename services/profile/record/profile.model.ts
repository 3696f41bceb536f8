/** The collection of business profiles: one document is one customer with everything that changes together with it. */
import { type Connection, type IndexDefinition, type IndexOptions, type Model, Schema } from "mongoose";
import type { Tombstone } from "./erased-customer.rules.ts";
import type { StoredProfile } from "./profile.types.ts";

const text = { type: String, required: true } as const;
const optionalText = { type: String, default: null } as const;
const number = { type: Number, required: true } as const;
/** Checked and shaped by the rules before it is written; indexes and queries never look inside. */
const part = { type: Schema.Types.Mixed, default: null } as const;
const parts = { type: [Schema.Types.Mixed], required: true } as never;

const schema = new Schema<StoredProfile & Partial<Tombstone>>(
  {
    _id: text,
    partnerId: text,
    partnerCustomerId: text,
    sealedKey: String,
    email: text,
    phoneNumber: optionalText,
    companyName: text,
    companyNameKey: text,
    tradingName: optionalText,
    businessTypeCode: text,
    incorporationCountryIso3Code: text,
    industry: text,
    description: optionalText,
    website: text,
    registrationNumber: text,
    registrationDate: optionalText,
    addresses: parts,
    financials: part,
    people: parts,
    formerPeople: { type: [Schema.Types.Mixed], default: undefined } as never,
    documents: parts,
    verificationStatus: text,
    reviewStage: text,
    claim: part,
    submittedAt: text,
    statusChangedAt: text,
    decidedAt: optionalText,
    decision: part,
    changeRequests: parts,
    openChangeRequestCount: number,
    history: parts,
    version: number,
    sequence: number,
    createdAt: text,
    updatedAt: text,
    isTest: Boolean,
    simulatedDocumentIds: { type: [String], default: undefined } as never,
    keptAnswers: { type: [Schema.Types.Mixed], default: undefined } as never,
    notes: { type: [Schema.Types.Mixed], default: undefined } as never,
    audit: parts,
    outbox: parts,
    /** Only of a customer that was erased, with nothing of the above but its two trails. */
    erased: Schema.Types.Mixed,
  },
  { collection: "business_profiles", versionKey: false, strict: "throw", autoIndex: false },
);

/**
 * Ids are UUID version 7 whose time is createdAt, so a descending _id is "newest first" and no index needs the
 * time as well. Every filter of a list has an index that begins with the partner and ends with that order.
 */
const PROFILE_INDEXES: readonly { key: Record<string, 1 | -1>; options: IndexOptions }[] = [
  { key: { partnerId: 1, partnerCustomerId: 1 }, options: { name: "reference", unique: true } },
  { key: { partnerId: 1, _id: -1 }, options: { name: "newest" } },
  {
    key: { partnerId: 1, verificationStatus: 1, reviewStage: 1, _id: -1 },
    options: { name: "by_status" },
  },
  { key: { partnerId: 1, registrationNumber: 1, _id: -1 }, options: { name: "by_registration" } },
  { key: { partnerId: 1, incorporationCountryIso3Code: 1, _id: -1 }, options: { name: "by_country" } },
  { key: { partnerId: 1, businessTypeCode: 1, _id: -1 }, options: { name: "by_type" } },
  { key: { partnerId: 1, industry: 1, _id: -1 }, options: { name: "by_industry" } },
  { key: { partnerId: 1, companyNameKey: 1, _id: -1 }, options: { name: "by_name" } },
  { key: { partnerId: 1, updatedAt: 1, _id: -1 }, options: { name: "by_update" } },
  { key: { submittedAt: 1, _id: 1 }, options: { name: "cases" } },
  {
    key: { verificationStatus: 1, reviewStage: 1, submittedAt: 1, _id: 1 },
    options: { name: "cases_by_status" },
  },
  {
    key: { "claim.analystId": 1, submittedAt: 1, _id: 1 },
    options: {
      name: "cases_of_analyst",
      partialFilterExpression: { "claim.analystId": { $exists: true } },
    },
  },
  {
    key: { "claim.analystEmail": 1, submittedAt: 1, _id: 1 },
    options: {
      name: "cases_of_email",
      partialFilterExpression: { "claim.analystEmail": { $exists: true } },
    },
  },
  {
    key: { incorporationCountryIso3Code: 1, reviewStage: 1, submittedAt: 1, _id: 1 },
    options: { name: "cases_by_country" },
  },
  // Partial, so that they cost a create nothing; the first is for creates with a key.
  {
    key: { partnerId: 1, "keptAnswers.key": 1 },
    options: {
      name: "answered_key",
      unique: true,
      partialFilterExpression: { "keptAnswers.key": { $exists: true } },
    },
  },
  {
    key: { "erased.keys.name": 1 },
    options: { name: "spent_keys", partialFilterExpression: { "erased.keys.name": { $exists: true } } },
  },
  {
    key: { submittedAt: 1, _id: 1, isTest: 1 },
    options: { name: "test_cases", partialFilterExpression: { isTest: true } },
  },
  {
    key: { companyNameKey: 1, submittedAt: 1 },
    options: { name: "self_deciding", partialFilterExpression: { isTest: true } },
  },
  {
    key: { verificationStatus: 1, updatedAt: 1, _id: 1 },
    options: { name: "closed", partialFilterExpression: { reviewStage: "Closed" } },
  },
  {
    key: { "people.removedAt": 1 },
    options: { name: "removed_people", partialFilterExpression: { "people.removedAt": { $gt: "" } } },
  },
  {
    key: { "erased.isUnfinished": 1, _id: 1 },
    options: { name: "erasures_unfinished", partialFilterExpression: { "erased.isUnfinished": true } },
  },
];
for (const { key, options } of PROFILE_INDEXES) schema.index(key as IndexDefinition, options);

export const profileModel = (connection: Connection): Model<StoredProfile> =>
  connection.model<StoredProfile>("BusinessProfile", schema);
