import { expect, test } from "@jest/globals";
import { CONTENT_TYPES, DOCUMENT_CATEGORIES } from "../../../shared/contract/vocabularies.ts";

test("the words that callers write and documents keep", () => {
  expect(DOCUMENT_CATEGORIES.join(" ")).toBe(
    "CertificateOfIncorporation MemorandumAndArticles BusinessLicense ProofOfBusinessAddress ShareholderRegister " +
      "DirectorRegister OwnershipStructure TaxCertificate BankStatement FinancialStatement SourceOfFundsProof " +
      "BoardResolution RegulatoryLicense AmlPolicy Other " +
      "IdentityFront IdentityBack ProofOfAddress Selfie SourceOfWealthProof",
  );
  expect(CONTENT_TYPES).toEqual(["application/pdf", "image/jpeg", "image/png"]);
});
