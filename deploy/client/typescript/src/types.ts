/** Made from the API document by deploy/client/write-types.ts; do not edit. */

export type AccountPurpose = "CustomerCollections" | "Payroll" | "SupplierPayments" | "MarketplaceSettlements" | "EscrowHolding" | "SubscriptionBilling" | "CrossBorderTrade" | "FxSettlement" | "CryptoOnRamp" | "CryptoOffRamp" | "Donations" | "InvestmentHolding" | "AffiliatePayouts" | "MerchantPayouts" | "InternalTreasury";

export type Address = {
  streetLine1: string;
  streetLine2: string | null;
  city: string;
  state: string;
  postalCode: string;
  countryCode: string;
};

export type AddressInput = {
  streetLine1: string;
  streetLine2?: string;
  city: string;
  state: string;
  postalCode: string;
  countryCode: string;
};

export type AuthTokenIssueTokensAnswer = {
  access_token: string;
  token_type: "Bearer";
  expires_in: 300;
  scope: string;
};

export type AuthTokenIssueTokensRequest = {
  grant_type: "client_credentials";
  client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
  /** a JWT signed RS256 with the key of a registered certificate */
  client_assertion: string;
  /** partner.read, partner.write or both; all that the client has when left out */
  scope?: string;
  /** if given, the same as sub */
  client_id?: string;
};

export type AuthTokenKeySetAnswer = {
  keys: AuthTokenKeySetAnswerKeysItem[];
};

export type AuthTokenKeySetAnswerKeysItem = {
  kty: "OKP";
  crv: "Ed25519";
  x: string;
  kid: string;
  alg: "EdDSA";
  use: "sig";
};

export type AuthTokenMetadataAnswer = {
  issuer: string;
  token_endpoint: string;
  jwks_uri: string;
  grant_types_supported: string[];
  response_types_supported: string[];
  token_endpoint_auth_methods_supported: string[];
  token_endpoint_auth_signing_alg_values_supported: string[];
  scopes_supported: string[];
  service_documentation: string;
};

export type BusinessDocumentConfirmedEvent = {
  /** The same at every attempt and replay; use it to drop duplicates. */
  eventId: string;
  eventType: "business.document.confirmed";
  eventVersion: 1;
  occurredAt: string;
  partnerId: string;
  correlation: Correlation;
  data: BusinessDocumentConfirmedEventData;
  /** true in the events of a sandbox; absent in all others. */
  test?: boolean;
};

export type BusinessDocumentConfirmedEventData = {
  customerId: string;
  partnerCustomerId: string;
  documentId: string;
  documentCategory: string;
  contentType: string;
  /** The person it is about; null when it is about the business. */
  uboId: string | null;
  sizeBytes: number;
  confirmedAt: string;
};

export type BusinessDocumentRejectedEvent = {
  /** The same at every attempt and replay; use it to drop duplicates. */
  eventId: string;
  eventType: "business.document.rejected";
  eventVersion: 1;
  occurredAt: string;
  partnerId: string;
  correlation: Correlation;
  data: BusinessDocumentRejectedEventData;
  /** true in the events of a sandbox; absent in all others. */
  test?: boolean;
};

export type BusinessDocumentRejectedEventData = {
  customerId: string;
  partnerCustomerId: string;
  documentId: string;
  documentCategory: string;
  contentType: string;
  /** The person it is about; null when it is about the business. */
  uboId: string | null;
  sizeBytes: number | null;
  /** WrongType, TooLarge, Empty, Mismatch or Malware; there may be more. */
  reason: string;
  uploadedAt: string | null;
};

export type BusinessPerson = {
  uboId: string;
  firstName: string;
  middleName: string | null;
  lastName: string;
  birthDate: string | null;
  nationality: string;
  taxResidenceCountry: string | null;
  placeOfBirthCountry: string | null;
  email: string;
  phone: string | null;
  jobTitle: string | null;
  ownershipType: OwnershipType[];
  percentageShare: number | null;
  isPoliticallyExposed: boolean | null;
  isAuthorizedSignatory: boolean | null;
  taxIdentificationNumber: string | null;
  address: Address;
  identities: Identity[];
};

