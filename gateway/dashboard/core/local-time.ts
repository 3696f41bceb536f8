/** Fields of local time, and the times that the API and the address of a page hold. */

/** Fields take whole seconds. */
export function asLocalField(iso: string, round: (seconds: number) => number = Math.floor): string {
  const at = round(Date.parse(iso) / 1_000) * 1_000;
  return Number.isNaN(at)
    ? ""
    : new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, -5);
}

/** Undefined for a field that is empty. */
export const fromLocalField = (local: string | undefined): string | undefined =>
  local && !Number.isNaN(Date.parse(local)) ? new Date(local).toISOString() : undefined;
