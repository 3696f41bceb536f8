/** The people of a team and their invitations. */
import type { Role } from "../../identity/caller.ts";
import {
  type Answer,
  type AnswerSchema,
  described,
  id,
  list,
  oneOf,
  orNull,
  record,
  text,
  time,
  uri,
} from "../answer-schema.ts";
import { TEAM_ROLES } from "../vocabularies.ts";

const role: AnswerSchema<Role> = oneOf(TEAM_ROLES);

export const memberValue = record({
  userId: id,
  email: text,
  role,
  createdAt: time,
  disabledAt: described(orNull(time), "null while the person can sign in."),
});
export type TeamMember = Answer<typeof memberValue>;

const invitationProperties = {
  invitationId: id,
  email: text,
  role,
  invitedBy: described(text, "Email of the Owner."),
  createdAt: time,
  expiresAt: time,
};
const invitationValue = record(invitationProperties);
export type InvitationView = Answer<typeof invitationValue>;

export const newInvitationValue = record({
  ...invitationProperties,
  link: described(uri, "Link for the invited person. Shown only in this answer, works once."),
});
export const teamValue = record({
  items: list(memberValue),
  invitations: described(list(invitationValue), "Open invitations: neither accepted nor expired."),
});
export const acceptedValue = record({ email: described(text, "Sign in with this email.") });

export const invitationExample = {
  invitationId: "2c3e7b1d-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
  email: "new@acme.example",
  role: "Viewer",
  invitedBy: "owner@acme.example",
  createdAt: "2026-01-15T10:00:00.000Z",
  expiresAt: "2026-01-16T10:00:00.000Z",
};

export const memberExample = {
  userId: "7b1d2c3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
  email: "dev@acme.example",
  role: "Developer",
  createdAt: "2026-01-10T09:00:00.000Z",
  disabledAt: null,
};
