import { expect, test } from "@jest/globals";
import { openMetricsText } from "../../../shared/telemetry/open-metrics.rules.ts";

const text = (type: string, value: number, labels = {}) =>
  openMetricsText([{ name: "x_total", help: 'a "b"\\\n', type, values: [{ value, labels }] }]);

test("a counter's family has no _total, its sample has; words are escaped", () => {
  expect(text("counter", 1, { l: 'a"\n\\' })).toBe(
    '# HELP x a \\"b\\"\\\\\\n\n# TYPE x counter\nx_total{l="a\\"\\n\\\\"} 1\n# EOF\n',
  );
});

test("a family has a line for each sample", () => {
  const values = [1, 2].map((value) => ({ value, labels: { l: value } }));
  expect(openMetricsText([{ name: "x", help: "h", type: "gauge", values }])).toBe(
    '# HELP x h\n# TYPE x gauge\nx{l="1"} 1\nx{l="2"} 2\n# EOF\n',
  );
});

test("one family follows the other", () => {
  const family = (name: string) => ({ name, help: "h", type: "gauge", values: [] });
  expect(openMetricsText([family("a"), family("b")])).toBe(
    "# HELP a h\n# TYPE a gauge\n# HELP b h\n# TYPE b gauge\n# EOF\n",
  );
});

test.each([
  [0.5, "0.5"],
  [Number.NaN, "NaN"],
  [Number.POSITIVE_INFINITY, "+Inf"],
  [Number.NEGATIVE_INFINITY, "-Inf"],
])("the number %p is written as %s", (value, written) => {
  expect(text("gauge", value)).toContain(`\nx_total ${written}\n`);
});

test.each([
  [5, "5.0"],
  [0.3, "0.3"],
  ["+Inf", "+Inf"],
])("the bound %p of a bucket is written as %s", (le, written) => {
  expect(text("histogram", 1, { le })).toContain(`{le="${written}"} 1`);
});
