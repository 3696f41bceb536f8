/** What every action behind a route gets as ctx.params. */
export type HttpParams<Body = unknown> = {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Body;
  /** The few request headers that actions may know. */
  headers: {
    ifMatch: string | null;
    /** Whether there was an Authorization header; its value is for the gateway alone. */
    hasAuthorization?: boolean;
  };
};
