/** Documentation of signing in and out. */

import {
  acceptBody,
  codeBody,
  formerCodeBody,
  loginBody,
  passwordBody,
} from "../../../services/auth-token/auth-token.schemas.ts";
import {
  newSecondFactorExample,
  recoveryCodesExample,
  secondFactorExample,
  sessionExample,
  sessionListExample,
} from "../../../shared/contract/answers/session.ts";
import { INVITATION_HOURS } from "../../../shared/contract/durations.ts";
import type { DocsOf } from "../route-doc.ts";

const CODE_ERRORS = ["Session.SecondFactorRequired", "Session.SecondFactorInvalid"] as const;

export const sessionDocs: DocsOf<"Session"> = {
  "auth-token.login": {
    headers: ["SetCookie"],
    summary: "Sign in",
    description:
      "Sets the session cookie. A session ends after 30 idle minutes, or after 12 hours. An unknown email and a wrong password get the same answer. After too many wrong tries the answer is 429 with Retry-After. A person with a second factor also sends `code`, or a recovery code. Without it, the right password gets Session.SecondFactorRequired.",
    body: loginBody,
    bodyExample: { email: "owner@acme.example", password: "correct horse battery staple" },
    valueExample: sessionExample,
    errors: [
      "Session.InvalidCredentials",
      "Session.SecondFactorRequired",
      "Session.SecondFactorInvalid",
      "Request.CrossSite",
    ],
  },
  "auth-token.describeSession": {
    summary: "Read the session",
    valueExample: sessionExample,
  },
  "auth-token.changePassword": {
    headers: ["SetCookie"],
    summary: "Change your password",
    description:
      "Ends every session of the person. The answer sets the cookie of a new session, which keeps the time of the sign-in. A person with a second factor also sends `code`, or a recovery code. Wrong tries count as failed sign-ins.",
    body: passwordBody,
    bodyExample: { currentPassword: "correct horse battery staple", newPassword: "tulip sandwich gravel" },
    errors: ["Session.InvalidCredentials", "Session.SecondFactorRequired", "Session.SecondFactorInvalid"],
  },
  "auth-token.acceptInvitation": {
    summary: "Accept an invitation to a team",
    description: `Send the token after the # of the link. It works once, within ${INVITATION_HOURS} hours, while the inviting person is still an Owner. The call sets the password; the role is in the invitation. Sign in afterwards. An email that already has an account, in any team, gets User.Exists, and nothing is changed.`,
    body: acceptBody,
    bodyExample: { token: "pQ4wZ0m6bqz1Vd3Yt8Kc2nRj5sXh7uEo9aLf0gTiBwM", password: "tulip sandwich gravel" },
    valueExample: { email: "new@acme.example" },
    errors: ["Invitation.NotFound", "User.Exists", "Partner.Inactive"],
  },
  "auth-token.listSessions": {
    summary: "List your sessions",
    description: "Newest first.",
    valueExample: sessionListExample,
  },
  "auth-token.endOtherSessions": {
    summary: "End your other sessions",
    valueExample: { ended: 2 },
  },
  "auth-token.endSession": {
    summary: "End one of your sessions",
    errors: ["Session.NotFound"],
  },
  "auth-token.describeSecondFactor": {
    summary: "Read the state of your second factor",
    valueExample: secondFactorExample,
  },
  "auth-token.beginSecondFactor": {
    summary: "Start to set up a second factor",
    description:
      "Returns the secret for an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). Confirm it with a code to activate it. Until then an earlier second factor stays active. A person with an active second factor sends its `code`, or a recovery code. A person without one can omit the body. Wrong codes count as failed sign-ins.",
    body: formerCodeBody,
    bodyExample: { code: "287082" },
    isBodyOptional: true,
    valueExample: newSecondFactorExample,
    errors: [...CODE_ERRORS],
  },
  "auth-token.confirmSecondFactor": {
    summary: "Confirm the second factor with its first code",
    description:
      "Returns ten recovery codes, which are shown only now. All other sessions of the person end.",
    body: codeBody,
    bodyExample: { code: "287082" },
    valueExample: recoveryCodesExample,
    errors: ["Session.SecondFactorInvalid"],
  },
  "auth-token.removeSecondFactor": {
    summary: "Remove the second factor",
    description:
      "Send a `code` of the active second factor, or a recovery code. A role that requires a second factor cannot remove it. Wrong codes count as failed sign-ins. All other sessions of the person end.",
    body: formerCodeBody,
    bodyExample: { code: "287082" },
    isBodyOptional: true,
    errors: ["Session.SecondFactorMissing", ...CODE_ERRORS],
  },
  "auth-token.logout": {
    headers: ["SetCookie"],
    summary: "Sign out",
    description: "Ends the session on the server and clears the cookie.",
  },
};