export type BusinessPersonAddedEvent = {
  /** The same at every attempt and replay; use it to drop duplicates. */
  eventId: string;
  eventType: "business.person.added";
  eventVersion: 1;
  occurredAt: string;
  partnerId: string;
  correlation: Correlation;
  data: BusinessPersonAddedEventData;
  /** true in the events of a sandbox; absent in all others. */
  test?: boolean;
};

export type BusinessPersonAddedEventData = {
  customerId: string;
  partnerCustomerId: string;
  uboId: string;
  ownershipType: OwnershipType[];
  percentageShare: number | null;
};

export type BusinessPersonInput = {
  firstName: string;
  middleName?: string;
  lastName: string;
  birthDate?: string;
  nationality: string;
  taxResidenceCountry?: string;
  placeOfBirthCountry?: string;
  email: string;
  phone?: string;
  jobTitle?: string;
  ownershipType: OwnershipType[];
  percentageShare?: number;
  isPoliticallyExposed?: boolean;
  isAuthorizedSignatory?: boolean;
  taxIdentificationNumber?: string;
  address: AddressInput;
  identities: IdentityInput[];
};

export type BusinessPersonUpdate = {
  uboId?: string;
  firstName: string;
  middleName?: string;
  lastName: string;
  birthDate?: string;
  nationality: string;
  taxResidenceCountry?: string;
  placeOfBirthCountry?: string;
  email: string;
  phone?: string;
  jobTitle?: string;
  ownershipType: OwnershipType[];
  percentageShare?: number;
  isPoliticallyExposed?: boolean;
  isAuthorizedSignatory?: boolean;
  taxIdentificationNumber?: string;
  address: AddressInput;
  /** Of a person who is known: left out, they stay. */
  identities?: IdentityInput[];
};

export type BusinessPersonUpdatedEvent = {
  /** The same at every attempt and replay; use it to drop duplicates. */
  eventId: string;
  eventType: "business.person.updated";
  eventVersion: 1;
  occurredAt: string;
  partnerId: string;
  correlation: Correlation;
  data: BusinessPersonUpdatedEventData;
  /** true in the events of a sandbox; absent in all others. */
  test?: boolean;
};

export type BusinessPersonUpdatedEventData = {
  customerId: string;
  partnerCustomerId: string;
  uboId: string;
  ownershipType: OwnershipType[];
  percentageShare: number | null;
  /** Names only, never a value. */
  changedFields: string[];
};

export type BusinessProfile = {
  customerId: string;
  partnerCustomerId: string;
  verificationStatus: VerificationStatus;
  reviewStage: ReviewStage;
  email: string;
  phoneNumber: string | null;
  companyName: string;
  tradingName: string | null;
  businessTypeCode: BusinessType;
  incorporationCountryIso3Code: string;
  industry: Industry;
  description: string | null;
  website: string;
  registrationNumber: string;
  registrationDate: string | null;
  /** Of a test partner. */
  test: boolean;
  addresses: Address[];
  openChangeRequestCount: number;
  /** Also the ETag; send it as If-Match to update only this version. */
  version: number;
  createdAt: string;
  updatedAt: string;
  financials: Financials | null;
  businessPersonList: BusinessPerson[];
  documents: Document[];
};

export type BusinessProfileCreatedEvent = {
  /** The same at every attempt and replay; use it to drop duplicates. */
  eventId: string;
  eventType: "business.profile.created";
  eventVersion: 1;
  occurredAt: string;
  partnerId: string;
  correlation: Correlation;
  data: BusinessProfileCreatedEventData;
  /** true in the events of a sandbox; absent in all others. */
  test?: boolean;
};

