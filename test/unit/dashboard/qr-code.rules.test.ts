import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { qrCode } from "../../../gateway/dashboard/core/qr-code.rules.ts";

const drawn = (text: string): string =>
  (qrCode(text) ?? []).map((row) => row.map((isDark) => (isDark ? "#" : ".")).join("")).join("\n");
const textOf = (length: number): string => "abcdefghij".repeat(67).slice(0, length);

/** All drawings here were compared with those of another encoder (uqr 0.1.3). */
const OTPAUTH_OK = `
#######...###.#######
#.....#.#.###.#.....#
#.###.#.###.#.#.###.#
#.###.#.#..#..#.###.#
#.###.#..#.##.#.###.#
#.....#..#..#.#.....#
#######.#.#.#.#######
........##.##........
#.....#.###.###..###.
.#.#.#...##.#..#.###.
...#####.#.#..##..##.
....##..#.#......####
#..#.##.#.#..#.#.....
........#...###.#.#.#
#######..##.###...##.
#.....#..#.#..#.###.#
#.###.#...#...#....##
#.###.#..#...####.#..
#.###.#.....#...#.###
#.....#...##.#.#.##..
#######.##.#..#..#.#.`.trim();

describe("qrCode", () => {
  test("a short text is drawn module by module like another encoder draws it", () => {
    expect(drawn("otpauth://ok")).toBe(OTPAUTH_OK);
  });

  test.each([
    { length: 15, size: 25, hash: "874344f738ee8d2e" },
    { length: 100, size: 41, hash: "ea4c763727fbb446" },
    { length: 150, size: 49, hash: "fa8c72411e431a32" },
    { length: 300, size: 69, hash: "8e534c71c0f3cfca" },
    { length: 450, size: 81, hash: "566b99479f519cbe" },
    { length: 666, size: 97, hash: "a110f9899c252a3e" },
  ])(
    "a text of $length bytes: $size modules wide, like another encoder draws it",
    ({ length, size, hash }) => {
      expect(qrCode(textOf(length))).toHaveLength(size);
      expect(
        createHash("sha256")
          .update(drawn(textOf(length)))
          .digest("hex"),
      ).toMatch(new RegExp(`^${hash}`));
    },
  );

  test("a text beyond version 20 has no code", () => {
    expect(qrCode(textOf(667))).toBe(null);
  });
});
