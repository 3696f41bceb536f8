import { expect, test } from "@jest/globals";
import { targetLabel } from "../../../gateway/dashboard/core/target-label.ts";
import type { PersonView } from "../../../shared/contract/answers/customer.ts";

const amina = { uboId: "u1", firstName: "Amina", lastName: "Okafor" } as PersonView;
const people = { businessPersonList: [amina] };
const nothing = { uboId: null, documentCategory: null, field: null };

test.each([
  [{ ...nothing, kind: "Business" }, "Business"],
  [{ ...nothing, kind: "Business", field: "website" }, "Website"],
  [{ kind: "Person", uboId: "u1", field: "email" }, "Email, Amina Okafor"],
  [{ kind: "Person", uboId: "u9", field: "email" }, "Email"],
  [{ kind: "Document", uboId: "u1", documentCategory: "IdentityFront" }, "Identity front, Amina Okafor"],
  [
    {
      kind: "Identity",
      uboId: "u1",
      field: "identityValue",
      identityTypeCode: "PASSPORT",
      issuingCountry: "NGA",
    },
    "Passport (NGA), Amina Okafor",
  ],
  [{ kind: "Identity", uboId: "u1", identityTypeCode: "BVN" }, "BVN, Amina Okafor"],
])("the label of %j is %s", (target, label) => expect(targetLabel(target, people)).toBe(label));
