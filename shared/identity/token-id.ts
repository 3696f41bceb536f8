/** The id of an access token contains its credential's id, so that revoking a credential revokes exactly its tokens. */
import { randomId } from "../ids.ts";

export const newTokenId = (credentialId: string): string => `${credentialId}.${randomId()}`;

export const credentialOfToken = (tokenId: string): string => tokenId.split(".", 1)[0] ?? "";
