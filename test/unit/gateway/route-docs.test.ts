/** Every route has its documentation, and there is none without a route: the compiler says so. */
import { expect, test } from "@jest/globals";
import { tokenDocs } from "../../../gateway/openapi/docs/tokens.ts";
import type { DocsOf, RouteDoc } from "../../../gateway/openapi/route-doc.ts";
import type { RoutedAction } from "../../../gateway/routes.ts";

const { "auth-token.keySet": keySet, ...withoutKeySet } = tokenDocs;

test("the documentation of a tag: each of its actions and no other, else it does not compile", () => {
  const whole: DocsOf<"Tokens"> = { ...withoutKeySet, "auth-token.keySet": keySet };
  // @ts-expect-error auth-token.keySet is missing
  const missing: DocsOf<"Tokens"> = { ...withoutKeySet };
  const extra: DocsOf<"Tokens"> = {
    ...tokenDocs,
    // @ts-expect-error profile.get is routed, but not with this tag
    "profile.get": keySet,
  };
  const unrouted: DocsOf<"Tokens"> = {
    ...tokenDocs,
    // @ts-expect-error auth-token.trustState is an action without a route
    "auth-token.trustState": keySet,
  };
  expect([whole, missing, extra, unrouted].map((docs) => Object.keys(docs).length)).toEqual([3, 2, 4, 4]);
});

test("the documentation of the whole table: a tag left out does not compile", () => {
  // @ts-expect-error the other tags are missing
  const onlyTokens = { ...tokenDocs } satisfies Record<RoutedAction, RouteDoc>;
  expect(Object.keys(onlyTokens)).toHaveLength(3);
});

test("a tag that no route has does not compile", () => {
  // @ts-expect-error there is no such tag
  const docs: DocsOf<"Nothing"> = {};
  expect(docs).toEqual({});
});
