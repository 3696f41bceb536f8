import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { WebhookError } from "../../../deploy/client/typescript/src/errors.ts";
import { unwrap } from "../../../deploy/client/typescript/src/webhooks.ts";
import { sign, signatureHeader } from "../../../services/delivery/send/signature.rules.ts";

type Vector = {
  name: string;
  secret: string;
  headers: { "Svc-Event-Id": string; "Svc-Timestamp": string; "Svc-Signature": string };
  body: string;
  now: number;
  valid: boolean;
};

const file = fileURLToPath(new URL("../../../deploy/receiver/signature-vectors.json", import.meta.url));
const { vectors } = JSON.parse(readFileSync(file, "utf8")) as { vectors: Vector[] };

const asStandardHeaders = (headers: Vector["headers"]) => ({
  "webhook-id": headers["Svc-Event-Id"],
  "webhook-timestamp": headers["Svc-Timestamp"],
  "webhook-signature": headers["Svc-Signature"],
});

/** A body that is no event may be signed all the same. */
function clientVerifies(
  body: string | Uint8Array,
  headers: Headers,
  secret: string,
  nowSeconds: number,
): boolean {
  try {
    unwrap(body, headers, secret, nowSeconds);
    return true;
  } catch (error) {
    return !(error instanceof WebhookError);
  }
}

function standardVerifies({ secret, headers, body, now }: Vector): boolean {
  jest.spyOn(Date, "now").mockReturnValue(now * 1_000);
  try {
    new Webhook(secret).verify(body, asStandardHeaders(headers), { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe("the published signature vectors", () => {
  test.each(vectors)("$name: the TypeScript client says $valid", ({ headers, body, secret, now, valid }) => {
    const standard = new Headers(asStandardHeaders(headers));
    expect(clientVerifies(body, standard, secret, now)).toBe(valid);
    expect(clientVerifies(Buffer.from(body), standard, secret, now)).toBe(valid);
  });

  test.each(vectors)("$name: the library standardwebhooks says $valid", (vector) => {
    expect(standardVerifies(vector)).toBe(vector.valid);
  });

  test.each(vectors.filter(({ valid }) => valid))(
    "$name: our own signature is among those given",
    (vector) => {
      const content = {
        eventId: vector.headers["Svc-Event-Id"],
        timestampSeconds: Number(vector.headers["Svc-Timestamp"]),
        body: Buffer.from(vector.body),
      };
      expect(vector.headers["Svc-Signature"].split(" ")).toContain(`v1,${sign(vector.secret, content)}`);
    },
  );
});

describe("signatureHeader", () => {
  const secretOf = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString("base64")}`;
  const anySecret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(secretOf);
  const anyContent = fc.record({
    eventId: fc.uuid(),
    timestampSeconds: fc.integer({ min: 1_700_000_000, max: 2_000_000_000 }),
    body: fc.json().map((text) => Buffer.from(text)),
  });
  const verified = (
    header: string,
    secret: string,
    content: { eventId: string; timestampSeconds: number; body: Buffer },
  ) =>
    clientVerifies(
      content.body,
      new Headers({
        "webhook-id": content.eventId,
        "webhook-timestamp": String(content.timestampSeconds),
        "webhook-signature": header,
      }),
      secret,
      content.timestampSeconds,
    );

  test("any body is verified with either secret of a rotation, and with no other", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anySecret, { minLength: 3, maxLength: 3 }),
        anyContent,
        (secrets, content) => {
          const [newest = "", previous = "", stranger = ""] = secrets;
          const header = signatureHeader([newest, previous], content);
          expect(verified(header, newest, content)).toBe(true);
          expect(verified(header, previous, content)).toBe(true);
          expect(verified(header, stranger, content)).toBe(false);
        },
      ),
    );
  });

  test("a changed bit of the body is noticed", () => {
    fc.assert(
      fc.property(anySecret, anyContent, fc.nat(), (secret, content, position) => {
        const tampered = Buffer.from(content.body);
        const at = position % tampered.length;
        tampered[at] = (tampered[at] ?? 0) ^ 1;
        expect(verified(signatureHeader([secret], content), secret, { ...content, body: tampered })).toBe(
          false,
        );
      }),
    );
  });

  test("newest first, separated by one space", () => {
    const content = { eventId: "e", timestampSeconds: 1, body: Buffer.from("{}") };
    const [a, b] = [secretOf(Buffer.alloc(32, 1)), secretOf(Buffer.alloc(32, 2))];
    expect(signatureHeader([a, b], content)).toBe(`v1,${sign(a, content)} v1,${sign(b, content)}`);
  });

  test.each(["", "secret", "whsec_", "whsec_!!!", "WHSEC_AAAA"])("the secret %j is refused", (secret) => {
    expect(() => sign(secret, { eventId: "e", timestampSeconds: 1, body: Buffer.from("") })).toThrow(
      "whsec_",
    );
  });
});
