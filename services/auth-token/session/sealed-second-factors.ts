/** The secrets of second factors, for the sweep that moves them to the newest field key. */
import type { FieldCipher } from "../../../shared/sealing/field-cipher.ts";
import type { SealedRecords } from "../../../shared/sealing/field-key-sweep.ts";
import type { User } from "../account/user.model.ts";
import type { SealedFactors, UserRepository } from "../account/user.repository.ts";
import { secondFactorPlace } from "./second-factor.ts";

export function sealedSecondFactors(
  users: Pick<UserRepository, "pageWithFactor" | "replaceSealed">,
  cipher: FieldCipher,
): SealedRecords<User, { userId: string; before: SealedFactors; after: SealedFactors }> {
  const sealedAnew = (userId: string, sealed: string): string => {
    const place = secondFactorPlace(userId);
    return cipher.isStale(sealed) ? cipher.seal(cipher.open(sealed, place), place) : sealed;
  };
  return {
    name: "users",
    page: users.pageWithFactor,
    sealedIn: (user) => Object.values(sealedOf(user)),
    move(user) {
      const before = sealedOf(user);
      if (!Object.values(before).some(cipher.isStale)) return null;
      const after = Object.fromEntries(
        Object.entries(before).map(([field, sealed]) => [field, sealedAnew(user._id, sealed)]),
      );
      return { userId: user._id, before, after };
    },
    write: users.replaceSealed,
  };
}

/** The current secret and a pending one, by field. */
const sealedOf = ({ secondFactor, pendingSecondFactor }: User): SealedFactors => ({
  ...(secondFactor ? { "secondFactor.sealed": secondFactor.sealed } : {}),
  ...(pendingSecondFactor ? { pendingSecondFactor } : {}),
});
