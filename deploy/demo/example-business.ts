/** A business with one owner, as a partner would send it. */
import type { ProfileCreateRequest } from "../client/typescript/src/index.ts";

export const exampleBusiness = (): ProfileCreateRequest => ({
  partnerCustomerId: `demo-${Date.now()}`,
  email: "office@lagos-textiles.example",
  companyName: "Lagos Textiles",
  businessTypeCode: "LLC",
  incorporationCountryIso3Code: "NGA",
  industry: "CustomerRevenue",
  website: "https://lagos-textiles.example",
  registrationNumber: "RC1234567",
  businessPersonList: [
    {
      firstName: "Ada",
      lastName: "Obi",
      email: "ada@lagos-textiles.example",
      nationality: "NGA",
      ownershipType: ["UBO", "DIRECTOR"],
      percentageShare: 60,
      address: {
        streetLine1: "1 Marina Road",
        city: "Lagos",
        state: "Lagos",
        postalCode: "101241",
        countryCode: "NGA",
      },
      identities: [{ identityTypeCode: "NATIOANL_ID", issuingCountry: "NGA", identityValue: "12345678901" }],
    },
  ],
});