export type BusinessProfileCreatedEventData = {
  customerId: string;
  partnerCustomerId: string;
  verificationStatus: VerificationStatus;
  /** The uboIds. */
  ubos: string[];
};

export type BusinessProfileErasedEvent = {
  /** The same at every attempt and replay; use it to drop duplicates. */
  eventId: string;
  eventType: "business.profile.erased";
  eventVersion: 1;
  occurredAt: string;
  partnerId: string;
  correlation: Correlation;
  data: BusinessProfileErasedEventData;
  /** true in the events of a sandbox; absent in all others. */
  test?: boolean;
};

export type BusinessProfileErasedEventData = {
  customerId: string;
  partnerCustomerId: string;
  erasedAt: string;
};

export type BusinessProfileSummary = {
  customerId: string;
  partnerCustomerId: string;
  verificationStatus: VerificationStatus;
  reviewStage: ReviewStage;
  email: string;
  phoneNumber: string | null;
  companyName: string;
  tradingName: string | null;
  businessTypeCode: BusinessType;
  incorporationCountryIso3Code: string;
  industry: Industry;
  description: string | null;
  website: string;
  registrationNumber: string;
  registrationDate: string | null;
  /** Of a test partner. */
  test: boolean;
  addresses: Address[];
  openChangeRequestCount: number;
  /** Also the ETag; send it as If-Match to update only this version. */
  version: number;
  createdAt: string;
  updatedAt: string;
};

export type BusinessProfileUpdatedEvent = {
  /** The same at every attempt and replay; use it to drop duplicates. */
  eventId: string;
  eventType: "business.profile.updated";
  eventVersion: 1;
  occurredAt: string;
  partnerId: string;
  correlation: Correlation;
  data: BusinessProfileUpdatedEventData;
  /** true in the events of a sandbox; absent in all others. */
  test?: boolean;
};

export type BusinessProfileUpdatedEventData = {
  customerId: string;
  partnerCustomerId: string;
  verificationStatus: VerificationStatus;
  changedFields: string[];
  removedUboIds: string[];
};

export type BusinessType = "SoleProprietor" | "Partnership" | "LimitedPartnership" | "LLP" | "LLC" | "PrivateLimitedCompany" | "PublicLimitedCompany" | "Corporation" | "NonProfit" | "Charity" | "Association" | "Cooperative" | "Trust" | "Foundation" | "GovernmentEntity" | "StateOwnedEnterprise" | "FinancialInstitution" | "Branch" | "FreeZoneCompany" | "Other";

export type BusinessVerificationUpdatedEvent = {
  /** The same at every attempt and replay; use it to drop duplicates. */
  eventId: string;
  eventType: "business.verification.updated";
  eventVersion: 1;
  occurredAt: string;
  partnerId: string;
  correlation: Correlation;
  data: BusinessVerificationUpdatedEventData;
  /** true in the events of a sandbox; absent in all others. */
  test?: boolean;
};

export type BusinessVerificationUpdatedEventData = {
  customerId: string;
  partnerCustomerId: string;
  verificationStatus: VerificationStatus;
  previousVerificationStatus: VerificationStatus;
  openChangeRequestCount: number;
  /** Why it was rejected. */
  reasonCodes: ReasonCode[];
  /** The open ones; verification-status has their words. */
  changeRequests: BusinessVerificationUpdatedEventDataChangeRequestsItem[];
};

export type BusinessVerificationUpdatedEventDataChangeRequestsItem = {
  changeRequestId: string;
  target: BusinessVerificationUpdatedEventDataChangeRequestsItemTarget;
  reasonCode: ReasonCode;
};

export type BusinessVerificationUpdatedEventDataChangeRequestsItemTarget = {
  kind: "Business" | "Person" | "Identity" | "Document";
  uboId: string | null;
  documentCategory: string | null;
  field: string | null;
};

export type ChangeRequest = {
  changeRequestId: string;
  target: ChangeRequestTarget;
  reasonCode: ReasonCode;
  message: string;
  status: "Open" | "Answered" | "Withdrawn";
  requestedAt: string;
  respondedAt: string | null;
};

