/** The collections of this service: type, indexes, and shard key or the reason against one. */
import { collection } from "../../shared/mongo/collections.rules.ts";
import { AUDIT_ENTRIES } from "../../shared/stores/audit-trail.repository.ts";
import type { Invitation } from "./account/invitation.model.ts";
import type { Partner } from "./account/partner.model.ts";
import type { User } from "./account/user.model.ts";
import type { Credential } from "./credential/credential.model.ts";
import { type DroppedRequests, KEPT_SECONDS, type StoredRequest } from "./request-log/request-log.model.ts";
import type { LoginThrottle } from "./session/login-throttle.rules.ts";
import type { Session } from "./session/session.model.ts";
import type { SigningKeyRecord } from "./token/signing-key.rules.ts";

export type UsedAssertion = {
  /** Client id and jti. */
  _id: string;
  expiresAt: Date;
};

/** How much of a budget was granted in one minute, in total and by the last lease. */
type QuotaCounter = { _id: string; used: number; granted: number; expiresAt: Date };

const AT_EXPIRY = { key: { expiresAt: 1 }, expireAfterSeconds: 0 } as const;

export const COLLECTIONS = {
  partners: collection<Partner>("partners", {
    shards: "one per partner",
    indexes: [
      { key: { clientId: 1 }, unique: true },
      { key: { createdAt: -1 } },
      { key: { deactivatedAt: 1 }, partialFilterExpression: { active: false } },
      { key: { testOf: 1 }, unique: true, partialFilterExpression: { testOf: { $exists: true } } },
      { key: { unreportedTo: 1 }, sparse: true },
    ],
  }),
  credentials: collection<Credential>("api_credentials", {
    shards: "a few per partner",
    indexes: [
      // A partner has one active client, also when two are created at the same time.
      {
        key: { partnerId: 1 },
        unique: true,
        partialFilterExpression: { status: "Active" },
      },
      { key: { partnerId: 1, createdAt: -1 } },
      { key: { clientId: 1, createdAt: -1 } },
      { key: { "removedCertificates.at": 1 }, sparse: true },
      { key: { revokedAt: 1 }, partialFilterExpression: { status: "Revoked" } },
    ],
  }),
  users: collection<User>("users", {
    shards: "one per person",
    indexes: [{ key: { email: 1 }, unique: true }, { key: { partnerId: 1, createdAt: -1 } }],
  }),
  invitations: collection<Invitation>("invitations", {
    shards: "removed after a day",
    indexes: [
      { key: { tokenHash: 1 }, unique: true },
      { key: { partnerId: 1, email: 1 }, unique: true },
      AT_EXPIRY,
    ],
  }),
  sessions: collection<Session>("sessions", {
    shards: "one per signed-in person",
    indexes: [AT_EXPIRY, { key: { userId: 1 } }],
  }),
  loginThrottles: collection<LoginThrottle>("login_throttles", {
    shards: "removed after minutes",
    indexes: [AT_EXPIRY],
  }),
  // A use is found by its complete id, which is unique because it leads to one shard.
  usedAssertions: collection<UsedAssertion>("used_assertions", {
    shards: { _id: "hashed" },
    indexes: [AT_EXPIRY],
  }),
  quotas: collection<QuotaCounter>("quota_counters", {
    shards: "removed after two minutes",
    indexes: [AT_EXPIRY],
  }),
  signingKeys: collection<SigningKeyRecord>("signing_keys", {
    shards: "a few",
    indexes: [{ key: { ordinal: 1 }, unique: true }],
  }),
  requests: collection<StoredRequest>("request_log", {
    shards: { partnerId: 1, _id: "hashed" },
    indexes: [
      { key: { partnerId: 1, _id: -1 } },
      { key: { partnerId: 1, isFailed: 1, _id: -1 }, partialFilterExpression: { isFailed: true } },
      { key: { at: 1 }, expireAfterSeconds: KEPT_SECONDS },
    ],
  }),
  droppedRequests: collection<DroppedRequests>("request_log_dropped", {
    shards: "one per partner and hour, for a week",
    indexes: [{ key: { partnerId: 1, at: 1 } }, { key: { at: 1 }, expireAfterSeconds: KEPT_SECONDS }],
  }),
  auditEntries: AUDIT_ENTRIES,
};
