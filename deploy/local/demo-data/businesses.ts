/** Made-up businesses, the same at every start, and what becomes of each. */
import type { ProfileCreateRequest } from "../../client/typescript/src/index.ts";

const PLACES = ["Lagos", "Abuja", "Kano", "Ibadan", "Accra", "Kumasi", "Nairobi", "Mombasa"];
const MORE_PLACES = ["Harbour", "Savanna", "Delta", "Sahel", "Palm", "Cedar", "Baobab", "Zenith"];
const NAMES = [...PLACES, ...MORE_PLACES];
const TRADES = ["Textiles", "Foods", "Logistics", "Solar", "Timber", "Motors", "Media", "Fisheries"];
const MORE_TRADES = ["Pharma", "Agro", "Studios", "Energy", "Payments"];
const ALL_TRADES = [...TRADES, ...MORE_TRADES];
const COUNTRIES = ["NGA", "NGA", "NGA", "GHA", "KEN", "GBR"];
const FIRST_NAMES = ["Ada", "Ben", "Chidi", "Dayo", "Efe", "Funmi", "Grace", "Hassan", "Ife", "Joy", "Kemi"];
const LAST_NAMES = ["Obi", "Eze", "Bello", "Okafor", "Mensah", "Adeyemi", "Kamau", "Danjuma", "Nwosu"];

const at = <T>(list: readonly T[], number: number): T => list[number % list.length] as T;

export const referenceOf = (number: number): string => `shop-${String(number).padStart(4, "0")}`;

export function demoBusiness(number: number): ProfileCreateRequest {
  const name = `${at(NAMES, number)} ${at(ALL_TRADES, Math.floor(number / NAMES.length))}`;
  const domain = `${name.toLowerCase().replace(" ", "-")}.example`;
  const country = at(COUNTRIES, number);
  return {
    partnerCustomerId: referenceOf(number),
    email: `office@${domain}`,
    companyName: `${name} Ltd`,
    businessTypeCode: "LLC",
    incorporationCountryIso3Code: country,
    industry: "CustomerRevenue",
    website: `https://${domain}`,
    registrationNumber: `RC${1_000_000 + number * 37}`,
    description: `${at(ALL_TRADES, Math.floor(number / NAMES.length))} for shops and households.`,
    businessPersonList: Array.from({ length: 1 + (number % 2) }, (_, index) =>
      owner(number * 2 + index, domain),
    ),
  };
}

type Person = NonNullable<ProfileCreateRequest["businessPersonList"]>[number];

function owner(number: number, domain: string): Person {
  const firstName = at(FIRST_NAMES, number);
  return {
    firstName,
    lastName: at(LAST_NAMES, number),
    email: `${firstName.toLowerCase()}@${domain}`,
    nationality: "NGA",
    ownershipType: ["UBO", "DIRECTOR"],
    percentageShare: 50,
    address: {
      streetLine1: `${1 + (number % 90)} Marina Road`,
      city: "Lagos",
      state: "Lagos",
      postalCode: "101241",
      countryCode: "NGA",
    },
    identities: [
      {
        identityTypeCode: "NATIOANL_ID",
        issuingCountry: "NGA",
        identityValue: String(10_000_000_000 + number * 7_919),
      },
    ],
  };
}

/** Outcome of its review; `answered`: the partner answers the change request. */
export type Fate = "queued" | "claimed" | "changes" | "answered" | "approved" | "rejected";

/** The fate of a customer by its number. The newest still wait, most others are approved. */
export function fateOf(number: number, among: number): Fate {
  if (number > among * 0.88) return number % 8 === 0 ? "claimed" : "queued";
  const turn = number % 10;
  if (turn === 0) return "rejected";
  if (turn === 4) return "changes";
  return turn === 7 ? "answered" : "approved";
}
