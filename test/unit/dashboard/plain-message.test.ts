import { describe, expect, test } from "@jest/globals";
import { withoutRoutes } from "../../../gateway/dashboard/core/plain-message.ts";

describe("the message of a refusal", () => {
  test.each([
    ["Set one up first: POST /api/customer/v1/session/second-factor.", "Set one up first."],
    ["Ask again later (GET /status).", "Ask again later."],
    ["The name is too long", "The name is too long."],
  ])("%s → %s", (description, shown) => {
    expect(withoutRoutes(description)).toBe(shown);
  });
});
