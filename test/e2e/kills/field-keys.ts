import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { customerCipher, newCustomerKey } from "../../../services/profile/change/customer-key.ts";
import { openPerson, sealPerson } from "../../../services/profile/change/seal-people.ts";
import type { StoredProfile } from "../../../services/profile/record/profile.types.ts";
import { orderedId } from "../../../shared/ids.ts";
import { createFieldCipher } from "../../../shared/sealing/field-cipher.ts";
import { aPersonInput, aStoredProfile } from "../../support/builders/stored-profile.ts";
import { adminOf } from "../../support/clients/accounts.ts";
import { adminCommand } from "../../support/clients/admin-command.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

/** Ten batches. */
const CUSTOMERS = 2_000;
const PARTNER = "partner-with-many-customers";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await journeyPlatform();
  await platform.untilReady();
});

function cipherOf(keys: string) {
  const fieldKeys = keys.split(",").map((each) => {
    const [id = "", key = ""] = each.split(":");
    return { id, key: Buffer.from(key, "base64") };
  });
  return createFieldCipher(fieldKeys);
}

test("kill -9 of profile in the middle: the command goes on, every customer's key is moved, no number is lost", async () => {
  const before = platform.fieldKeys("PBO_IDENTITY_KEYS").trim();
  const keys = `next:${randomBytes(32).toString("base64")},${before}`;
  const fieldCipher = cipherOf(before);
  const customers = Array.from({ length: CUSTOMERS }, (_, index): StoredProfile => {
    const _id = orderedId(Date.now());
    const input = aPersonInput({ taxIdentificationNumber: `TAX-${index}` });
    const { sealedKey, cipher } = newCustomerKey(fieldCipher, _id);
    const people = [sealPerson(cipher, input, { customerId: _id, uboId: `u${index}` }, "")];
    const ids = { _id, partnerId: PARTNER, partnerCustomerId: `c${index}` };
    return { ...aStoredProfile({ ...ids, sealedKey, people }), audit: [], outbox: [] };
  });
  const admin = await adminOf(platform);
  try {
    const collection = (await platform.database("profile")).collection<StoredProfile>("business_profiles");
    await collection.insertMany(customers);
    platform.setFieldKeys("PBO_IDENTITY_KEYS", keys);
    await platform.restart("profile");
    await platform.untilReady();
    const moved = () => collection.countDocuments({ partnerId: PARTNER, sealedKey: /^v1\.next\./ });
    const command = adminCommand(admin.call, ["field-key", "reseal", "--set", "identity", "--json"]);
    await waitFor(async () => (await moved()) > 0, {
      what: "the first keys to be moved",
      everyMs: 1,
    });
    platform.kill("profile", "SIGKILL");
    const result = await command;
    expect(result).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(result.out)).toContainEqual(expect.objectContaining({ use: "seals", unreadable: 0 }));

    expect(await moved()).toBe(CUSTOMERS);
    const cipher = cipherOf(keys);
    const stored = await collection.find({ partnerId: PARTNER }).toArray();
    for (const customer of stored) {
      const { _id, people, partnerCustomerId } = customer;
      const opened = people.map((person) => openPerson(customerCipher(cipher, customer), person, _id));
      expect(opened[0]?.taxIdentificationNumber).toBe(`TAX-${partnerCustomerId.slice(1)}`);
    }
    await collection.deleteMany({ partnerId: PARTNER });
  } finally {
    await admin.close();
  }
});
