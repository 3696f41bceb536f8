import { describe, expect, test } from "@jest/globals";
import { at, withoutRoutes } from "../../../gateway/dashboard/core/path.ts";

describe("a value in the path of a call", () => {
  const below = "/api/compliance/v1/cases/";
  test.each([
    { id: "/api/../session", path: `${below}%2Fapi%2F..%2Fsession` },
    { id: "../country-rules", path: `${below}..%2Fcountry-rules` },
    { id: "..", path: `${below}-` },
    { id: ".", path: `${below}-` },
    { id: "a?b#c", path: `${below}a%3Fb%23c` },
  ])("$id stays one segment below its base", ({ id, path }) => {
    const asked = at("/api/compliance/v1")`/cases/${id}`;
    expect(asked).toBe(path);
    expect(new URL(asked, "https://host.example").pathname).toBe(path);
  });
});

test.each([
  ["Set one up first: POST /api/customer/v1/session/second-factor.", "Set one up first."],
  ["Ask again later (GET /status).", "Ask again later."],
  ["The name is too long", "The name is too long."],
])("the message of a refusal, %s, is shown as %s", (description, shown) =>
  expect(withoutRoutes(description)).toBe(shown),
);
