/** The answers as JSON Schema, for the API document; a test compares them with what the service really sends. */
import {
  ACCOUNT_PURPOSES,
  BUSINESS_TYPES,
  IDENTITY_TYPES,
  INDUSTRIES,
  MONTHLY_TURNOVERS,
  OWNERSHIP_TYPES,
  REASON_CODES,
  REVIEW_STAGES,
  TARGET_KINDS,
  TRANSACTION_VALUES,
  VERIFICATION_STATUSES,
} from "./vocabularies.rules.ts";

export type JsonSchema = Record<string, unknown>;

const text = { type: "string" };
const id = { type: "string", format: "uuid" };
const time = { type: "string", format: "date-time" };
const day = { type: "string", format: "date" };
const country = { type: "string", pattern: "^[A-Z]{3}$" };
const number = { type: "integer" };
const flag = { type: "boolean" };
const oneOf = (values: readonly string[]): JsonSchema => ({ type: "string", enum: [...values] });
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });
const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });
/** Every property is always there. */
const record = (properties: Record<string, JsonSchema>, description?: string): JsonSchema => ({
  type: "object",
  required: Object.keys(properties),
  properties,
  ...(description ? { description } : {}),
});

const status = oneOf(VERIFICATION_STATUSES);
const stage = oneOf(REVIEW_STAGES);
const ubo = record({ uboId: id, firstName: text, lastName: text, email: text });

const address = record({
  streetLine1: text,
  streetLine2: orNull(text),
  city: text,
  state: text,
  postalCode: text,
  countryCode: country,
});
const financials = record({
  monthlyTurnOver: oneOf(MONTHLY_TURNOVERS),
  estimatedTransactionValue: oneOf(TRANSACTION_VALUES),
  sourceOfFunds: oneOf(INDUSTRIES),
  purposeOfAccount: oneOf(ACCOUNT_PURPOSES),
});
const masked = { type: "string", description: "Masked: only the last four characters are shown." };
const identity = record({
  identityTypeCode: oneOf(IDENTITY_TYPES),
  issuingCountry: country,
  identityValue: masked,
  documentUploadId: orNull(id),
  documentStatus: orNull({ type: "string", description: "Missing until the named document exists." }),
  issueDate: orNull(day),
  expiryDate: orNull(day),
});
const person = record({
  uboId: id,
  firstName: text,
  middleName: orNull(text),
  lastName: text,
  birthDate: orNull(day),
  nationality: country,
  taxResidenceCountry: orNull(country),
  placeOfBirthCountry: orNull(country),
  email: text,
  phone: orNull(text),
  jobTitle: orNull(text),
  ownershipType: list(oneOf(OWNERSHIP_TYPES)),
  percentageShare: orNull(number),
  isPoliticallyExposed: orNull(flag),
  isAuthorizedSignatory: orNull(flag),
  taxIdentificationNumber: orNull(masked),
  address,
  identities: list(identity),
});
const document = record({
  documentId: id,
  documentCategory: text,
  contentType: text,
  sizeBytes: orNull(number),
  uboId: orNull(id),
  status: text,
  reason: orNull(text),
  uploadedAt: orNull(time),
  confirmedAt: orNull(time),
});

const itemProperties = {
  customerId: id,
  partnerCustomerId: text,
  verificationStatus: status,
  reviewStage: stage,
  email: text,
  phoneNumber: orNull(text),
  companyName: text,
  tradingName: orNull(text),
  businessTypeCode: oneOf(BUSINESS_TYPES.map(({ code }) => code)),
  incorporationCountryIso3Code: country,
  industry: oneOf(INDUSTRIES),
  description: orNull(text),
  website: text,
  registrationNumber: text,
  registrationDate: orNull(day),
  addresses: list(address),
  openChangeRequestCount: number,
  version: {
    type: "integer",
    description: "Also the ETag; send it as If-Match to update only this version.",
  },
  createdAt: time,
  updatedAt: time,
};

export const profileValue = record({
  ...itemProperties,
  financials: orNull(financials),
  businessPersonList: list(person),
  documents: list(document),
});

export const profileListValue = record({
  items: list(record(itemProperties, "Without people, documents and financials.")),
  page: orNull(number),
  pageSize: number,
  total: orNull({ type: "integer", description: "null when a cursor is used." }),
  nextCursor: orNull({ type: "string", description: "null on the last page." }),
});

