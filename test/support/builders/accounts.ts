/** Records of auth-token, valid by default. */
import { randomUUID } from "node:crypto";
import type { User } from "../../../services/auth-token/account/user.model.ts";
import { NOW } from "./records.ts";

export const aUser = (given: Partial<User> = {}): User => ({
  _id: randomUUID(),
  email: `${randomUUID()}@acme.test`,
  role: "Owner",
  partnerId: randomUUID(),
  passwordHash: "hash",
  createdAt: NOW,
  passwordChangedAt: NOW,
  credentialVersion: 0,
  knownAddresses: [],
  disabledAt: null,
  secondFactor: null,
  pendingSecondFactor: null,
  ...given,
});
