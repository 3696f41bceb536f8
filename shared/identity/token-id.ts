/** A token's id contains credential and certificate, so revoking one of them ends exactly its tokens. */
import { randomId } from "../ids.ts";

export const newTokenId = (credentialId: string, thumbprint: string): string =>
  `${certificateId(credentialId, thumbprint)}.${randomId()}`;

export const certificateId = (credentialId: string, thumbprint: string): string =>
  `${credentialId}.${thumbprint}`;

export const credentialOfToken = (tokenId: string): string => tokenId.split(".", 1)[0] ?? "";

/** In the form of `certificateId`. */
export const certificateOfToken = (tokenId: string): string => tokenId.slice(0, tokenId.lastIndexOf("."));
