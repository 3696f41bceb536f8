/** The identity documents of each country when the service is first started; afterwards operators change them. */
import type { CheckName } from "../../../shared/contract/vocabularies.ts";

/** P passport, N national id, D driving licence, I identity card, R residence card, V voter card, B BVN, O others. */
export type ShortType = "P" | "N" | "D" | "I" | "R" | "V" | "B" | "O";
export type DatePolicy = "expiry" | "issue" | "none";

export type SeedRow = {
  accepted: string;
  /** A type without a rule has no public format: only its length is checked. */
  rules?: Partial<Record<ShortType, string>>;
  /** Where it differs from the standard: expiry for P, D and R, nothing for the others. */
  dates?: Partial<Record<ShortType, DatePolicy>>;
  checks?: Partial<Record<ShortType, CheckName>>;
  /** The issuer publishes the algorithm, so a wrong check digit refuses; elsewhere it is a remark for the analyst. */
  checkRefuses?: boolean;
  labels?: Partial<Record<ShortType, string>>;
};

const both = (pattern: string) => ({ N: pattern, I: pattern });

const ghanaCard = "^GHA-?[A-Z0-9]{9}-?[A-Z0-9]$";
const dni = String.raw`^\d{8}[A-HJ-NP-TV-Z]$`;
const nie = String.raw`^[XYZ]\d{7}[A-HJ-NP-TV-Z]$`;
const emiratesId = String.raw`^784-?\d{4}-?\d{7}-?\d$`;
const nric = String.raw`^[STFGM]\d{7}[A-Z]$`;
const hkid = String.raw`^[A-Z]{1,2}\d{6}\(?[0-9A]\)?$`;
const germanId = "^[CFGHJKLMNPRTVWXYZ0-9]{9,10}$";
const dutchId = String.raw`^[A-Z]{2}[A-Z0-9]{6}\d$`;

