/** What the database of this service went through, in order; a row that was released is not changed any more. */
import { indexesOf, type Migration } from "../../shared/mongo/run-migrations.ts";
import type { ShardTable } from "../../shared/mongo/shards.rules.ts";
import { auditTrailIndexes } from "../../shared/stores/audit-trail.repository.ts";
import { invitationModel } from "./account/invitation.model.ts";
import { partnerModel } from "./account/partner.model.ts";
import { userModel } from "./account/user.model.ts";
import { userRepository } from "./account/user.repository.ts";
import { credentialModel } from "./credential/credential.model.ts";
import { droppedModel, requestModel } from "./request-log/request-log.model.ts";
import { loginThrottleModel } from "./session/login-throttle.model.ts";
import { sessionModel } from "./session/session.model.ts";
import { quotaModel } from "./token/quota.model.ts";
import { signingKeyModel } from "./token/signing-key.model.ts";
import { usedAssertionModel } from "./token/used-assertion.model.ts";

export const MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: "indexes",
    run: indexesOf(
      partnerModel,
      credentialModel,
      userModel,
      sessionModel,
      loginThrottleModel,
      usedAssertionModel,
      quotaModel,
      signingKeyModel,
      auditTrailIndexes,
    ),
  },
  { number: 2, name: "index of test twins", run: indexesOf(partnerModel) },
  { number: 3, name: "indexes of invitations", run: indexesOf(invitationModel) },
  { number: 4, name: "indexes of the request log", run: indexesOf(requestModel, droppedModel) },
  { number: 5, name: "index of inactive partners", run: indexesOf(partnerModel) },
  {
    number: 6,
    name: "emails of people in composed form",
    run: (connection) => userRepository(connection).composeEmails(),
  },
];

/** Behind mongos. */
export const SHARDS: ShardTable = {
  // A use is found by its whole id alone, which is unique by leading to one shard.
  used_assertions: { _id: "hashed" },
  request_log: { partnerId: 1, _id: "hashed" },
  request_log_dropped: "an hour of a partner each, for a week",
  partners: "one a partner",
  api_credentials: "a few a partner",
  users: "one a person",
  sessions: "one a person who is signed in",
  invitations: "for a day",
  login_throttles: "for minutes",
  quota_counters: "for two minutes",
  signing_keys: "a few",
};
