/** Documentation of signing in and out. */
import {
  loginBody,
  sessionExample,
  sessionValue,
} from "../../../services/auth-token/session/session.schemas.ts";
import type { DocsOf } from "../route-doc.ts";

export const sessionDocs: DocsOf<"Session"> = {
  "auth-token.login": {
    summary: "Sign in",
    description:
      "Sets the session cookie: 30 minutes idle, 12 hours in all. An unknown email and a wrong password look the same. Too many wrong logins are answered 429 with Retry-After for a while.",
    body: loginBody,
    bodyExample: { email: "owner@acme.example", password: "correct horse battery staple" },
    value: sessionValue,
    valueExample: sessionExample,
    errors: [
      "ValidationControl.Error",
      "Session.InvalidCredentials",
      "Request.CrossSite",
      "Request.RateLimited",
    ],
  },
  "auth-token.describeSession": {
    summary: "Who is signed in",
    value: sessionValue,
    valueExample: sessionExample,
  },
  "auth-token.logout": {
    summary: "Sign out",
    description: "Ends the session on the server and clears the cookie.",
    value: { type: "null" },
  },
};
