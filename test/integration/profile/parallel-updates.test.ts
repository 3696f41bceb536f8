import { describe, expect, test } from "@jest/globals";
import { aPerson, aReplacement, aSmallProfile } from "../../support/builders/profile-builders.ts";
import { startProfileStage, type Value } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startProfileStage);

describe("updates at the same time", () => {
  test("50 PATCHes that append different people: none lost, none twice", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    const people = Array.from({ length: 50 }, () => aPerson());
    const outcomes = await Promise.all(
      people.map((person) => stage.patch(customerId, { businessPersonList: [person] })),
    );
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
    const stored = (await stage.read(customerId)).businessPersonList as Value[];
    expect(stored.map(({ email }) => email).toSorted()).toEqual(people.map(({ email }) => email).toSorted());
    const { version, sequence, outbox } = (await stage.stored(customerId)) ?? {
      version: 0,
      sequence: 0,
      outbox: [],
    };
    expect([version, sequence]).toEqual([51, 101]);
    const sequences = outbox.map(({ body }) => JSON.parse(body).correlation.sequence as number);
    expect(sequences.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 101 }, (_, index) => index + 1));
  });

  test("the same through two instances of the service: a failed PATCH is refused and stores nothing", async () => {
    const second = await stage.startReplica();
    try {
      const { customerId } = await stage.create(aSmallProfile());
      const people = Array.from({ length: 50 }, () => aPerson());
      const outcomes = await Promise.all(
        people.map((person) => stage.patch(customerId, { businessPersonList: [person] })),
      );
      const accepted = people.filter((_, index) => outcomes[index]?.ok).map(({ email }) => email);
      for (const outcome of outcomes)
        if (!outcome.ok) expect(outcome).toMatchObject({ status: 409, code: "Customer.Conflict" });
      expect(accepted.length).toBeGreaterThan(0);
      const stored = (await stage.read(customerId)).businessPersonList as Value[];
      expect(stored.map(({ email }) => email).toSorted()).toEqual(accepted.toSorted());
    } finally {
      await second.stop();
    }
  });

  test("If-Match with another version: 412, nothing changed; with this one: changed", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    expect(await stage.patch(customerId, { tradingName: "a" }, { ifMatch: '"7"' })).toMatchObject({
      status: 412,
      code: "Customer.VersionMismatch",
    });
    expect(await stage.put(customerId, aReplacement(customerId), { ifMatch: 'W/"1"' })).toMatchObject({
      status: 412,
    });
    expect(await stage.patch(customerId, { tradingName: "a" }, { ifMatch: '"1"' })).toMatchObject({
      value: { version: 2 },
    });
    expect(await stage.patch(customerId, { tradingName: "b" }, { ifMatch: '"1"' })).toMatchObject({
      status: 412,
    });
    expect(await stage.patch(customerId, { tradingName: "b" }, { ifMatch: "*" })).toMatchObject({
      value: { version: 3 },
    });
  });

  test("20 with the same If-Match: exactly one wins", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        stage.patch(customerId, { tradingName: `n${index}` }, { ifMatch: '"1"' }),
      ),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(outcomes.filter((outcome) => !outcome.ok && outcome.status === 412)).toHaveLength(19);
  });
});