export type ChangeRequestTarget = {
  kind: "Business" | "Person" | "Identity" | "Document";
  uboId: string | null;
  documentCategory: string | null;
  field: string | null;
  identityTypeCode?: IdentityType;
  issuingCountry?: string;
};

export type ContentType = "application/pdf" | "image/jpeg" | "image/png";

export type Correlation = {
  correlationId: string;
  /** Of the request that caused it. */
  requestId: string;
  customerId: string | null;
  partnerCustomerId: string | null;
  /** Rises by one per customer; ignore what is older than what you have. */
  sequence: number | null;
};

export type Country = {
  code: string;
  name: string;
  /** Whether people who live there can be onboarded. */
  residentsAccepted: boolean;
};

export type DeliveryListEventsAnswer = {
  isSuccess: true;
  value: DeliveryListEventsAnswerValue;
};

export type DeliveryListEventsAnswerValue = {
  items: WebhookEvent[];
  /** Ask with it for what comes next; never null. */
  nextCursor: string;
  /** Whether there is more already. */
  hasMore: boolean;
};

export type Document = {
  documentId: string;
  documentCategory: string;
  contentType: string;
  sizeBytes: number | null;
  uboId: string | null;
  status: string;
  reason: string | null;
  uploadedAt: string | null;
  confirmedAt: string | null;
};

export type DocumentCategory = "CertificateOfIncorporation" | "MemorandumAndArticles" | "BusinessLicense" | "ProofOfBusinessAddress" | "ShareholderRegister" | "DirectorRegister" | "OwnershipStructure" | "TaxCertificate" | "BankStatement" | "FinancialStatement" | "SourceOfFundsProof" | "BoardResolution" | "RegulatoryLicense" | "AmlPolicy" | "Other" | "IdentityFront" | "IdentityBack" | "ProofOfAddress" | "Selfie" | "SourceOfWealthProof";

export type DocumentCreateUploadLinkAnswer = {
  isSuccess: true;
  value: DocumentCreateUploadLinkAnswerValue;
  /** What was done but probably not meant; absent when there is nothing. With the header Svc-Strict: true each is an error. */
  warnings?: Warning[];
};

export type DocumentCreateUploadLinkAnswerValue = {
  /** What documentUploadId and businessDocumentIdList take. */
  documentId: string;
  uploadUrl: string;
  method: "PUT";
  /** Send all of them, as they are: they are signed into the link. */
  headers: DocumentCreateUploadLinkAnswerValueHeaders;
  expiresAt: string;
  expiresInSeconds: 1800;
  maxSizeBytes: 20971520;
  documentCategory: DocumentCategory;
  contentType: ContentType;
  uboId: string | null;
};

export type DocumentCreateUploadLinkAnswerValueHeaders = {
  "Content-Type": string;
  /** When sizeBytes was given. Most clients send it by themselves. */
  "Content-Length"?: string;
  /** When sha256 was given. */
  "x-amz-checksum-sha256"?: string;
};

export type DocumentCreateUploadLinkRequest = {
  /** IdentityFront, IdentityBack, ProofOfAddress, Selfie, SourceOfWealthProof are about a person and need uboId. */
  documentCategory: DocumentCategory;
  /** The upload must send exactly this Content-Type. */
  contentType: ContentType;
  uboId?: string | null;
  sizeBytes?: number | null;
  sha256?: string | null;
  ownershipDetailId?: string | null;
  /** Ignored. */
  fileName?: unknown;
};

