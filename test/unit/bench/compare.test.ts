import { describe, expect, test } from "@jest/globals";
import { projectDir } from "../../../deploy/lib/paths.ts";
import { againstCheckout } from "../../bench/compare.ts";
import { bench } from "../../bench/ping.bench.ts";

describe("againstCheckout", () => {
  test("a folder that is no checkout: an error that names what is missing", () => {
    expect(() => againstCheckout(bench, import.meta.dirname)).toThrow("has no moleculer.config.ts");
  });

  test("a checkout: the same row, with many rounds, so that its interval is narrow", () => {
    const { rounds, ...row } = againstCheckout(bench, projectDir);
    expect(row).toMatchObject({ name: bench.name, hotPath: "rate" });
    expect(rounds).toBe(31);
  });
});
