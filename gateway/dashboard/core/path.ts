/** A path below a base of ours. Values are always encoded; a dot segment, which a browser would resolve, leads nowhere. */
export const at =
  (base: string) =>
  (strings: TemplateStringsArray, ...values: string[]): string =>
    base + String.raw({ raw: strings }, ...values.map(asSegment));

const asSegment = (value: string): string => encodeURIComponent(value).replace(/^\.\.?$/, "-");
