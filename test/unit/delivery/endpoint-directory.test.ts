import { randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createEndpointDirectory } from "../../../services/delivery/endpoint/endpoint-directory.ts";
import type { DeliveryEndpoint } from "../../../shared/action-types/webhook-registry.ts";
import { createFieldCipher } from "../../../shared/field-cipher.ts";

const cipher = createFieldCipher([{ id: "k", key: randomBytes(32) }]);
const place = { collection: "c", recordId: "r", field: "f" };
const endpoint: DeliveryEndpoint = {
  endpointId: "e",
  partnerId: "p",
  url: "https://example.com",
  status: "Active",
  consecutiveFailures: 0,
  disabledAt: null,
  secrets: [
    { sealed: cipher.seal("new", place), place, notAfter: null },
    { sealed: cipher.seal("old", place), place, notAfter: new Date(10_000).toISOString() },
  ],
};

function aDirectory(lookUp: () => Promise<DeliveryEndpoint | null>) {
  let now = 0;
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
    pass(3_000);
    await directory.find("p");
    expect(asked()).toBe(2);
  });

  test("a change makes it ask at once; an answer under way at that time is not kept", async () => {
    let answer: (found: DeliveryEndpoint) => void = () => undefined;
    const answers = [
      new Promise<DeliveryEndpoint>((resolve) => {
        answer = resolve;
      }),
      Promise.resolve({ ...endpoint, url: "https://new.example.com" }),
    ];
    const { directory, asked } = aDirectory(() => answers.shift() ?? Promise.resolve(endpoint));
    const old = directory.find("p");
    directory.forget("p");
    answer(endpoint);
    await old;
    expect((await directory.find("p"))?.url).toBe("https://new.example.com");
    expect(asked()).toBe(2);
  });

  test("the registry is away: what is known serves for some minutes, then it fails", async () => {
    let isAway = false;
    const { directory, pass } = aDirectory(async () => {
      if (isAway) throw new Error("away");
      return endpoint;
    });
    await directory.find("p");
    isAway = true;
    pass(60_000);
    expect((await directory.find("p"))?.endpointId).toBe("e");
    pass(5 * 60_000);
    await expect(directory.find("p")).rejects.toThrow("away");
  });

  test("secrets: those in force at the moment of signing, newest first", async () => {
    const { directory, pass } = aDirectory(async () => endpoint);
    pass(9_999);
    expect(directory.secretsOf(endpoint)).toEqual(["new", "old"]);
    pass(1);
    expect(directory.secretsOf(endpoint)).toEqual(["new"]);
  });
});
