/** A person's session of the dashboard, for programs that act as people do. */

export type Login = {
  email: string;
  password: string;
  /** Code of the second factor, if the person has one. */
  code?: string;
};

type Envelope<T> = { value: T | null; error: { code: string; description: string } | null };
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type DashboardSession = Awaited<ReturnType<typeof signIn>>;

const ANSWER_WITHIN_MS = 15_000;

export async function signIn(baseUrl: string, { email, password, code }: Login) {
  const request = (method: Method, path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${baseUrl}/api${path}`, {
      method,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      headers: { ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const login = { email, password, ...(code ? { code } : {}) };
  const response = await request("POST", "/customer/v1/session", login);
  const cookie = response.headers.getSetCookie()[0]?.split(";")[0];
  if (!response.ok || !cookie)
    throw new Error(`The demo user ${email} could not sign in (${response.status}).`);
  return {
    /** The path is below /api. Throws the refusal. */
    async call<T>(method: Method, path: string, body?: unknown): Promise<T> {
      const answer = await request(method, path, body, { Cookie: cookie });
      const { value, error } = (await answer.json()) as Envelope<T>;
      if (!answer.ok)
        throw new Error(`${error?.code ?? answer.status}: ${error?.description ?? "no answer"}`);
      return value as T;
    },
  };
}
