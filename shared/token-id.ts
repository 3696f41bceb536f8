/** The id of an access token names its credential, so that a revocation reaches exactly the tokens made with it. */
import { randomBytes } from "node:crypto";

export const newTokenId = (credentialId: string): string =>
  `${credentialId}.${randomBytes(12).toString("base64url")}`;

export const credentialOfToken = (tokenId: string): string => tokenId.split(".", 1)[0] ?? "";
