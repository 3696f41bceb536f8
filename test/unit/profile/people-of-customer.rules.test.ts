import { expect, test } from "@jest/globals";
import { livePeople } from "../../../services/profile/record/people.rules.ts";
import { aStoredPerson } from "../../support/builders/stored-profile.ts";

test("livePeople: leaves out those who were removed, keeps the order", () => {
  const [a, b, c] = ["a", "b", "c"].map((id) =>
    aStoredPerson(id, { removedAt: id === "b" ? "2026-02-01T00:00:00.000Z" : null }),
  );
  if (!a || !b || !c) throw new Error("three people were made");
  expect(livePeople([c, b, a])).toEqual([c, a]);
});