export type ErrorCode = "BusinessType.NotFound" | "Case.AlreadyClaimed" | "Case.InvalidState" | "Country.NotFound" | "Customer.Conflict" | "Customer.Erased" | "Customer.NotFound" | "Customer.PartnerCustomerIdDuplicate" | "Customer.PartnerCustomerIdInvalid" | "Customer.PartnerCustomerIdRequired" | "Customer.UnderReview" | "Customer.VerificationClosed" | "Customer.VersionMismatch" | "Document.AccessDenied" | "Document.NotFound" | "Document.NotUploaded" | "Document.Rejected" | "Idempotency.InProgress" | "Idempotency.KeyReused" | "OnboardingConfig.NotFound" | "Partner.BusinessProfileIdMismatch" | "Partner.Inactive" | "Partner.InsufficientScope" | "Partner.NotAuthenticated" | "Partner.NotAuthorized" | "PhoneNumber.Invalid" | "Request.MediaTypeUnsupported" | "Request.MethodNotAllowed" | "Request.RateLimited" | "Request.TooLarge" | "Route.NotFound" | "Route.Withdrawn" | "Sandbox.Required" | "Service.Error" | "Service.OutcomeUnknown" | "Service.Unavailable" | "Ubo.NotFound" | "Validation" | "ValidationControl.Error";

export type Financials = {
  monthlyTurnOver: MonthlyTurnover;
  estimatedTransactionValue: TransactionValue;
  sourceOfFunds: Industry;
  purposeOfAccount: AccountPurpose;
};

export type FinancialsInput = {
  monthlyTurnOver: MonthlyTurnover;
  estimatedTransactionValue: TransactionValue;
  sourceOfFunds: Industry;
  purposeOfAccount: AccountPurpose;
};

export type Identity = {
  identityTypeCode: IdentityType;
  issuingCountry: string;
  /** Masked: only the last four characters are shown. */
  identityValue: string;
  documentUploadId: string | null;
  documentStatus: string | null;
  issueDate: string | null;
  expiryDate: string | null;
};

export type IdentityInput = {
  identityTypeCode: IdentityType;
  issuingCountry: string;
  identityValue: string;
  documentUploadId?: string;
  issueDate?: string;
  expiryDate?: string;
  idBackDocumentUploadId?: string;
};

export type IdentityType = "PASSPORT" | "NATIOANL_ID" | "DRIVING_LICENCE" | "IDENTITY_CARD" | "RESIDENCE_CARD" | "VOTER_CARD" | "BVN" | "OTHERS";

export type Industry = "CustomerRevenue" | "ShareholderCapital" | "BusinessLoans" | "Grants" | "Investments" | "AssetSales" | "CryptoProceeds" | "IntercompanyTransfers" | "Donations" | "MarketplaceFees" | "SubscriptionRevenue" | "TradingIncome";

export type MonthlyTurnover = "UpTo15k" | "UpTo50k" | "UpTo100k" | "UpTo500k" | "Above500k";

export type OAuthError = {
  error: OAuthErrorCode;
  error_description: string;
};

export type OAuthErrorCode = "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope" | "temporarily_unavailable";

export type OwnershipType = "SHAREHOLDER" | "DIRECTOR" | "UBO";

export type PartnerError = {
  isSuccess: false;
  error: PartnerErrorError;
};

export type PartnerErrorError = {
  code: ErrorCode;
  message: string;
  /** As Svc-Request-Id. */
  requestId: string;
  details: Violation[];
  /** What the code means and what to do about it. */
  docsUrl: string;
};

export type ProfileBusinessTypesAnswer = {
  isSuccess: true;
  value: ProfileBusinessTypesAnswerValue;
};

export type ProfileBusinessTypesAnswerValue = {
  items: ProfileBusinessTypesAnswerValueItemsItem[];
};

export type ProfileBusinessTypesAnswerValueItemsItem = {
  code: string;
  name: string;
};

export type ProfileCountriesAnswer = {
  isSuccess: true;
  value: ProfileCountriesAnswerValue;
};

export type ProfileCountriesAnswerValue = {
  items: Country[];
};

export type ProfileCreateAnswer = {
  isSuccess: true;
  value: ProfileCreateAnswerValue;
  /** What was done but probably not meant; absent when there is nothing. With the header Svc-Strict: true each is an error. */
  warnings?: Warning[];
};

