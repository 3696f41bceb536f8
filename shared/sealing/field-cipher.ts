/** AES-256-GCM for fields. Collection, record and field are authenticated, so a copied ciphertext does not decrypt. */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from "node:crypto";
import type { FieldKey } from "../config/config.ts";
import { randomPool } from "./random-pool.ts";

export type FieldPlace = { collection: string; recordId: string; field: string };

export type FieldCipher = ReturnType<typeof createFieldCipher>;

const FORMAT = "v1";
const IV_BYTES = 12;
const TAG_BYTES = 16;

export function createFieldCipher(keys: readonly FieldKey[]) {
  const [current] = keys;
  if (!current) throw new Error("A field cipher needs at least one key.");
  // As KeyObjects: raw bytes would be imported on every call, at several times the cost of the encryption.
  const byId = new Map(keys.map(({ id, key }) => [id, createSecretKey(key)]));
  const currentKey = byId.get(current.id) as KeyObject;

  return {
    /** The configured keys; the first one seals. */
    keyIds: keys.map(({ id }) => id),
    seal(plain: string, place: FieldPlace): string {
      const iv = nextIv();
      const cipher = createCipheriv("aes-256-gcm", currentKey, iv);
      cipher.setAAD(additionalData(current.id, place));
      const sealed = [cipher.update(plain, "utf8"), cipher.final()];
      const bytes = Buffer.concat([iv, cipher.getAuthTag(), ...sealed]);
      return `${FORMAT}.${current.id}.${bytes.toString("base64url")}`;
    },
    open(value: string, place: FieldPlace): string {
      const { keyId, bytes } = split(value);
      const key = byId.get(keyId);
      if (!key) throw new Error(`No field key with id ${keyId} is configured.`);
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES));
      decipher.setAAD(additionalData(keyId, place));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return (
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8")
      );
    },
    /** True when an older key than the current one sealed the value. */
    isStale: (value: string): boolean => split(value).keyId !== current.id,
  };
}

/** The key that a value says it is under, be it damaged. */
export const keyIdOf = (value: string): string => value.split(".", 2)[1] ?? "";

const nextIv = randomPool(IV_BYTES);

const additionalData = (keyId: string, { collection, recordId, field }: FieldPlace): Buffer =>
  Buffer.from(JSON.stringify([FORMAT, keyId, collection, recordId, field]));

function split(value: string): { keyId: string; bytes: Buffer } {
  const [format, keyId, encoded, ...rest] = value.split(".");
  const bytes = Buffer.from(encoded ?? "", "base64url");
  if (format !== FORMAT || !keyId || rest.length > 0 || bytes.length < IV_BYTES + TAG_BYTES)
    throw new Error("A sealed field is damaged.");
  return { keyId, bytes };
}
