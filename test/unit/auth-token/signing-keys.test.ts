import { randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import type { SigningKeyRepository } from "../../../services/auth-token/token/signing-key.repository.ts";
import type { SigningKeyRecord } from "../../../services/auth-token/token/signing-key.rules.ts";
import { createSigningKeys } from "../../../services/auth-token/token/signing-keys.ts";
import { createFieldCipher } from "../../../shared/sealing/field-cipher.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";

/** As MongoDB keeps them: one key for each ordinal. */
function aStore() {
  const stored: SigningKeyRecord[] = [];
  const keys = {
    list: async () => stored.toSorted((a, b) => b.ordinal - a.ordinal),
    async insert(key: SigningKeyRecord) {
      if (stored.some(({ ordinal }) => ordinal === key.ordinal)) return false;
      stored.push(key);
      return true;
    },
    async remove(kids: readonly string[]) {
      for (const kid of kids)
        stored.splice(
          stored.findIndex(({ _id }) => _id === kid),
          1,
        );
    },
  } as SigningKeyRepository;
  return { stored, keys };
}

const cipher = createFieldCipher([{ id: "k1", key: randomBytes(32) }]);
const aReplica = (keys: SigningKeyRepository) =>
  createSigningKeys({
    keys,
    cipher,
    clock: { now: () => 1_000 },
    logger: { info: () => undefined } as unknown as Logger,
    keyDays: 30,
  });

describe("rotate, immediately", () => {
  test("another replica inserts the same ordinal first: its key is removed too, and the answer names the one key left", async () => {
    const { stored, keys } = aStore();
    const other = aReplica(keys);
    await other.maintain();
    let races = 2;
    const insert: SigningKeyRepository["insert"] = async (key) => {
      if (races-- > 0) await other.rotate({ immediately: false });
      return keys.insert(key);
    };
    const { kid } = await aReplica({ ...keys, insert }).rotate({ immediately: true });
    expect(stored.map(({ _id }) => _id)).toEqual([kid]);
  });

  test("no insert ever succeeds: fails, and says nothing was rotated", async () => {
    const { keys } = aStore();
    await aReplica(keys).maintain();
    const refused = aReplica({ ...keys, insert: async () => false });
    await expect(refused.rotate({ immediately: true })).rejects.toThrow("no key was replaced");
  });
});
