/** Marks of an analyst, before they become a request for changes. */
import type { ChangeTarget } from "../../../shared/contract/answers/verification.ts";

const NAMES = ["kind", "uboId", "documentCategory", "field", "identityTypeCode", "issuingCountry"] as const;

export type Target = Pick<ChangeTarget, "kind" | "identityTypeCode" | "issuingCountry"> &
  Partial<{ uboId: string; documentCategory: string; field: string }>;
export type Flag = { target: Target; reasonCode: string; message: string };

export const isSameTarget = (one: Target, other: Target): boolean =>
  NAMES.every((name) => one[name] === other[name]);

/** A second remark about the same thing takes the place of the first. */
export const withFlag = (flags: readonly Flag[], flag: Flag): readonly Flag[] => [
  ...flags.filter(({ target }) => !isSameTarget(target, flag.target)),
  flag,
];

export const withoutFlag = (flags: readonly Flag[], { target }: Flag): readonly Flag[] =>
  flags.filter((each) => !isSameTarget(each.target, target));

export const asRequest = (flags: readonly Flag[]) => ({
  items: flags.map(({ target, reasonCode, message }) => ({ target, reasonCode, message })),
});
