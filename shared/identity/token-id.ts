/** The id of an access token names its credential, so that a revocation reaches exactly the tokens made with it. */
import { randomId } from "../ids.ts";

export const newTokenId = (credentialId: string): string => `${credentialId}.${randomId()}`;

export const credentialOfToken = (tokenId: string): string => tokenId.split(".", 1)[0] ?? "";
