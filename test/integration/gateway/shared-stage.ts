/** The stage that the parts of gateway.test.ts share. */
import { beforeEach } from "@jest/globals";
import { lazily } from "../../../shared/lazily.ts";
import { startGatewayStage } from "../../support/stage/gateway-stage.ts";
import { ofFile } from "../../support/stage/stage-of-file.ts";

export const LIST = "/api/partner/v1/business-profiles";
export const CASES = "/api/compliance/v1/cases";
export const NOTICE_SECRET = "0123456789abcdef0123456789abcdef";
export const sharedGatewayStage = lazily(() =>
  startGatewayStage({ PBO_STORAGE_NOTICE_SECRET: NOTICE_SECRET }),
);

/** The shared stage for a part, without the scripts and calls of earlier tests. */
export function stageOfPart() {
  const stage = ofFile(sharedGatewayStage);
  beforeEach(() => stage.reset());
  return stage;
}

/** A partner and an analyst for a part, with the headers that sign them in. */
export const callersOfPart = (stage: ReturnType<typeof stageOfPart>) =>
  ofFile(async () => {
    const made = await stage.partner();
    const partner = { Authorization: `Bearer ${await stage.token(made)}` };
    return {
      partnerId: made.partnerId,
      partner,
      analyst: { Cookie: await stage.cookie(await stage.analyst()) },
      list: (headers: Record<string, string> = {}) =>
        stage.request(LIST, { headers: { ...partner, ...headers } }),
    };
  });

export const throws = (error: unknown) => () => {
  throw error;
};