export type ProfileCreateAnswerValue = {
  customerId: string;
  partnerCustomerId: string;
  verificationStatus: VerificationStatus;
  ubos: Ubo[];
  createdAt: string;
};

export type ProfileCreateRequest = {
  partnerCustomerId: string;
  email: string;
  phoneNumber?: string;
  companyName: string;
  tradingName?: string;
  businessTypeCode: string;
  incorporationCountryIso3Code: string;
  industry: Industry;
  description?: string;
  website: string;
  registrationNumber: string;
  registrationDate?: string;
  addresses?: AddressInput[];
  financials?: FinancialsInput;
  businessPersonList?: BusinessPersonInput[];
};

export type ProfileGetAnswer = {
  isSuccess: true;
  value: BusinessProfile;
};

export type ProfileGetByReferenceAnswer = {
  isSuccess: true;
  value: BusinessProfile;
};

export type ProfileIdentityRequirementsAnswer = {
  isSuccess: true;
  value: ProfileIdentityRequirementsAnswerValue;
};

export type ProfileIdentityRequirementsAnswerValue = {
  countryCode: string;
  countryName: string;
  configVersion: number;
  minimumIdentities: number;
  items: ProfileIdentityRequirementsAnswerValueItemsItem[];
};

export type ProfileIdentityRequirementsAnswerValueItemsItem = {
  identityType: string;
  identityTypeCode: IdentityType;
  fieldName: string;
  inputType: "Document" | "Input" | "Select";
  isRequired: boolean;
  label: string;
  placeholder: string;
  requiresIssueDate: boolean;
  requiresExpiryDate: boolean;
  requiresIdNumber: boolean;
  requiresDocument: boolean;
  issuingCountryRule: "ResidenceOnly" | "Any";
  validationRules: ProfileIdentityRequirementsAnswerValueItemsItemValidationRules;
  displayOrder: number;
};

export type ProfileIdentityRequirementsAnswerValueItemsItemValidationRules = {
  /** Exactly what create enforces. */
  regex: string;
  minLength: number;
  maxLength: number;
  errorMessage: string;
};

export type ProfileListAnswer = {
  isSuccess: true;
  value: ProfileListAnswerValue;
};

export type ProfileListAnswerValue = {
  items: BusinessProfileSummary[];
  page: number | null;
  pageSize: number;
  total: number | null;
  nextCursor: string | null;
};

export type ProfilePatchAnswer = {
  isSuccess: true;
  value: ProfilePatchAnswerValue;
  /** What was done but probably not meant; absent when there is nothing. With the header Svc-Strict: true each is an error. */
  warnings?: Warning[];
};

export type ProfilePatchAnswerValue = {
  customerId: string;
  partnerCustomerId: string;
  verificationStatus: VerificationStatus;
  ubos: Ubo[];
  confirmedDocumentIds: string[];
  changedFields: string[];
  version: number;
};

export type ProfilePatchPersonAnswer = {
  isSuccess: true;
  value: ProfilePatchPersonAnswerValue;
  /** What was done but probably not meant; absent when there is nothing. With the header Svc-Strict: true each is an error. */
  warnings?: Warning[];
};

export type ProfilePatchPersonAnswerValue = {
  customerId: string;
  partnerCustomerId: string;
  verificationStatus: VerificationStatus;
  version: number;
  uboId: string;
  changedFields: string[];
};

export type ProfilePatchPersonRequest = {
  firstName?: string;
  middleName?: string | null;
  lastName?: string;
  birthDate?: string | null;
  nationality?: string;
  taxResidenceCountry?: string | null;
  placeOfBirthCountry?: string | null;
  email?: string;
  phone?: string | null;
  jobTitle?: string | null;
  ownershipType?: OwnershipType[];
  percentageShare?: number | null;
  isPoliticallyExposed?: boolean | null;
  isAuthorizedSignatory?: boolean | null;
  taxIdentificationNumber?: string | null;
  address?: AddressInput;
  identities?: IdentityInput[];
};