export const createValue = record({
  customerId: id,
  partnerCustomerId: text,
  verificationStatus: status,
  ubos: list(ubo),
  createdAt: time,
});

export const replaceValue = record({
  customerId: id,
  partnerCustomerId: text,
  verificationStatus: status,
  version: number,
});

export const patchValue = record({
  customerId: id,
  partnerCustomerId: text,
  verificationStatus: status,
  ubos: list(ubo),
  confirmedDocumentIds: list(id),
  changedFields: list(text),
  version: number,
});

const changeRequest = record({
  changeRequestId: id,
  target: record({
    kind: oneOf(TARGET_KINDS),
    uboId: orNull(id),
    documentCategory: orNull(text),
    field: orNull(text),
  }),
  reasonCode: oneOf(REASON_CODES),
  message: text,
  status: oneOf(["Open", "Answered", "Withdrawn"]),
  requestedAt: time,
  respondedAt: orNull(time),
});

export const verificationValue = record({
  customerId: id,
  partnerCustomerId: text,
  verificationStatus: status,
  reviewStage: stage,
  submittedAt: time,
  statusChangedAt: time,
  decidedAt: orNull(time),
  decision: orNull(
    record({
      outcome: oneOf(["Approved", "Rejected"]),
      reasons: list(record({ code: oneOf(REASON_CODES), message: text })),
    }),
  ),
  changeRequests: list(changeRequest),
  missingDocuments: list(
    record(
      { uboId: id, identityTypeCode: oneOf(IDENTITY_TYPES), documentUploadId: orNull(id), status: text },
      "An identity whose file is named or expected and not there.",
    ),
  ),
  history: list(record({ status, at: time })),
  version: number,
});

const caseProperties = {
  customerId: id,
  partnerId: id,
  partnerCustomerId: text,
  companyName: text,
  verificationStatus: status,
  reviewStage: stage,
  claimedBy: orNull({ type: "string", description: "Email of the analyst." }),
  claimedUntil: orNull(time),
  submittedAt: time,
};
export const caseValue = record(caseProperties);
export const caseListValue = record({
  items: list(caseValue),
  page: number,
  pageSize: number,
  total: number,
});

const state = record({ verificationStatus: status, reviewStage: stage });
export const caseDetailValue = record({
  ...caseProperties,
  profile: profileValue,
  verification: verificationValue,
  remarks: list(record({ code: text, uboId: orNull(id), field: orNull(text), message: text })),
  audit: list(
    record(
      {
        version: number,
        at: time,
        actor: record({ kind: oneOf(["partner", "analyst", "system"]), id: text }),
        action: text,
        from: orNull(state),
        to: state,
        requestId: text,
        detail: { type: "object" },
      },
      "The newest 200 entries, oldest first.",
    ),
  ),
});

export const requirementsValue = record({
  countryCode: country,
  countryName: text,
  configVersion: number,
  minimumIdentities: number,
  items: list(
    record({
      identityType: text,
      identityTypeCode: oneOf(IDENTITY_TYPES),
      fieldName: text,
      inputType: oneOf(["Document", "Input", "Select"]),
      isRequired: flag,
      label: text,
      placeholder: text,
      requiresIssueDate: flag,
      requiresExpiryDate: flag,
      requiresIdNumber: flag,
      requiresDocument: flag,
      issuingCountryRule: oneOf(["ResidenceOnly", "Any"]),
      validationRules: record({
        regex: { type: "string", description: "Exactly what create enforces." },
        minLength: number,
        maxLength: number,
        errorMessage: text,
      }),
      displayOrder: number,
    }),
  ),
});

export const businessTypesValue = record({ items: list(record({ code: text, name: text })) });

export const configValue = record({
  countryCode: country,
  version: number,
  active: flag,
  validFrom: time,
  validTo: orNull(time),
  documents: list(
    record({
      identityTypeCode: oneOf(IDENTITY_TYPES),
      label: text,
      pattern: text,
      minLength: number,
      maxLength: number,
      requiresIssueDate: flag,
      requiresExpiryDate: flag,
      requiresDocument: flag,
      issuingCountryRule: oneOf(["ResidenceOnly", "Any"]),
      check: orNull(text),
      checkRefuses: flag,
    }),
  ),
  changedBy: text,
  changedAt: time,
  reason: text,
});
export const configListValue = record({ items: list(configValue) });
