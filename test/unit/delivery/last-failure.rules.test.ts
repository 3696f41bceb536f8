import { describe, expect, test } from "@jest/globals";
import {
  failureWord,
  failureWords,
  kindOfFailure,
} from "../../../services/delivery/records/last-failure.rules.ts";
import { FAILURE_KINDS } from "../../../shared/contract/vocabularies.ts";

describe("the word for the last failure", () => {
  test.each([
    ["HttpStatus", 400, "HttpStatus 4xx"],
    ["HttpStatus", 404, "HttpStatus 4xx"],
    ["HttpStatus", 500, "HttpStatus 5xx"],
    ["HttpStatus", 999, "HttpStatus 5xx"],
    ["Redirect", 300, "Redirect 3xx"],
    ["Connect", 200, "Connect 2xx"],
    ["Timeout", null, "Timeout none"],
  ] as const)("%s with %p: %s", (kind, statusCode, word) => {
    expect(failureWord(kind, statusCode)).toBe(word);
    expect(kindOfFailure(word)).toBe(kind);
  });

  test("is among those that a filter by its kind, by its answer, by both or by neither looks for", () => {
    for (const kind of FAILURE_KINDS)
      for (const statusCode of [302, 404, 503, null]) {
        const word = failureWord(kind, statusCode);
        const answer = statusCode === null ? "none" : (`${Math.floor(statusCode / 100)}xx` as "3xx");
        for (const words of [
          failureWords(kind, null),
          failureWords(null, answer),
          failureWords(kind, answer),
          failureWords(null, null),
        ])
          expect(words).toContain(word);
      }
    expect(failureWords("Tls", "4xx")).toEqual(["Tls 4xx"]);
  });

  test("a word of another release: no kind", () => {
    expect(kindOfFailure("Unheard of")).toBeNull();
  });
});
