import { randomBytes } from "node:crypto";
import { describe, expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import { createEndpointDirectory } from "../../../services/delivery/endpoint/endpoint-directory.ts";
import type { DeliveryEndpoint } from "../../../shared/contract/actions/webhook-registry.ts";
import { createFieldCipher } from "../../../shared/sealing/field-cipher.ts";
import { anEndpoint } from "../../support/builders/delivery-records.ts";

const cipher = createFieldCipher([{ id: "k", key: randomBytes(32) }]);
const place = { collection: "c", recordId: "r", field: "f" };
const endpoint = anEndpoint({
  secrets: [
    { sealed: cipher.seal("new", place), place, notAfter: null },
    { sealed: cipher.seal("old", place), place, notAfter: new Date(10_000).toISOString() },
  ],
});

function aDirectory(lookUp: () => Promise<DeliveryEndpoint | null>) {
  let now = 5_000;
  let asked = 0;
  const directory = createEndpointDirectory({
    lookUp: () => {
      asked += 1;
      return lookUp();
    },
    cipher,
    clock: { now: () => now },
    logger: pino({ level: "silent" }),
  });
  return {
    directory,
    asked: () => asked,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe("endpoint directory", () => {
  test("asks once for many, and again after a few seconds", async () => {
    const { directory, asked, pass } = aDirectory(async () => endpoint);
    await Promise.all([directory.find("p"), directory.find("p")]);
    await directory.find("p");
    expect(asked()).toBe(1);
    pass(2_999);
    await directory.find("p");
    expect(asked()).toBe(1);
    pass(1);
    await directory.find("p");
    expect(asked()).toBe(2);
    directory.forget("p");
    await directory.find("p");
    expect(asked()).toBe(3);
  });

  test("the registry is away: a cached endpoint serves for some minutes, then the lookup fails", async () => {
    let isAway = false;
    const { directory, pass } = aDirectory(async () => {
      if (isAway) throw new Error("away");
      return endpoint;
    });
    await directory.find("p");
    isAway = true;
    pass(5 * 60_000);
    expect((await directory.find("p"))?.endpointId).toBe("e");
    pass(1);
    await expect(directory.find("p")).rejects.toThrow("away");
  });

  test.each([
    ["Disabled", { ...endpoint, status: "Disabled" } as const],
    ["none", null],
  ])(
    "%s is never remembered: asked for each time, and not believed while the registry is away",
    async (_, dead) => {
      let isAway = false;
      const { directory, asked } = aDirectory(async () => {
        if (isAway) throw new Error("away");
        return dead;
      });
      await directory.find("p");
      expect(await directory.find("p")).toEqual(dead);
      expect(asked()).toBe(2);
      isAway = true;
      await expect(directory.find("p")).rejects.toThrow("away");
    },
  );

  test("disabled meanwhile: the live one that was known before no longer serves", async () => {
    const answers: (DeliveryEndpoint | Error)[] = [
      endpoint,
      { ...endpoint, status: "Disabled" },
      new Error("away"),
    ];
    const { directory, pass } = aDirectory(async () => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer ?? null;
    });
    await directory.find("p");
    pass(3_000);
    expect((await directory.find("p"))?.status).toBe("Disabled");
    await expect(directory.find("p")).rejects.toThrow("away");
  });

  test("no endpoint, asked for before this call: asked again, once for all who waited", async () => {
    const answer = Promise.withResolvers<null>();
    const answers = [answer.promise];
    const { directory, asked } = aDirectory(() => answers.shift() ?? Promise.resolve(endpoint));
    const first = directory.find("p");
    const others = [directory.find("p"), directory.find("p")];
    answer.resolve(null);
    expect(await first).toBeNull();
    expect(await Promise.all(others)).toEqual([endpoint, endpoint]);
    expect(asked()).toBe(2);
  });

  test("a change during a lookup: its answer neither replaces nor hides the newer one", async () => {
    const answers = [1, 2].map(() => Promise.withResolvers<DeliveryEndpoint>());
    const [first, second] = answers;
    const { directory, asked } = aDirectory(() => answers.shift()?.promise ?? Promise.resolve(endpoint));
    const old = directory.find("p");
    directory.forget("p");
    const newer = directory.find("p");
    first?.resolve(endpoint);
    await old;
    second?.resolve({ ...endpoint, url: "https://new.example.com" });
    await newer;
    expect((await directory.find("p"))?.url).toBe("https://new.example.com");
    expect(asked()).toBe(2);
  });

  test("secrets: those in force at the moment of signing, newest first", async () => {
    const { directory, pass } = aDirectory(async () => endpoint);
    pass(4_999);
    const open = jest.spyOn(cipher, "open");
    expect(directory.secretsOf(endpoint)).toEqual(["new", "old"]);
    pass(1);
    expect(directory.secretsOf(endpoint)).toEqual(["new"]);
    // Each is decrypted once, not for every attempt.
    expect(open).toHaveBeenCalledTimes(2);
    open.mockRestore();
  });
});
