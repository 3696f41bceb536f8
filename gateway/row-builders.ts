/** Builders for the rows of the route table, one per kind of caller, and one for pages. */
import type { ActionName } from "../shared/contract/actions.ts";
import type { Access, Handling, Limit, Method, Page } from "./route.ts";

/** A row without its tag. The action stays a literal type, so that the compiler can demand its documentation. */
type Row<A extends ActionName> = Access & Handling & { path: string; action: A };
type Build<F> = <A extends ActionName>(method: Method, path: string, action: A, flags?: F) => Row<A>;
type Flags = Partial<Omit<Handling, "envelope" | "openToInactivePartner">>;
type OpenFlags = Partial<Pick<Handling, "envelope" | "optionalSession">> & { limit?: Limit };

/** Rows with one tag, below one path. */
export const section = <const T extends string, A extends ActionName>(
  tag: T,
  base: string,
  ...rows: Row<A>[]
) => rows.map((row) => ({ ...row, path: `${base}${row.path}`, tag }));

/** With an access token. */
export const partner: Build<Flags> = (method, path, action, flags) => ({
  ...(method === "GET"
    ? { auth: "partner", method, scope: "partner.read", limit: "read" }
    : { auth: "partner", method, scope: "partner.write", limit: "write" }),
  path,
  action,
  body: bodyOf(method),
  envelope: "partner",
  ...flags,
});

/** With the session of a partner's person. */
export const user: Build<Flags & { openToInactivePartner?: true }> = (method, path, action, flags) => ({
  auth: "user",
  roles: method === "GET" ? ["Owner", "Developer", "Viewer"] : ["Owner", "Developer"],
  ...dashboard(method, path, action),
  ...flags,
});

/** With the session of a partner's Owner. */
export const owner: Build<Flags> = (method, path, action, flags) => ({
  auth: "user",
  roles: ["Owner"],
  ...dashboard(method, path, action),
  ...flags,
});

/** With the session of an analyst. */
export const analyst: Build<Flags> = (method, path, action, flags) => ({
  auth: "analyst",
  ...dashboard(method, path, action),
  ...flags,
});

/** With any session. */
export const signedIn: Build<{ limit?: Limit } & Pick<Flags, "body" | "fresh" | "cached">> = (
  method,
  path,
  action,
  flags,
) => ({
  auth: "session",
  ...dashboard(method, path, action),
  ...flags,
});

/** Without credentials. */
export const open: Build<Flags & OpenFlags> = (method, path, action, flags) => ({
  auth: "none",
  method,
  path,
  action,
  limit: "none",
  body: bodyOf(method),
  envelope: "partner",
  ...flags,
});

/** Without credentials; the answer has no envelope, as RFC 6749 requires. */
export const oauth: Build<Flags & { limit?: Limit }> = (method, path, action, flags) =>
  open(method, path, action, { envelope: "plain", ...flags });

/** Answered by the gateway itself. */
export const page = (path: string, kind: Page["page"], flags: Partial<Page> = {}): Page => ({
  method: "GET",
  path,
  page: kind,
  limit: "none",
  envelope: "partner",
  ...flags,
});

const dashboard = <A extends ActionName>(method: Method, path: string, action: A) => ({
  method,
  path,
  action,
  limit: method === "GET" ? ("read" as const) : ("write" as const),
  body: bodyOf(method),
  envelope: "dashboard" as const,
});

const bodyOf = (method: Method): Handling["body"] =>
  method === "GET" || method === "DELETE" ? "none" : "json";
