import { expect, test } from "@jest/globals";
import {
  BUSINESS_CATEGORIES as BUSINESS_OF_DOCUMENTS,
  PERSON_CATEGORIES as PERSON_OF_DOCUMENTS,
} from "../../../services/document/document.rules.ts";
import {
  BUSINESS_DOCUMENT_CATEGORIES,
  PERSON_DOCUMENT_CATEGORIES,
} from "../../../shared/document-vocabulary.rules.ts";

test("the document categories are those of the document service", () => {
  expect(BUSINESS_DOCUMENT_CATEGORIES).toEqual(BUSINESS_OF_DOCUMENTS);
  expect(PERSON_DOCUMENT_CATEGORIES).toEqual(PERSON_OF_DOCUMENTS);
});
