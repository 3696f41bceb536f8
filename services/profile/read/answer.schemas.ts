/** What partners read of their customers, for the API document. */
import {
  IDENTITY_TYPES,
  OWNERSHIP_TYPES,
  REVIEW_STAGES,
  TARGET_KINDS,
  VERIFICATION_STATUSES,
} from "../../../shared/contract/actions/customer.ts";
import {
  country,
  day,
  described,
  flag,
  id,
  list,
  named,
  number,
  oneOf,
  orNull,
  pageOf,
  record,
  text,
  time,
  withOptional,
} from "../../../shared/contract/answer-schema.ts";
import {
  ACCOUNT_PURPOSES,
  BUSINESS_TYPES,
  INDUSTRIES,
  MONTHLY_TURNOVERS,
  REASON_CODES,
  TRANSACTION_VALUES,
} from "../../../shared/contract/vocabularies.ts";

export const status = named("VerificationStatus", oneOf(VERIFICATION_STATUSES));
export const stage = named("ReviewStage", oneOf(REVIEW_STAGES));
export const reasonCode = named("ReasonCode", oneOf(REASON_CODES));
export const ownershipType = named("OwnershipType", oneOf(OWNERSHIP_TYPES));
const identityType = named("IdentityType", oneOf(IDENTITY_TYPES));
const industry = named("Industry", oneOf(INDUSTRIES));
const ubo = named("Ubo", record({ uboId: id, firstName: text, lastName: text, email: text }));

const address = named(
  "Address",
  record({
    streetLine1: text,
    streetLine2: orNull(text),
    city: text,
    state: text,
    postalCode: text,
    countryCode: country,
  }),
);
const financials = named(
  "Financials",
  record({
    monthlyTurnOver: named("MonthlyTurnover", oneOf(MONTHLY_TURNOVERS)),
    estimatedTransactionValue: named("TransactionValue", oneOf(TRANSACTION_VALUES)),
    sourceOfFunds: industry,
    purposeOfAccount: named("AccountPurpose", oneOf(ACCOUNT_PURPOSES)),
  }),
);
const masked = described(text, "Masked: only the last four characters are shown.");
const identity = named(
  "Identity",
  record({
    identityTypeCode: identityType,
    issuingCountry: country,
    identityValue: masked,
    documentUploadId: orNull(id),
    documentStatus: orNull(described(text, "Missing until the named document exists.")),
    issueDate: orNull(day),
    expiryDate: orNull(day),
  }),
);
const person = named(
  "BusinessPerson",
  record({
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
    ownershipType: list(ownershipType),
    percentageShare: orNull(number),
    isPoliticallyExposed: orNull(flag),
    isAuthorizedSignatory: orNull(flag),
    taxIdentificationNumber: orNull(masked),
    address,
    identities: list(identity),
  }),
);
const document = named(
  "Document",
  record({
    documentId: id,
    documentCategory: text,
    contentType: text,
    sizeBytes: orNull(number),
    uboId: orNull(id),
    status: text,
    reason: orNull(text),
    uploadedAt: orNull(time),
    confirmedAt: orNull(time),
  }),
);

const itemProperties = {
  customerId: id,
  partnerCustomerId: text,
  verificationStatus: status,
  reviewStage: stage,
  email: text,
  phoneNumber: orNull(text),
  companyName: text,
  tradingName: orNull(text),
  businessTypeCode: named("BusinessType", oneOf(BUSINESS_TYPES.map(({ code }) => code))),
  incorporationCountryIso3Code: country,
  industry,
  description: orNull(text),
  website: text,
  registrationNumber: text,
  registrationDate: orNull(day),
  test: described(flag, "Of a test partner."),
  addresses: list(address),
  openChangeRequestCount: number,
  version: described(number, "Also the ETag; send it as If-Match to update only this version."),
  createdAt: time,
  updatedAt: time,
};

export const profileValue = named(
  "BusinessProfile",
  record({
    ...itemProperties,
    financials: orNull(financials),
    businessPersonList: list(person),
    documents: list(document),
  }),
);

export const profileListValue = pageOf(
  described(
    named("BusinessProfileSummary", record(itemProperties)),
    "Without people, documents and financials.",
  ),
);

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

export const patchPersonValue = record({
  customerId: id,
  partnerCustomerId: text,
  verificationStatus: status,
  version: number,
  uboId: id,
  changedFields: list(text),
});

export const target = record({
  kind: oneOf(TARGET_KINDS),
  uboId: orNull(id),
  documentCategory: orNull(text),
  field: orNull(text),
});
/** Names one identity of a person. Events leave it out: it is a fact about a person. */
const preciseTarget = withOptional(target, {
  identityTypeCode: identityType,
  issuingCountry: country,
});
const changeRequest = named(
  "ChangeRequest",
  record({
    changeRequestId: id,
    target: preciseTarget,
    reasonCode: reasonCode,
    message: text,
    status: oneOf(["Open", "Answered", "Withdrawn"]),
    requestedAt: time,
    respondedAt: orNull(time),
  }),
);

export const verificationValue = named(
  "VerificationOutcome",
  record({
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
        reasons: list(record({ code: reasonCode, message: text })),
      }),
    ),
    changeRequests: list(changeRequest),
    missingDocuments: list(
      described(
        record({
          uboId: id,
          identityTypeCode: identityType,
          documentUploadId: orNull(id),
          status: text,
        }),
        "An identity whose file is named or expected and not there.",
      ),
    ),
    history: list(record({ status, at: time })),
    version: number,
  }),
);