export type ProfilePatchRequest = {
  email?: string;
  phoneNumber?: string | null;
  companyName?: string;
  tradingName?: string | null;
  businessTypeCode?: string;
  incorporationCountryCode?: string;
  incorporationCountryIso3Code?: string;
  industry?: Industry;
  description?: string | null;
  website?: string;
  registrationNumber?: string;
  registrationDate?: string | null;
  addresses?: AddressInput[];
  financials?: FinancialsInput;
  businessPersonList?: BusinessPersonInput[];
  businessDocumentIdList?: string[];
  partnerCustomerId?: string;
};

export type ProfilePingAnswer = {
  isSuccess: true;
  value: ProfilePingAnswerValue;
};

export type ProfilePingAnswerValue = {
  pong: true;
};

export type ProfileReplaceAnswer = {
  isSuccess: true;
  value: ProfileReplaceAnswerValue;
  /** What was done but probably not meant; absent when there is nothing. With the header Svc-Strict: true each is an error. */
  warnings?: Warning[];
};

export type ProfileReplaceAnswerValue = {
  customerId: string;
  partnerCustomerId: string;
  verificationStatus: VerificationStatus;
  version: number;
};

export type ProfileReplaceRequest = {
  customerId: string;
  businessEmail: string;
  phoneNumber: string;
  name: string;
  tradingName?: string;
  businessTypeCode: string;
  incorporationCountryIso3Code: string;
  industry: "CustomerRevenue" | "ShareholderCapital" | "BusinessLoans" | "Grants" | "Investments" | "AssetSales" | "CryptoProceeds" | "IntercompanyTransfers" | "Donations" | "MarketplaceFees" | "SubscriptionRevenue" | "TradingIncome";
  description?: string;
  website: string;
  registrationNumber: string;
  registrationDate?: string;
  addresses?: AddressInput[];
  financials?: FinancialsInput;
  businessPersonList?: BusinessPersonUpdate[];
  partnerCustomerId?: string;
};

export type ProfileSimulateAnswer = {
  isSuccess: true;
  value: VerificationOutcome;
  /** What was done but probably not meant; absent when there is nothing. With the header Svc-Strict: true each is an error. */
  warnings?: Warning[];
};

export type ProfileSimulateRequest = {
  outcome?: "Approved" | "Rejected" | "ChangesRequested";
  reasons?: ProfileSimulateRequestReasonsItem[];
  items?: ProfileSimulateRequestItemsItem[];
  documents?: ProfileSimulateRequestDocumentsItem[];
};

export type ProfileSimulateRequestDocumentsItem = {
  documentCategory: DocumentCategory;
  uboId?: string;
  status: "Confirmed" | "Rejected";
  reason?: "WrongType" | "TooLarge" | "Empty" | "Mismatch" | "Malware";
};

export type ProfileSimulateRequestItemsItem = {
  target: ProfileSimulateRequestItemsItemTarget;
  reasonCode: ReasonCode;
  message: string;
};

export type ProfileSimulateRequestItemsItemTarget = {
  kind: "Business" | "Person" | "Identity" | "Document";
  uboId?: string;
  documentCategory?: DocumentCategory;
  field?: "email" | "phoneNumber" | "companyName" | "tradingName" | "businessTypeCode" | "incorporationCountryIso3Code" | "industry" | "description" | "website" | "registrationNumber" | "registrationDate" | "addresses" | "financials" | "businessPersonList" | "name" | "businessEmail" | "incorporationCountryCode" | "people" | "firstName" | "middleName" | "lastName" | "birthDate" | "nationality" | "taxResidenceCountry" | "placeOfBirthCountry" | "phone" | "jobTitle" | "ownershipType" | "percentageShare" | "isPoliticallyExposed" | "isAuthorizedSignatory" | "taxIdentificationNumber" | "address" | "identities" | "identityTypeCode" | "issuingCountry" | "identityValue" | "documentUploadId" | "issueDate" | "expiryDate";
  identityTypeCode?: "PASSPORT" | "NATIOANL_ID" | "DRIVING_LICENCE" | "IDENTITY_CARD" | "RESIDENCE_CARD" | "VOTER_CARD" | "BVN" | "OTHERS";
  issuingCountry?: string;
};

