/** Documentation of the people of a partner's team, and of what they did. */

import { inviteBody, roleBody } from "../../../services/auth-token/auth-token.schemas.ts";
import { nothing } from "../../../shared/contract/answer-schema.ts";
import { auditExample, auditValue } from "../../../shared/contract/answers/audit.ts";
import {
  invitationExample,
  memberExample,
  memberValue,
  newInvitationValue,
  teamValue,
} from "../../../shared/contract/answers/team.ts";
import { INVITATION_HOURS } from "../../../shared/contract/durations.ts";
import { newestFirstQuery } from "../../../shared/input/newest-first.rules.ts";
import type { DocsOf } from "../route-doc.ts";

const member = { value: memberValue, valueExample: memberExample } as const;
const errors = ["User.NotFound", "User.Self"] as const;

export const teamDocs: DocsOf<"Team"> = {
  "auth-token.listAudit": {
    summary: "Who did what",
    description:
      "Sign-ins, changes of the webhook, its secrets, API clients, the team and passwords, replays and what the operator did for the partner, newest first: complete, or not at all.",
    query: newestFirstQuery,
    value: auditValue,
    valueExample: auditExample,
    errors: ["ValidationControl.Error"],
  },
  "auth-token.listTeam": {
    summary: "The people of the team",
    description: "Newest first, with those who may no longer sign in, and the invitations that are open.",
    value: teamValue,
    valueExample: { items: [memberExample], invitations: [invitationExample] },
  },
  "auth-token.invitePerson": {
    summary: "Invite a person to the team",
    description: [
      `Answers a link for the person, once: it works once, for ${INVITATION_HOURS} hours, and whoever holds it can join with the role of the`,
      "invitation, so send it on a way you trust. Inviting the same email again makes the link before worthless. At most 50 at once.",
      "User.Exists names people of your own team only; an address with an account elsewhere is refused when the invitation is accepted.",
    ].join("\n"),
    body: inviteBody,
    bodyExample: { email: "new@acme.example", role: "Viewer" },
    value: newInvitationValue,
    valueExample: {
      ...invitationExample,
      link: "https://onboarding.example/dashboard/invitation#pQ4wZ0m6bqz1Vd3Yt8Kc2nRj5sXh7uEo9aLf0gTiBwM",
    },
    errors: ["User.Exists", "Invitation.LimitReached"],
  },
  "auth-token.withdrawInvitation": {
    summary: "Withdraw an invitation",
    value: nothing,
    errors: ["Invitation.NotFound"],
  },
  "auth-token.changeMemberRole": {
    summary: "Give a person another role",
    description:
      "Takes effect with the next request of the person. Invitations by a former Owner are withdrawn.",
    body: roleBody,
    bodyExample: { role: "Viewer" },
    ...member,
    errors: [...errors, "User.LastOwner"],
  },
  "auth-token.disableMember": {
    summary: "End a person's access",
    description:
      "The person's sessions end at once, and no new one can be opened. The person's invitations are withdrawn.",
    value: memberValue,
    valueExample: { ...memberExample, disabledAt: "2026-02-01T09:00:00.000Z" },
    errors: [...errors, "User.LastOwner"],
  },
  "auth-token.enableMember": {
    summary: "Give a person access again",
    ...member,
    errors: [...errors],
  },
  "auth-token.endMemberSessions": {
    summary: "End all sessions of a person",
    description: "The person can sign in again.",
    ...member,
    errors: [...errors],
  },
};
