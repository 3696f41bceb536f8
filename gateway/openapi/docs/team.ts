/** Documentation of the people of a partner's team, and of what they did. */

import { inviteBody, roleBody } from "../../../services/auth-token/auth-token.schemas.ts";
import { auditExample } from "../../../shared/contract/answers/audit.ts";
import { invitationExample, memberExample } from "../../../shared/contract/answers/team.ts";
import { INVITATION_HOURS } from "../../../shared/contract/durations.ts";
import { newestFirstQuery } from "../../../shared/input/newest-first.rules.ts";
import type { DocsOf } from "../route-doc.ts";

const errors = ["User.NotFound", "User.Self"] as const;

export const teamDocs: DocsOf<"Team"> = {
  "auth-token.listAudit": {
    summary: "Read the audit log",
    description:
      "Sign-ins, replays, changes of the webhook, its secrets, API clients, the team and passwords, and the operator's changes for the partner. Newest first. A page is complete, or the call fails.",
    query: newestFirstQuery,
    valueExample: auditExample,
  },
  "auth-token.listTeam": {
    summary: "List the team",
    description: "Newest first, including disabled people, with the open invitations.",
    valueExample: { items: [memberExample], invitations: [invitationExample] },
  },
  "auth-token.invitePerson": {
    summary: "Invite a person to the team",
    description: [
      `Returns a link, which is shown only now. It works once, within ${INVITATION_HOURS} hours. Any person with the link can join with the role of`,
      "the invitation, so send it by a way you trust. Inviting the same email again invalidates the earlier link. At most 50 invitations",
      "can be open. User.Exists is about your own team only. An email with an account elsewhere is refused on acceptance.",
    ].join("\n"),
    body: inviteBody,
    bodyExample: { email: "new@acme.example", role: "Viewer" },
    valueExample: {
      ...invitationExample,
      link: "https://onboarding.example/dashboard/invitation#pQ4wZ0m6bqz1Vd3Yt8Kc2nRj5sXh7uEo9aLf0gTiBwM",
    },
    errors: ["User.Exists", "Invitation.LimitReached"],
  },
  "auth-token.withdrawInvitation": {
    summary: "Withdraw an invitation",
    errors: ["Invitation.NotFound"],
  },
  "auth-token.changeMemberRole": {
    summary: "Change the role of a person",
    description:
      "Applies from the next request of the person. The invitations of a former Owner are withdrawn.",
    body: roleBody,
    bodyExample: { role: "Viewer" },
    valueExample: memberExample,
    errors: [...errors, "User.LastOwner"],
  },
  "auth-token.disableMember": {
    summary: "Disable a person",
    description:
      "The person is signed out everywhere and cannot sign in again. The person's invitations are withdrawn.",
    valueExample: { ...memberExample, disabledAt: "2026-02-01T09:00:00.000Z" },
    errors: [...errors, "User.LastOwner"],
  },
  "auth-token.enableMember": {
    summary: "Enable a person again",
    valueExample: memberExample,
    errors: [...errors],
  },
  "auth-token.endMemberSessions": {
    summary: "End all sessions of a person",
    description: "The person can sign in again.",
    valueExample: memberExample,
    errors: [...errors],
  },
};