export type ProfileSimulateRequestReasonsItem = {
  code: ReasonCode;
  message: string;
};

export type ProfileVerificationStatusAnswer = {
  isSuccess: true;
  value: VerificationOutcome;
};

export type ReasonCode = "Document.Unreadable" | "Document.Expired" | "Document.WrongType" | "Document.Missing" | "Document.NameMismatch" | "Document.AddressMismatch" | "Business.NotFoundInRegistry" | "Business.NameMismatch" | "Business.RegistrationNumberMismatch" | "Business.OwnershipUnclear" | "Business.SourceOfFundsUnclear" | "Business.ProhibitedActivity" | "Person.IdentityMismatch" | "Person.IdentityNumberInvalid" | "Person.Missing" | "Risk.PolicyDecision" | "Other";

export type ReviewStage = "Queued" | "UnderReview" | "AwaitingPartner" | "Closed";

export type TransactionValue = "UpTo5k" | "UpTo15k" | "UpTo50k" | "UpTo100k" | "Above100k";

export type Ubo = {
  uboId: string;
  firstName: string;
  lastName: string;
  email: string;
};

export type VerificationOutcome = {
  customerId: string;
  partnerCustomerId: string;
  verificationStatus: VerificationStatus;
  reviewStage: ReviewStage;
  submittedAt: string;
  statusChangedAt: string;
  decidedAt: string | null;
  decision: VerificationOutcomeDecision | null;
  changeRequests: ChangeRequest[];
  missingDocuments: VerificationOutcomeMissingDocumentsItem[];
  history: VerificationOutcomeHistoryItem[];
  version: number;
};

export type VerificationOutcomeDecision = {
  outcome: "Approved" | "Rejected";
  reasons: VerificationOutcomeDecisionReasonsItem[];
};

export type VerificationOutcomeDecisionReasonsItem = {
  code: ReasonCode;
  message: string;
};

export type VerificationOutcomeHistoryItem = {
  status: VerificationStatus;
  at: string;
};

export type VerificationOutcomeMissingDocumentsItem = {
  uboId: string;
  identityTypeCode: IdentityType;
  documentUploadId: string | null;
  status: string;
};

export type VerificationStatus = "NotStarted" | "PendingVerification" | "StartedNotCompleted" | "ChangesRequested" | "Approved" | "Rejected";

export type Violation = {
  /** The path to it: businessPersonList[0].nationality. */
  field: string;
  code: string;
  message: string;
  /** Which rule it is about, where the code covers several. */
  rule?: string;
  /** The customer that uses a reference already. */
  customerId?: string | null;
};

export type Warning = {
  /** The path to it: businessPersonList[0].nationality. */
  field: string;
  code: string;
  message: string;
};

export type WebhookEvent = BusinessProfileCreatedEvent | BusinessProfileUpdatedEvent | BusinessPersonAddedEvent | BusinessPersonUpdatedEvent | BusinessDocumentConfirmedEvent | BusinessDocumentRejectedEvent | BusinessVerificationUpdatedEvent | BusinessProfileErasedEvent | WebhookTestEvent;

export type WebhookTestEvent = {
  /** The same at every attempt and replay; use it to drop duplicates. */
  eventId: string;
  eventType: "webhook.test";
  eventVersion: 1;
  occurredAt: string;
  partnerId: string;
  correlation: Correlation;
  data: WebhookTestEventData;
  /** true in the events of a sandbox; absent in all others. */
  test?: boolean;
};

export type WebhookTestEventData = {
  message: string;
};
