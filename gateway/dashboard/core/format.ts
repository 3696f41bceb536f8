/** Values as people read them. */
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const number = new Intl.NumberFormat();
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const timeOfDay = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
});

export const asMoment = (iso: string): string => moment.format(new Date(iso));
export const asNumber = (value: number): string => number.format(value);
/** A whole day of UTC. */
export const asDay = (iso: string): string => day.format(new Date(iso));
export const asTimeOfDay = (iso: string): string => timeOfDay.format(new Date(iso));

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** "3 hours ago", "in 5 days". */
export function asDistance(iso: string, now = Date.now()): string {
  const distance = new Date(iso).getTime() - now;
  const [unit, size] = UNITS.find(([, each]) => Math.abs(distance) >= each) ?? UNITS[3];
  return relative.format(Math.trunc(distance / size), unit);
}

export const daysUntil = (iso: string, now = Date.now()): number =>
  Math.floor((new Date(iso).getTime() - now) / 86_400_000);

export function asDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}

export const asSize = (bytes: number): string =>
  bytes < 1_048_576
    ? `${Math.max(1, Math.round(bytes / 1_024))} KiB`
    : `${(bytes / 1_048_576).toFixed(1)} MiB`;

/** For a field of local time, which takes whole seconds. */
export function asLocalField(iso: string, round: (seconds: number) => number = Math.floor): string {
  const at = round(Date.parse(iso) / 1_000) * 1_000;
  return Number.isNaN(at)
    ? ""
    : new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, -5);
}

/** Undefined for a field that is empty. */
export const fromLocalField = (local: string | undefined): string | undefined =>
  local && !Number.isNaN(Date.parse(local)) ? new Date(local).toISOString() : undefined;

/** Short forms as people write them, and a word that the wire spells wrongly. */
const SPELT: Readonly<Record<string, string>> = {
  ubo: "UBO",
  llc: "LLC",
  bvn: "BVN",
  id: "ID",
  natioanl: "national",
};

/** CertificateOfIncorporation → Certificate of incorporation. */
export const asWords = (name: string): string => {
  const words = name
    .replace(/[_.]/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([a-z])(\d\d)/g, "$1 $2")
    .toLowerCase()
    .replace(/ iso3 code$/, "")
    .replace(/\w+/g, (word) => SPELT[word] ?? word);
  return words.charAt(0).toUpperCase() + words.slice(1);
};
