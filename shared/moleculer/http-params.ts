/** ctx.params of every action behind a route. */
export type HttpParams<Body = unknown> = {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Body;
  /** The only request headers passed to actions. */
  headers: {
    ifMatch: string | null;
    /** Whether there was an Authorization header; its value stays in the gateway. */
    hasAuthorization?: boolean;
    /** Null, or absent, when there is none; only of POSTs by partners. */
    idempotencyKey?: string | null;
    /** Svc-Strict: what would be a warning is to be refused. */
    isStrict?: boolean;
    /** Only of sign-ins: the beginning of it, in printable characters. */
    userAgent?: string;
  };
};
