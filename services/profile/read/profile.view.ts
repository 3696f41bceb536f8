/** The public form: names of the create body, masked, absent values null. */
import type { Customer, CustomerItem, PersonView } from "../../../shared/contract/answers/customer.ts";
import type { DocumentSummary } from "../../../shared/contract/answers/document.ts";
import type { Verification } from "../../../shared/contract/answers/verification.ts";
import { missingDocuments, statusOfDocument } from "../record/documents.rules.ts";
import { livePeople } from "../record/people.rules.ts";
import type { Identity, Person, Profile } from "../record/profile.types.ts";
import { masked } from "../record/text.rules.ts";

export const profileView = (profile: Profile): Customer => ({
  ...listItemView(profile),
  financials: profile.financials,
  businessPersonList: livePeople(profile.people).map((person) => personView(person, profile.documents)),
  documents: profile.documents,
});

export const listItemView = (profile: Profile): CustomerItem => ({
  customerId: profile._id,
  partnerCustomerId: profile.partnerCustomerId,
  verificationStatus: profile.verificationStatus,
  reviewStage: profile.reviewStage,
  email: profile.email,
  phoneNumber: profile.phoneNumber,
  companyName: profile.companyName,
  tradingName: profile.tradingName,
  businessTypeCode: profile.businessTypeCode,
  incorporationCountryIso3Code: profile.incorporationCountryIso3Code,
  industry: profile.industry,
  description: profile.description,
  website: profile.website,
  registrationNumber: profile.registrationNumber,
  registrationDate: profile.registrationDate,
  test: profile.isTest === true,
  addresses: profile.addresses,
  openChangeRequestCount: profile.openChangeRequestCount,
  version: profile.version,
  createdAt: profile.createdAt,
  updatedAt: profile.updatedAt,
});

const personView = (person: Person, documents: readonly DocumentSummary[]): PersonView => ({
  uboId: person.uboId,
  firstName: person.firstName,
  middleName: person.middleName,
  lastName: person.lastName,
  birthDate: person.birthDate,
  nationality: person.nationality,
  taxResidenceCountry: person.taxResidenceCountry,
  placeOfBirthCountry: person.placeOfBirthCountry,
  email: person.email,
  phone: person.phone,
  jobTitle: person.jobTitle,
  ownershipType: person.ownershipType,
  percentageShare: person.percentageShare,
  isPoliticallyExposed: person.isPoliticallyExposed,
  isAuthorizedSignatory: person.isAuthorizedSignatory,
  taxIdentificationNumber: person.taxNumberLastFour === null ? null : masked(person.taxNumberLastFour),
  address: person.address,
  identities: person.identities.map((identity) => identityView(identity, documents)),
});

const identityView = (
  identity: Identity,
  documents: readonly DocumentSummary[],
): PersonView["identities"][number] => ({
  identityTypeCode: identity.identityTypeCode,
  issuingCountry: identity.issuingCountry,
  identityValue: masked(identity.lastFour),
  documentUploadId: identity.documentUploadId,
  documentStatus: identity.documentUploadId && statusOfDocument(identity.documentUploadId, documents),
  issueDate: identity.issueDate,
  expiryDate: identity.expiryDate,
});

/** The answer of verification-status. */
export const verificationView = (profile: Profile): Verification => ({
  customerId: profile._id,
  partnerCustomerId: profile.partnerCustomerId,
  verificationStatus: profile.verificationStatus,
  reviewStage: profile.reviewStage,
  submittedAt: profile.submittedAt,
  statusChangedAt: profile.statusChangedAt,
  decidedAt: profile.decidedAt,
  decision: profile.decision,
  changeRequests: profile.changeRequests,
  missingDocuments: missingDocuments(profile),
  history: profile.history,
  version: profile.version,
});
