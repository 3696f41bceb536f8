/** Documentation of signing in and out. */

import {
  acceptBody,
  codeBody,
  formerCodeBody,
  loginBody,
  passwordBody,
} from "../../../services/auth-token/auth-token.schemas.ts";
import { nothing } from "../../../shared/contract/answer-schema.ts";
import {
  endedSessionsValue,
  newSecondFactorExample,
  newSecondFactorValue,
  recoveryCodesExample,
  recoveryCodesValue,
  secondFactorExample,
  secondFactorValue,
  sessionExample,
  sessionListExample,
  sessionListValue,
  sessionValue,
} from "../../../shared/contract/answers/session.ts";
import { acceptedValue } from "../../../shared/contract/answers/team.ts";
import { INVITATION_HOURS } from "../../../shared/contract/durations.ts";
import type { DocsOf } from "../route-doc.ts";

const CODE_ERRORS = ["Session.SecondFactorRequired", "Session.SecondFactorInvalid"] as const;

export const sessionDocs: DocsOf<"Session"> = {
  "auth-token.login": {
    headers: ["SetCookie"],
    summary: "Sign in",
    description:
      "Sets the session cookie: 30 minutes idle, 12 hours in all. An unknown email and a wrong password look the same. Too many wrong logins are answered 429 with Retry-After for a while. A person with a second factor sends its `code` too, or a recovery code; without it the answer to a right password is Session.SecondFactorRequired.",
    body: loginBody,
    bodyExample: { email: "owner@acme.example", password: "correct horse battery staple" },
    value: sessionValue,
    valueExample: sessionExample,
    errors: [
      "Session.InvalidCredentials",
      "Session.SecondFactorRequired",
      "Session.SecondFactorInvalid",
      "Request.CrossSite",
    ],
  },
  "auth-token.describeSession": {
    summary: "Who is signed in",
    value: sessionValue,
    valueExample: sessionExample,
  },
  "auth-token.changePassword": {
    headers: ["SetCookie"],
    summary: "Change the own password",
    description:
      "Ends every session of the person. The answer sets the cookie of a new one, which keeps the time of the sign-in: it is no fresh one. A person with a second factor sends its `code` too, or a recovery code. Wrong tries count like wrong logins.",
    body: passwordBody,
    bodyExample: { currentPassword: "correct horse battery staple", newPassword: "tulip sandwich gravel" },
    value: nothing,
    errors: ["Session.InvalidCredentials", "Session.SecondFactorRequired", "Session.SecondFactorInvalid"],
  },
  "auth-token.acceptInvitation": {
    summary: "Accept an invitation to a team",
    description: `With the token behind the # of the link, once, within ${INVITATION_HOURS} hours. Sets the password; the role is that of the invitation. Sign in afterwards. An address that has an account already, here or elsewhere, joins no team: User.Exists, and nothing is changed. The Owner who invited must still be one.`,
    body: acceptBody,
    bodyExample: { token: "pQ4wZ0m6bqz1Vd3Yt8Kc2nRj5sXh7uEo9aLf0gTiBwM", password: "tulip sandwich gravel" },
    value: acceptedValue,
    valueExample: { email: "new@acme.example" },
    errors: ["Invitation.NotFound", "User.Exists", "Partner.Inactive"],
  },
  "auth-token.listSessions": {
    summary: "The own sessions",
    description: "Newest first.",
    value: sessionListValue,
    valueExample: sessionListExample,
  },
  "auth-token.endOtherSessions": {
    summary: "End every other session of the person",
    value: endedSessionsValue,
    valueExample: { ended: 2 },
  },
  "auth-token.endSession": {
    summary: "End one session of the person",
    value: nothing,
    errors: ["Session.NotFound"],
  },
  "auth-token.describeSecondFactor": {
    summary: "Whether there is a second factor, and whether the role needs one",
    value: secondFactorValue,
    valueExample: secondFactorExample,
  },
  "auth-token.beginSecondFactor": {
    summary: "Begin to set up a second factor",
    description:
      "Answers the secret for an authenticator (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). It is in force once it is confirmed with a code; until then one that was set up before stays. A person with a factor in force sends its `code`, or a recovery code; without one the body can be left out. Wrong codes count like those of a login.",
    body: formerCodeBody,
    bodyExample: { code: "287082" },
    isBodyOptional: true,
    value: newSecondFactorValue,
    valueExample: newSecondFactorExample,
    errors: [...CODE_ERRORS],
  },
  "auth-token.confirmSecondFactor": {
    summary: "Confirm the second factor with its first code",
    description: "Answers ten recovery codes, once. All other sessions of the person end.",
    body: codeBody,
    bodyExample: { code: "287082" },
    value: recoveryCodesValue,
    valueExample: recoveryCodesExample,
    errors: ["Session.SecondFactorInvalid"],
  },
  "auth-token.removeSecondFactor": {
    summary: "Remove the second factor",
    description:
      "With a `code` of the factor in force, or a recovery code. Refused where the role needs a factor. Wrong codes count like those of a login. All other sessions of the person end.",
    body: formerCodeBody,
    bodyExample: { code: "287082" },
    isBodyOptional: true,
    value: nothing,
    errors: ["Session.SecondFactorMissing", ...CODE_ERRORS],
  },
  "auth-token.logout": {
    headers: ["SetCookie"],
    summary: "Sign out",
    description: "Ends the session on the server and clears the cookie.",
    value: nothing,
  },
};
