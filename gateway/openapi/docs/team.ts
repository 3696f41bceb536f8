/** Documentation of the people of a partner's team. */
import {
  memberExample,
  memberValue,
  roleBody,
  teamValue,
} from "../../../services/auth-token/session/team.schemas.ts";
import type { DocsOf } from "../route-doc.ts";

const member = { value: memberValue, valueExample: memberExample } as const;
const errors = ["User.NotFound", "User.Self"] as const;

export const teamDocs: DocsOf<"Team"> = {
  "auth-token.listTeam": {
    summary: "The people of the team",
    description: "Newest first, with those who may no longer sign in.",
    value: teamValue,
    valueExample: { items: [memberExample] },
  },
  "auth-token.changeMemberRole": {
    summary: "Give a person another role",
    description: "Takes effect with the next request of the person.",
    body: roleBody,
    bodyExample: { role: "Viewer" },
    ...member,
    errors: [...errors],
  },
  "auth-token.disableMember": {
    summary: "End a person's access",
    description: "The person's sessions end at once, and no new one can be opened.",
    value: memberValue,
    valueExample: { ...memberExample, disabledAt: "2026-02-01T09:00:00.000Z" },
    errors: [...errors],
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
