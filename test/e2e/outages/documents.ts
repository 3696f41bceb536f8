/** Files while the servers on their way are wiped or stopped. */
import { beforeAll, expect } from "@jest/globals";
import { aSmallProfile } from "../../support/builders/profile-builders.ts";
import { A_STATEMENT, type PartnerClient, partnerClient, put } from "../../support/clients/partner-client.ts";
import { nightlyTest } from "../../support/skipped.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import type { Loose } from "../../support/stage/profile-stage.ts";
import { faultPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

let platform: TestPlatform;
let partner: PartnerClient;

beforeAll(async () => {
  platform = await faultPlatform();
  partner = await partnerClient(platform.demo);
});

/** For some seconds a call can still be sent to a node that was killed. */
const untilLinked = (customerId: string): Promise<Loose> => waitFor(() => partner.link(customerId), "a link");

nightlyTest("the stream is wiped with the notices in it: the sweep confirms the files", async () => {
  const { customerId } = await partner.create(aSmallProfile());
  const link = await untilLinked(customerId);
  platform.kill("document", "SIGSTOP");
  expect((await put(link)).status).toBe(200);
  await platform.wipeJetStream();
  platform.kill("document", "SIGKILL");
  await partner.shown(customerId, link.documentId, "Confirmed");
});

nightlyTest(
  "storage is away: upload-link answers 503 and leaves nothing; links again when it is back",
  async () => {
    const { customerId } = await partner.create(aSmallProfile());
    await untilLinked(customerId);
    await platform.stopServer("s3");
    const answer = await partner.askForLink(customerId, A_STATEMENT);
    expect([answer.status, answer.code]).toEqual([503, "Service.Unavailable"]);
    expect(answer.headers.get("Retry-After")).not.toBeNull();
    expect(await partner.profile(customerId)).toMatchObject({ documents: [] });
    await platform.startServer("s3");
    const link = await untilLinked(customerId);
    await put(link);
    await partner.shown(customerId, link.documentId, "Confirmed");
  },
);
