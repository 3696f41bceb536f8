import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  announcementAfterRequestAt,
  closesAt,
  nextAnnouncementAt,
  nextLookAt,
  nextRemovalAt,
  restUntil,
} from "../../../services/document/schedule.rules.ts";
import { aDocument } from "../../support/builders/a-document.ts";

const LOOKS = { firstMs: 20_000, mostMs: 300_000 };
const record = aDocument();
const minutesAfter = (minutes: number) => new Date(record.createdAt.getTime() + minutes * 60_000);

describe("nextLookAt", () => {
  test("from link to close: doubles, then every five minutes, and ends at the close", () => {
    const looks: number[] = [];
    for (let at = record.createdAt; at < closesAt(record); ) {
      at = nextLookAt(record, at, LOOKS);
      looks.push((at.getTime() - record.createdAt.getTime()) / 1_000);
    }
    expect(looks).toEqual([20, 40, 80, 160, 320, 620, 920, 1220, 1520, 1820, 2120, 2420, 2700]);
  });

  test("as for a storage that tells nothing: every three seconds for as long as the link is open", () => {
    const looks = { firstMs: 2_000, mostMs: 3_000 };
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: closesAt(record).getTime() - record.createdAt.getTime() }),
        (age) => {
          const now = new Date(record.createdAt.getTime() + age);
          expect(nextLookAt(record, now, looks).getTime() - now.getTime()).toBeLessThanOrEqual(3_000);
        },
      ),
    );
  });

  test("at any time: is ahead, at most five minutes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (age) => {
        const now = new Date(record.createdAt.getTime() + age);
        const wait = nextLookAt(record, now, LOOKS).getTime() - now.getTime();
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(300_000);
      }),
    );
  });
});

test.each([
  [null, 5],
  [0, 5],
  [60, 60],
  [6_000, 600],
])("nextAnnouncementAt, unknown for %s s: waits %i s", (unknownFor, waits) => {
  const now = minutesAfter(0);
  const uploadedAt = unknownFor === null ? null : new Date(now.getTime() - unknownFor * 1_000);
  expect(nextAnnouncementAt({ uploadedAt }, now)).toEqual(new Date(now.getTime() + waits * 1_000));
});

test("after a request confirmed it: the sweep steps in half a minute later", () => {
  expect(announcementAfterRequestAt(minutesAfter(1))).toEqual(minutesAfter(1.5));
});

test.each([
  ["AwaitingUpload", null],
  ["Expired", null],
  ["Confirmed", minutesAfter(24 * 60)],
  ["Missing", minutesAfter(24 * 60)],
  ["Superseded", minutesAfter(45)],
  ["Rejected", minutesAfter(24 * 60 + 30)],
] as const)("restUntil, %s: %s", (status, until) => {
  expect(restUntil({ ...record, status, isTidy: true }, record.createdAt)).toEqual(until);
});

test("restUntil: what is not tidied is looked at when its link closes; what is too large goes at once", () => {
  const untidy = { ...record, status: "Confirmed", isTidy: false } as const;
  expect(restUntil(untidy, record.createdAt)).toEqual(closesAt(record));
  expect(restUntil(untidy, minutesAfter(100))).toEqual(minutesAfter(100));
  const large = { ...record, status: "Rejected", reason: "TooLarge" } as const;
  expect(restUntil(large, minutesAfter(1))).toEqual(minutesAfter(1));
});

test.each([
  ["its link is open", 10, null, 45],
  ["its link has closed", 45, null, null],
  ["erased while its link is open", 10, 10, 45],
  ["erased just before its link closes", 44, 43, 48],
  ["erased long after, a look may be under way", 1_000, 1_000, 1_005],
  ["erased a while ago", 1_005, 1_000, null],
])("nextRemovalAt, %s: %s, erased %s, again %s", (_, now, erased, again) => {
  const document = erased === null ? record : { ...record, erasedAt: minutesAfter(erased) };
  expect(nextRemovalAt(document, minutesAfter(now))).toEqual(again === null ? null : minutesAfter(again));
});
