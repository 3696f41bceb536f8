/** Made-up businesses, the same at every start, and the outcome of each review. */
import type { ProfileCreateRequest } from "../client/typescript/src/index.ts";

const PLACES = ["Lagos", "Abuja", "Kano", "Ibadan", "Accra", "Kumasi", "Nairobi", "Mombasa"];
const NAMES = [...PLACES, "Harbour", "Savanna", "Delta", "Sahel", "Palm", "Cedar", "Baobab", "Zenith"];
const GOODS = ["Textiles", "Foods", "Solar", "Timber", "Motors", "Fisheries", "Pharma", "Agro", "Energy"];
const TRADES = [...GOODS, "Logistics", "Media", "Studios", "Payments"];
const COUNTRIES = ["NGA", "NGA", "NGA", "GHA", "KEN", "GBR"];
const FIRST_NAMES = ["Ada", "Ben", "Chidi", "Dayo", "Efe", "Funmi", "Grace", "Hassan", "Ife", "Joy", "Kemi"];
const LAST_NAMES = ["Obi", "Eze", "Bello", "Okafor", "Mensah", "Adeyemi", "Kamau", "Danjuma", "Nwosu"];

const at = <T>(list: readonly T[], number: number): T => list[number % list.length] as T;

export const referenceOf = (number: number): string => `shop-${String(number).padStart(4, "0")}`;

export function demoBusiness(number: number): ProfileCreateRequest {
  const trade = at(TRADES, Math.floor(number / NAMES.length));
  const name = `${at(NAMES, number)} ${trade}`;
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
    description: `${trade} for shops and households.`,
    businessPersonList: Array.from({ length: 1 + (number % 2) }, (_, index) =>
      owner(number * 2 + index, domain),
    ),
  };
}

/** A business with one owner and a reference of its own. */
export const exampleBusiness = (): ProfileCreateRequest => ({
  ...demoBusiness(0),
  partnerCustomerId: `demo-${Date.now()}`,
});

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

/** Outcome of a review; `answered`: the partner answers the change request. */
export type Fate = "queued" | "claimed" | "changes" | "answered" | "approved" | "rejected";

/** The newest customers are still queued, most others are approved. */
export function fateOf(number: number, among: number): Fate {
  if (number > among * 0.88) return number % 8 === 0 ? "claimed" : "queued";
  const turn = number % 10;
  if (turn === 0) return "rejected";
  if (turn === 4) return "changes";
  return turn === 7 ? "answered" : "approved";
}

const AT_A_TIME = 8;

/** Works on a few of the items at a time, in their order. */
export async function inTurn<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const done: R[] = [];
  while (done.length < items.length) {
    const start = done.length;
    const group = items.slice(start, start + AT_A_TIME);
    done.push(...(await Promise.all(group.map((item, index) => work(item, start + index)))));
  }
  return done;
}
