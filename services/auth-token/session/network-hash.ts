/** The hash of a network, as stored with a person and in counts. */
import { createHash } from "node:crypto";
import { addressKey } from "../../../shared/identity/address-key.ts";

export const networkHash = (address: string): string => hashOf(addressKey(address));

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url");
