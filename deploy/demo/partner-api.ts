/** The business profiles of the partner API, called as a partner's script would. */

// biome-ignore lint/suspicious/noExplicitAny: a demo reads the answer as a partner's script would
type Value = any;

export type PartnerApi = {
  get(path: string): Promise<Value>;
  post(path: string, body: unknown): Promise<Value>;
};

const ANSWER_WITHIN_MS = 15_000;

export function partnerApi(baseUrl: string, token: string): PartnerApi {
  const authorization = `Bearer ${token}`;
  return {
    get: (path) => call(path, { headers: { authorization } }),
    post: (path, body) =>
      call(path, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
  };

  async function call(path: string, request: RequestInit): Promise<Value> {
    const url = `${baseUrl}/api/partner/v1/business-profiles${path}`;
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const answer = (await response.json()) as { isSuccess: boolean; value?: Value };
    if (!answer.isSuccess)
      throw new Error(`${url} answered ${response.status}:\n${JSON.stringify(answer, null, 2)}`);
    return answer.value;
  }
}
