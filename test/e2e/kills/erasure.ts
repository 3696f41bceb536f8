/** A customer is erased while the processes that do it are killed. */
import { beforeAll, expect, test } from "@jest/globals";
import type { ServiceName } from "../../../shared/config/config.ts";
import { aSmallProfile } from "../../support/builders/profile-builders.ts";
import { adminOf } from "../../support/clients/accounts.ts";
import { type PartnerClient, partnerClient, put } from "../../support/clients/partner-client.ts";
import { PROFILES } from "../../support/stage/api-stage.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import type { Loose } from "../../support/stage/profile-stage.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

let platform: TestPlatform;
let partner: PartnerClient;

beforeAll(async () => {
  platform = await journeyPlatform();
  partner = await partnerClient(platform.demo);
  await platform.untilReady();
});

const stored = async (service: ServiceName, collection: string, filter: object): Promise<Loose> =>
  (await platform.database(service)).collection(collection).findOne(filter);

test("kill -9 between the tombstone and the files: the sweep finishes it, and the file is gone", async () => {
  const { customerId } = await partner.create(aSmallProfile());
  const link = await waitFor(() => partner.link(customerId), { what: "a link" });
  await put(link);
  await partner.shown(customerId, link.documentId, "Confirmed");
  const unsigned = new URL(link.uploadUrl);
  const request = { customerId, partnerId: partner.partnerId, operator: "eve", reason: "ticket-4711" };
  const admin = await adminOf(platform);
  try {
    platform.kill("document", "SIGSTOP");
    const first = admin.call("profile.eraseCustomer", request).catch(() => null);
    await waitFor(async () => (await stored("profile", "business_profiles", { _id: customerId }))?.erased, {
      what: "the tombstone",
    });
    platform.kill("profile", "SIGKILL");
    platform.kill("document", "SIGKILL");
    await first;
    await waitFor(
      async () => {
        const { erased } = await stored("profile", "business_profiles", { _id: customerId });
        return erased.isUnfinished === undefined;
      },
      { what: "the erasure to be finished" },
    );
    const left = await waitFor(
      async () => {
        const record = await stored("document", "documents", { _id: link.documentId });
        // The next look is planned when the file was removed.
        return record.erasedAt && record.dueAt > new Date() && record;
      },
      { what: "the file to be removed" },
    );
    expect(left).toMatchObject({ sha256: null, etag: null, sizeBytes: null });
    const { s3 } = platform.addresses;
    expect(unsigned.pathname).toContain(left.objectKey);
    const { HeadObjectCommand, S3Client } = await import("@aws-sdk/client-s3");
    const { accessKeyId, secretAccessKey } = s3;
    const client = new S3Client({
      ...s3,
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    });
    await expect(
      client.send(new HeadObjectCommand({ Bucket: s3.bucket, Key: left.objectKey })),
    ).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } });
    client.destroy();
    const again = await waitFor(() => admin.call("profile.eraseCustomer", request), { what: "an answer" });
    expect(again).toMatchObject({ customerId, finished: true });
    expect(await partner.send("GET", `${PROFILES}/${customerId}`)).toMatchObject({
      status: 410,
      code: "Customer.Erased",
    });
  } finally {
    await admin.close();
  }
});
