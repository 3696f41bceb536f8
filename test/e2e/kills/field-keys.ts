/** The sweep over sealed values while the service that does it is killed. */
import { beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { connectAdmin } from "../../../deploy/admin/connect.ts";
import { customerCipher } from "../../../services/profile/change/customer-key.ts";
import { openPerson, sealPerson } from "../../../services/profile/change/seal-people.ts";
import type { StoredProfile } from "../../../services/profile/record/profile.types.ts";
import { orderedId } from "../../../shared/ids.ts";
import { databaseName } from "../../../shared/mongo/mongo.ts";
import { createFieldCipher } from "../../../shared/sealing/field-cipher.ts";
import { aPersonInput, aStoredProfile } from "../../support/builders/stored-profile.ts";
import { adminCommand } from "../../support/clients/admin-command.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import { faultPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

/** Ten batches. */
const CUSTOMERS = 2_000;
const PARTNER = "partner-of-an-earlier-version";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await faultPlatform();
  await platform.untilReady();
});

function platformCipher() {
  const [id = "", key = ""] = platform.fieldKeys("PBO_IDENTITY_KEYS").trim().split(":");
  return createFieldCipher([{ id, key: Buffer.from(key, "base64") }]);
}

test("kill -9 of profile in the middle: the command goes on, every customer gets its key, no number is lost", async () => {
  const cipher = platformCipher();
  const customers = Array.from({ length: CUSTOMERS }, (_, index): StoredProfile => {
    const _id = orderedId(Date.now());
    const input = aPersonInput({ taxIdentificationNumber: `TAX-${index}` });
    const people = [sealPerson(cipher, input, { customerId: _id, uboId: `u${index}` }, "")];
    const profile = aStoredProfile({ _id, partnerId: PARTNER, partnerCustomerId: `c${index}`, people });
    return { ...profile, audit: [], outbox: [] };
  });
  const mongo = await mongoose.createConnection(platform.addresses.mongodbUri).asPromise();
  const admin = await connectAdmin({ PBO_ENV: "local", PBO_NATS_URL: platform.addresses.natsUrl });
  try {
    const collection = mongo
      .useDb(databaseName("", "profile"))
      .collection<StoredProfile>("business_profiles");
    await collection.insertMany(customers);
    const withKey = () => collection.countDocuments({ partnerId: PARTNER, sealedKey: { $exists: true } });
    const command = adminCommand(admin.call, ["field-key", "reseal", "--set", "identity", "--json"]);
    await waitFor(async () => (await withKey()) > 0, {
      what: "the first customers to have their key",
      everyMs: 1,
    });
    platform.kill("profile", "SIGKILL");
    const result = await command;
    expect(result).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(result.out)).toEqual([expect.objectContaining({ use: "seals", unreadable: 0 })]);

    expect(await withKey()).toBe(CUSTOMERS);
    const stored = await collection.find({ partnerId: PARTNER }).toArray();
    for (const customer of stored) {
      const { _id, people, partnerCustomerId } = customer;
      const opened = people.map((person) => openPerson(customerCipher(cipher, customer), person, _id));
      expect(opened[0]?.taxIdentificationNumber).toBe(`TAX-${partnerCustomerId.slice(1)}`);
    }
    await collection.deleteMany({ partnerId: PARTNER });
  } finally {
    await admin.close();
    await mongo.close();
  }
});
