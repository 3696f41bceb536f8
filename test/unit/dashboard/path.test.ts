import { describe, expect, test } from "@jest/globals";
import { at } from "../../../gateway/dashboard/core/path.ts";

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
