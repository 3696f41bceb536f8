import { describe, expect, jest, test } from "@jest/globals";
import { readInTime, usualEnd, writeInTime } from "../../../services/delivery/records/in-time.ts";

const later = (ms: number) => performance.now() + ms;
const never = () => new Promise<never>(() => undefined);

describe("writeInTime", () => {
  test("answers what the write answers", async () => {
    expect(await writeInTime(async () => "stored", later(5_000))).toBe("stored");
  });

  test("less than a millisecond left: Service.Unavailable, and the write is not started", async () => {
    const write = jest.fn(async () => undefined);
    await expect(writeInTime(write, later(0.5))).rejects.toMatchObject({ type: "Service.Unavailable" });
    expect(write).not.toHaveBeenCalled();
  });

  test("no answer in time: Service.OutcomeUnknown", async () => {
    await expect(writeInTime(never, later(20))).rejects.toMatchObject({ type: "Service.OutcomeUnknown" });
  });

  test("a lost connection: Service.OutcomeUnknown; any other error is passed on", async () => {
    const refusing = (given: object) => async () => {
      throw Object.assign(new Error("refused"), given);
    };
    const lost = writeInTime(refusing({ name: "MongoNetworkError" }), later(5_000));
    await expect(lost).rejects.toMatchObject({ type: "Service.OutcomeUnknown" });
    const refused = writeInTime(refusing({ code: 121 }), later(5_000));
    await expect(refused).rejects.toMatchObject({ code: 121 });
  });
});

test("readInTime: a read may take the time that is left; a late one rejects with Service.Unavailable", async () => {
  const slow = new Promise((resolve) => setTimeout(resolve, 20, 1));
  expect(await readInTime(slow, later(5_000))).toBe(1);
  await expect(readInTime(never(), later(20))).rejects.toMatchObject({ type: "Service.Unavailable" });
});

test("usualEnd: two seconds from now", () => {
  const now = jest.spyOn(performance, "now").mockReturnValue(5);
  const end = usualEnd();
  now.mockRestore();
  expect(end).toBe(2_005);
});
