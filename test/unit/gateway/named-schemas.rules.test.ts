import { describe, expect, test } from "@jest/globals";
import { camelCase, namedSchemas, pascalCase } from "../../../gateway/openapi/named-schemas.rules.ts";
import { described, list, named, orNull, record, text } from "../../../shared/contract/answer-schema.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("namedSchemas", () => {
  test("an object without a name is called after its place, what lies in it after its property", () => {
    const schemas = namedSchemas();
    const shown = schemas.place(
      "Order",
      record({ buyer: record({ name: text }), lines: list(record({ sku: text })) }),
    );
    expect(shown).toEqual(ref("Order"));
    expect(Object.keys(schemas.all())).toEqual(["Order", "OrderBuyer", "OrderLinesItem"]);
    expect(schemas.all()).toEqual({
      Order: record({ buyer: ref("OrderBuyer"), lines: list(ref("OrderLinesItem")) }),
      OrderBuyer: record({ name: text }),
      OrderLinesItem: record({ sku: text }),
    });
  });

  test("a named schema keeps its name everywhere; its description stays at its use", () => {
    const schemas = namedSchemas();
    const address = named("Address", record({ city: text }));
    schemas.place("Person", record({ home: described(address, "Where they live."), work: orNull(address) }));
    expect(schemas.all()).toEqual({
      Address: record({ city: text }),
      Person: record({
        home: { ...ref("Address"), description: "Where they live." },
        work: orNull(ref("Address")),
      }),
    });
  });

  test("a vocabulary may have a name, too; what has none stays where it is", () => {
    const schemas = namedSchemas();
    expect(schemas.place("Any", named("Colour", { type: "string", enum: ["red"] }))).toEqual(ref("Colour"));
    expect(schemas.place("Any", described(text, "Free text."))).toEqual(described(text, "Free text."));
    expect(Object.keys(schemas.all())).toEqual(["Colour"]);
  });

  test("two different schemas with one name are refused", () => {
    const schemas = namedSchemas();
    schemas.place("A", named("Same", record({ a: text })));
    schemas.place("B", named("Same", record({ a: text })));
    expect(() => schemas.place("C", named("Same", record({ b: text })))).toThrow("called Same");
  });
});

test("names in Pascal and camel case", () => {
  expect(pascalCase("webhook-registry.rotateSecret")).toBe("WebhookRegistryRotateSecret");
  expect(camelCase("webhook-registry.rotateSecret")).toBe("webhookRegistryRotateSecret");
  expect(pascalCase("Content-Type")).toBe("ContentType");
});