export const COUNTRY_SEED: Readonly<Record<string, SeedRow>> = {
  NGA: {
    accepted: "P N D V R B O",
    rules: {
      P: String.raw`^[A-Z]\d{8}$`,
      N: String.raw`^\d{11}$`,
      B: String.raw`^\d{11}$`,
      D: String.raw`^(?=.*\d)(?=.*[A-Z])[A-Z0-9]{3}[ -]?[A-Z0-9]{6,12}$`,
      V: "^[A-Z0-9 ]{9,29}$",
    },
    labels: { N: "National Identification Number (NIN)", B: "Bank Verification Number (BVN)" },
  },
  GHA: {
    accepted: "P N I D V O",
    rules: {
      ...both(ghanaCard),
      P: String.raw`^[A-Z]{1,2}\d{6,9}$`,
      V: String.raw`^\d{10,12}$`,
      D: "^[A-Z0-9-]{6,18}$",
    },
    labels: { N: "Ghana Card", I: "Ghana Card" },
  },
  KEN: {
    accepted: "P N I D R O",
    rules: {
      ...both(String.raw`^\d{6,9}$`),
      P: "^[A-Z0-9]{7,9}$",
      R: String.raw`^\d{6,9}$`,
      D: "^[A-Z0-9]{1,12}$",
    },
    labels: { R: "Alien card" },
  },
  ZAF: {
    accepted: "P N I D R O",
    rules: {
      ...both(String.raw`^\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{4}[012][089]\d$`),
      P: String.raw`^[TAMD]\d{8}$`,
    },
    checks: { N: "luhn", I: "luhn" },
  },
  UGA: {
    accepted: "P N I D V O",
    rules: { ...both("^[A-Z0-9]{14}$"), P: String.raw`^[A-Z]{1,2}\d{6,8}$` },
  },
  TZA: { accepted: "P N I D V R O", rules: both(String.raw`^\d{8}-?\d{5}-?\d{5}-?\d{2}$`) },
  RWA: { accepted: "P N I D R O", rules: both(String.raw`^[123] ?\d{4} ?\d ?\d{7} ?\d ?\d{2}$`) },
  ZMB: {
    accepted: "P N I D V O",
    rules: both(String.raw`^\d{6}/\d{2}/\d$`),
    labels: { N: "National Registration Card (NRC)", I: "National Registration Card (NRC)" },
  },
  ZWE: {
    accepted: "P N I D O",
    rules: both(String.raw`^\d{2}-?\d{6,7}-?[A-Z]-?\d{2}$`),
    checks: { N: "zwe", I: "zwe" },
  },
  EGY: {
    accepted: "P N I D R O",
    rules: { ...both(String.raw`^[23]\d{13}$`), P: String.raw`^[A-Z]\d{8}$` },
  },
  MAR: {
    accepted: "P I D R O",
    rules: { I: String.raw`^[A-Z]{1,2}\d{5,8}$`, P: String.raw`^[A-Z]{2}\d{7}$` },
  },
  CIV: { accepted: "P I R D O" },
  SEN: { accepted: "P I V D O", rules: { I: String.raw`^[\d ]{13,20}$` } },
  CMR: { accepted: "P I R V D O" },
  MUS: {
    accepted: "P N I O",
    rules: both(String.raw`^[A-Z]\d{12}[0-9A-Z]$`),
    checks: { N: "mus", I: "mus" },
  },
  AGO: { accepted: "P I R V D O", rules: { I: String.raw`^\d{9}[A-Z]{2}\d{3}$` } },
  MOZ: {
    accepted: "P I R V D O",
    rules: { I: String.raw`^\d{12}[A-Z]$`, P: String.raw`^[A-Z]{2}\d{7}$|^\d{2}[A-Z]{2}\d{5}$` },
  },
  GBR: {
    accepted: "P D R O",
    rules: {
      P: String.raw`^\d{9}$`,
      D: String.raw`^[A-Z9]{5}\d{6}[A-Z9]{2}[A-Z0-9]{3}$|^\d{8}$`,
      R: "^[A-Z0-9]{9,12}$",
    },
    labels: { R: "Biometric residence permit" },
  },
  IRL: { accepted: "P D R O", rules: { P: String.raw`^[A-Z0-9]{2}\d{7}$` } },
  DEU: {
    accepted: "P I D R O",
    rules: { P: germanId, I: germanId, D: String.raw`^[A-Z0-9]\d{2}[A-Z0-9]{6}\d[A-Z0-9]$` },
    dates: { D: "none" },
  },
  FRA: {
    accepted: "P I D R O",
    rules: {
      P: String.raw`^\d{2}[A-Z]{2}\d{5}$`,
      I: String.raw`^[A-Z0-9]{9}$|^\d{12}$`,
      D: String.raw`^\d{12}$|^\d{2}[A-Z]{2}\d{5}$`,
      R: "^[A-Z0-9]{9,10}$",
    },
    dates: { D: "issue" },
  },
  ESP: {
    accepted: "P I N R D O",
    rules: { ...both(dni), R: nie, P: String.raw`^[A-Z0-9]{2}[A-Z0-9]?\d{6}$`, D: `${dni}|${nie}` },
    checks: { I: "esp", N: "esp", R: "esp", D: "esp" },
    checkRefuses: true,
    labels: { I: "DNI", N: "DNI", R: "NIE" },
  },
  ITA: {
    accepted: "P I D R O",
    rules: {
      P: String.raw`^[A-Z0-9]{2}\d{7}$`,
      I: String.raw`^[A-Z]{2}\d{5}[A-Z]{2}$|^[A-Z]{2}\d{7}$`,
      D: String.raw`^[A-Z][AV]\d{7}[A-Z]$|^U1[A-Z0-9]{7}[A-Z]$`,
    },
  },
  NLD: { accepted: "P I D R O", rules: { P: dutchId, I: dutchId, D: String.raw`^\d{10}$` } },
  BEL: {
    accepted: "P I N D R O",
    rules: {
      P: String.raw`^[A-Z]{2}\d{6}$`,
      N: String.raw`^\d{2}\.?\d{2}\.?\d{2}-?\d{3}\.?\d{2}$`,
      I: String.raw`^\d{3}-?\d{7}-?\d{2}$`,
      D: String.raw`^\d{10}$`,
    },
    checks: { N: "mod97Bel" },
  },
  PRT: {
    accepted: "P I D R O",
    rules: { P: String.raw`^[A-Z]{1,2}\d{6}$`, I: String.raw`^\d{9}[A-Z0-9]{2}\d$` },
    checks: { I: "prt" },
  },
  POL: {
    accepted: "P I N D R O",
    rules: {
      P: String.raw`^[A-Z]{2}\d{7}$`,
      I: String.raw`^[A-Z]{3}\d{6}$`,
      N: String.raw`^\d{11}$`,
    },
    checks: { N: "pesel" },
    labels: { N: "PESEL" },
  },
  USA: {
    accepted: "P D N R O",
    rules: {
      P: String.raw`^[A-Z0-9]\d{8}$`,
      N: String.raw`^(?!666|000|9\d{2})\d{3}-?(?!00)\d{2}-?(?!0000)\d{4}$`,
      D: "^[A-Z0-9-]{4,17}$",
      R: String.raw`^[A-Z]{3}\d{10}$`,
    },
    labels: { N: "Social Security Number (SSN)", R: "Permanent resident card" },
  },
  CAN: {
    accepted: "P D R O",
    rules: {
      P: String.raw`^[A-Z]{2}\d{6}$|^[A-Z]\d{6}[A-Z]{2}$`,
      D: "^[A-Z0-9-]{5,17}$",
      R: String.raw`^[A-Z]{2}\d{7,10}$`,
    },
  },
  IND: {
    accepted: "P N V D O",
    rules: {
      P: String.raw`^[A-Z]-?\d{7}$`,
      N: String.raw`^[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}$`,
      V: String.raw`^[A-Z]{3}\d{7}$`,
      D: String.raw`^[A-Z]{2}[ -]?\d{2}[ -]?\d{4}[ -]?\d{7}$`,
    },
    checks: { N: "verhoeff" },
    labels: { N: "Aadhaar", O: "Other document, such as the PAN card" },
  },
  PAK: {
    accepted: "P N I D O",
    rules: { ...both(String.raw`^\d{5}-?\d{7}-?\d$`), P: String.raw`^[A-Z]{2}\d{7}$` },
  },
  BGD: {
    accepted: "P N D O",
    rules: { N: String.raw`^\d{10}$|^\d{13}$|^\d{17}$`, P: String.raw`^[A-Z]{1,2}\d{7,8}$` },
  },
  ARE: {
    accepted: "P I N R D O",
    rules: { ...both(emiratesId), R: emiratesId },
    checks: { I: "luhn", N: "luhn", R: "luhn" },
    labels: { I: "Emirates ID", N: "Emirates ID", R: "Emirates ID" },
  },
  SAU: {
    accepted: "P N R D O",
    rules: { N: String.raw`^1\d{9}$`, R: String.raw`^2\d{9}$`, P: String.raw`^[A-Z]\d{7,8}$` },
    labels: { R: "Iqama" },
  },
  SGP: {
    accepted: "P I D O",
    rules: { I: nric, P: String.raw`^[A-Z]\d{7}[A-Z]$`, D: nric },
    checks: { I: "sgp", D: "sgp" },
  },
  HKG: {
    accepted: "P I D O",
    rules: { I: hkid, P: String.raw`^[A-Z]{1,2}\d{7,8}$`, D: hkid },
    checks: { I: "hkg", D: "hkg" },
  },
  CHN: {
    accepted: "P I R O",
    rules: {
      I: String.raw`^\d{6}(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{3}[\dX]$`,
      P: String.raw`^G\d{8}$|^E[A-HJ-NP-Z0-9]\d{7}$`,
    },
    checks: { I: "chn" },
    checkRefuses: true,
  },
  BRA: {
    accepted: "P N I D R O",
    rules: {
      N: String.raw`^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$`,
      P: String.raw`^[A-Z]{2}\d{6}$`,
      D: String.raw`^\d{11}$`,
    },
    checks: { N: "cpf" },
    labels: { N: "CPF" },
  },
  MEX: {
    accepted: "P N V R D O",
    rules: {
      N: String.raw`^[A-Z]{4}\d{6}[HMX][A-Z]{5}[0-9A-Z]\d$`,
      P: String.raw`^[A-Z]\d{8}$`,
      V: String.raw`^[A-Z]{6}\d{8}[HM]\d{3}$`,
    },
    dates: { V: "expiry" },
    labels: { N: "CURP", V: "INE" },
  },
  TUR: {
    accepted: "P N I D R O",
    rules: { ...both(String.raw`^[1-9]\d{10}$`), P: String.raw`^[A-Z]\d{8}$` },
    checks: { N: "tur", I: "tur" },
  },
  AUS: {
    accepted: "P D R O",
    rules: { P: String.raw`^[A-Z]{1,2}\d{7}$`, D: "^[A-Z0-9]{5,10}$" },
  },
};
